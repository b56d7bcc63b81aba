// Log lines of requests, and the trace that they belong to.

#include "server/routing/request_log.hpp"

#include <gtest/gtest.h>

#include "server/routing/fields/trace_context.hpp"

namespace vitrine::server {
namespace {

constexpr std::string_view trace = "4bf92f3577b34da6a3ce929d0e0e4736";
const std::string traceparent = "00-" + std::string(trace) + "-00f067aa0ba902b7-01";

TEST(TraceContext, TakesTheTraceOfValidFields)
{
    EXPECT_EQ(parse_trace_id(traceparent), trace);
    EXPECT_EQ(parse_trace_id("cc" + traceparent.substr(2) + "-later-parts"), trace) << "a later version";
    EXPECT_EQ(parse_trace_id("cc" + traceparent.substr(2)), trace);
    const std::string zeros(32, '0');
    for (const std::string& wrong :
         {std::string(), "ff" + traceparent.substr(2), traceparent + "-", traceparent + "0",
          "cc" + traceparent.substr(2) + "x", "00-" + zeros + traceparent.substr(35),
          traceparent.substr(0, 36) + zeros.substr(16) + "-01", traceparent.substr(0, 54),
          "0g" + traceparent.substr(2), "00-" + std::string(32, 'A') + traceparent.substr(35),
          traceparent.substr(0, 53) + "0x", "00_" + traceparent.substr(3), std::string(55, '-')})
        EXPECT_EQ(parse_trace_id(wrong), "") << wrong;
}

TEST(TraceContext, SeveralFieldsAreNone)
{
    Headers headers;
    EXPECT_EQ(trace_id_of(headers), "");
    headers.add("TraceParent", traceparent);
    EXPECT_EQ(trace_id_of(headers), trace);
    headers.add("traceparent", traceparent);
    EXPECT_EQ(trace_id_of(headers), "");
}

TEST(RequestLog, SaysWhoAskedWhatAndWhatWasSent)
{
    Request request;
    request.method_name = "GET";
    request.id = "00ff";
    request.target.path = "/v1/assets";
    EXPECT_EQ(to_text(log_line_of(request, {"list_assets", 200, 123, 0.0015})),
              "id=00ff method=GET path=/v1/assets route=list_assets status=200 ms=1.50 bytes=123 peer=none "
              "tls=none "
              "principal=anonymous");
    request.headers.add("User-Agent", "curl/8 \"x\"\n");
    request.headers.add("traceparent", traceparent);
    auto line = log_line_of(request, {"events", 500, std::nullopt, 0});
    line.failure = "disk \"full\"";
    EXPECT_EQ(to_text(line),
              "id=00ff method=GET path=/v1/assets route=events status=500 ms=0.00 peer=none tls=none "
              "principal=anonymous agent=\"curl/8 \\\"x\\\"\\n\" trace=" +
                  std::string(trace) + " error=\"disk \\\"full\\\"\"");
}

TEST(RequestLog, HeadSendsNoBodyAndLongAgentsAreCut)
{
    Request request;
    request.method = Method::head;
    request.headers.add("User-Agent", std::string(1000, 'a'));
    const auto line = log_line_of(request, {"mesh", 200, 999, 0});
    EXPECT_EQ(line.bytes, 0u);
    EXPECT_EQ(line.agent, std::string(200, 'a'));
}

} // namespace
} // namespace vitrine::server
