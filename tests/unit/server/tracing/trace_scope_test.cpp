#include "server/tracing/trace_scope.hpp"

#include <thread>

#include <gtest/gtest.h>

#include "server/routing/fields/trace_context.hpp"

namespace vitrine::server {
namespace {

constexpr std::string_view one_trace = "4bf92f3577b34da6a3ce929d0e0e4736";
constexpr std::string_view other_trace = "0af7651916cd43dd8448eb211c80319c";

TEST(TraceScope, HoldsForItsThreadUntilItsEnd)
{
    EXPECT_EQ(current_trace(), "");
    {
        const TraceScope outer{std::string(one_trace)};
        {
            const TraceScope inner{std::string(other_trace)};
            EXPECT_EQ(current_trace(), other_trace);
        }
        EXPECT_EQ(current_trace(), one_trace);
        std::jthread([] { EXPECT_EQ(current_trace(), ""); });
    }
    EXPECT_EQ(current_trace(), "");
}

TEST(TraceScope, OtherTextIsNoTrace)
{
    const TraceScope scope{std::string(30, 'a') + "\r\n"};
    EXPECT_EQ(current_trace(), "");
    EXPECT_EQ(make_traceparent("x"), "");
}

TEST(TraceScope, RequestsToOthersHaveItWithASpanOfTheirOwn)
{
    EXPECT_EQ(make_traceparent(), "");
    const TraceScope scope{std::string(one_trace)};
    const auto one = make_traceparent(), other = make_traceparent();
    EXPECT_EQ(parse_trace_id(one), one_trace) << one;
    EXPECT_EQ(parse_trace_id(other), one_trace) << other;
    EXPECT_NE(one, other);
    EXPECT_EQ(parse_trace_id(make_traceparent(other_trace)), other_trace);
}

} // namespace
} // namespace vitrine::server
