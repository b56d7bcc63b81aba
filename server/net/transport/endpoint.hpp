#pragma once
// The address to listen on.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vitrine::server {

struct Endpoint {
    std::string host; // "127.0.0.1", "::1", "localhost", "0.0.0.0"
    std::uint16_t port = 0;

    bool is_loopback() const;
    std::string url() const; // "http://[::1]:8080"
};

// Parses "127.0.0.1:8080", "[::1]:0", "localhost:80", ":8080" (loopback). Empty if it is invalid.
std::optional<Endpoint> parse_endpoint(std::string_view text);

} // namespace vitrine::server
