#pragma once
// The trace (W3C Trace Context, https://www.w3.org/TR/trace-context/) that the work of a thread belongs to:
// of the request, job or delivery that has caused it. Log lines of the thread and requests that it sends name
// it.

#include <string>
#include <string_view>

namespace vitrine::server {

// This thread works for `trace`, 32 lower-case hexadecimal digits (anything else: no trace), until the
// destructor, which restores the one before. Not across a suspension of a coroutine, which may resume on
// another thread.
class TraceScope {
public:
    explicit TraceScope(std::string trace);
    ~TraceScope();
    TraceScope(const TraceScope&) = delete;
    TraceScope& operator=(const TraceScope&) = delete;

private:
    std::string before_;
};

// Of this thread; empty: none.
const std::string& current_trace();

// The field traceparent of a request to another server: "00-TRACE-SPAN-01" with a new span id; empty without
// a trace. The flag says that the caller may have recorded the trace, as the log has. Throws
// std::runtime_error: the system provides no random bytes.
std::string make_traceparent(std::string_view trace = current_trace());

} // namespace vitrine::server
