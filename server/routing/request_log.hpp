#pragma once
// The log line of a request.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "server/net/http.hpp"

namespace vitrine::server {

struct LogLine {
    std::string_view id; // X-Request-Id
    std::string_view method;
    std::string_view path; // as sent, without the query
    std::string_view route{};
    int status = 0;
    std::optional<std::uint64_t> bytes{}; // of the body; empty: a stream
    double milliseconds = 0.0;            // until the response begins
    std::string_view peer;                // Peer::text
    std::string_view tls;                 // TlsFacts::version, or "none"
    std::string principal;                // to_text(Principal)
    std::string_view agent;               // the field User-Agent; its beginning if it is long
    std::string_view trace;               // trace_id_of()
    std::string_view failure{};           // cause of a 5xx for the log; never sent
};

struct RequestOutcome {
    std::string_view route; // Route::name, or "none"
    int status = 0;
    std::optional<std::uint64_t> bytes; // of the body, which a response to HEAD does not send
    double seconds = 0.0;
};

// The texts belong to the request and the outcome.
LogLine log_line_of(const Request& request, const RequestOutcome& outcome);
// key=value pairs; values that the client chooses freely are quoted and escaped.
std::string to_text(const LogLine& line);

} // namespace vitrine::server
