#include "server/tracing/trace_scope.hpp"

#include <cstdint>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <sys/random.h>

namespace vitrine::server {
namespace {

thread_local std::string trace_of_thread;

// 0 is no span id.
std::uint64_t new_span_id()
{
    std::uint64_t id = 0;
    while (id == 0)
        if (getrandom(&id, sizeof id, 0) != static_cast<ssize_t>(sizeof id))
            throw std::runtime_error("the system provides no random bytes");
    return id;
}

// Other processes and rows of the database name traces too: nothing else reaches log lines and header fields.
bool is_trace_id(std::string_view text)
{
    return text.size() == 32 && text.find_first_not_of("0123456789abcdef") == text.npos;
}

} // namespace

TraceScope::TraceScope(std::string trace)
    : before_(std::exchange(trace_of_thread, is_trace_id(trace) ? std::move(trace) : std::string()))
{
}

TraceScope::~TraceScope()
{
    trace_of_thread = std::move(before_);
}

const std::string& current_trace()
{
    return trace_of_thread;
}

std::string make_traceparent(std::string_view trace)
{
    return !is_trace_id(trace) ? std::string() : fmt::format("00-{}-{:016x}-01", trace, new_span_id());
}

} // namespace vitrine::server
