#pragma once
// Small requests to other servers (libcurl), with limits of time and bytes, and the trace of the thread
// (server/tracing/trace_scope.hpp). Redirects are not followed. Any thread, blocking.

#include <chrono>
#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine::server {

struct HttpCall {
    std::string url;
    std::vector<std::string> headers{}; // "Name: value"
    std::optional<std::string> body{};  // POST; empty: GET
    std::string method{};               // another one than these
    std::string ca_file{};              // PEM; empty: authorities of the system
    std::string unix_socket{};          // where the host of the URL is reached; empty: by its name
    std::size_t max_bytes = 1 << 20;    // of the body of the response
    std::chrono::milliseconds connect_time{5'000};
    std::chrono::milliseconds total_time{10'000};
    std::stop_token stop{}; // ends the call within about a second
};

struct HttpAnswer {
    int status = 0;        // 0: no whole response
    std::string failure{}; // then the reason
    std::string body{};
    std::string cache_control{}; // the field, empty: none
};

// Throws std::runtime_error: libcurl is not installed.
HttpAnswer send_call(const HttpCall& call);

// Whether requests with secrets may go there: https, or http on this machine; without user and control
// characters.
bool is_secure_url(std::string_view url);

// Members of a form (application/x-www-form-urlencoded).
std::string encode_form(std::initializer_list<std::pair<std::string_view, std::string_view>> members);

} // namespace vitrine::server
