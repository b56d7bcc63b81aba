#include "server/routing/request_log.hpp"

#include <iterator>

#include <fmt/format.h>

#include "server/routing/fields/trace_context.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t max_logged_agent = 200; // bytes of a line

// Without the secret of a share link.
std::string_view shown_path(std::string_view path)
{
    constexpr std::string_view links = "/s/";
    return path.starts_with(links) ? links : path;
}

} // namespace

LogLine log_line_of(const Request& request, const RequestOutcome& outcome)
{
    return {.id = request.id,
            .method = request.method_name,
            .path = shown_path(request.target.path),
            .route = outcome.route,
            .status = outcome.status,
            .bytes = request.method == Method::head ? 0 : outcome.bytes,
            .milliseconds = outcome.seconds * 1e3,
            .peer = request.peer_text(),
            .tls = request.tls ? std::string_view(request.tls->version) : "none",
            .principal = to_text(request.principal),
            .agent = request.headers.find("User-Agent").value_or("").substr(0, max_logged_agent),
            .trace = trace_id_of(request.headers)};
}

std::string to_text(const LogLine& line)
{
    auto text = fmt::format("id={} method={} path={} route={} status={} ms={:.2f}", line.id, line.method,
                            line.path, line.route, line.status, line.milliseconds);
    const auto end = std::back_inserter(text);
    if (line.bytes) fmt::format_to(end, " bytes={}", *line.bytes);
    fmt::format_to(end, " peer={} tls={} principal={}", line.peer, line.tls, line.principal);
    if (!line.agent.empty()) fmt::format_to(end, " agent={:?}", line.agent);
    if (!line.trace.empty()) fmt::format_to(end, " trace={}", line.trace);
    if (!line.failure.empty()) fmt::format_to(end, " error={:?}", line.failure);
    return text;
}

} // namespace vitrine::server
