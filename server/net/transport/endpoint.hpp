#pragma once
// An address to listen on: TCP, with or without TLS, or a Unix socket.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <sys/types.h>

namespace vitrine::server {

struct Endpoint {
    std::string host; // "127.0.0.1", "::1", "localhost", "0.0.0.0"; empty: a Unix socket
    std::uint16_t port = 0;
    std::string socket_path{}; // of a Unix socket
    mode_t socket_mode = 0660;
    bool tls = false;

    bool is_unix() const { return !socket_path.empty(); }
    // Whether only this machine reaches it: also Unix sockets, which have permissions beside.
    bool is_loopback() const;
    std::string url() const; // "http://[::1]:8080", "https://localhost:8443", "unix:/run/vitrine.sock"
};

// Parses "127.0.0.1:8080", "[::1]:0", "localhost:80", ":8080" (loopback), "unix:/run/vitrine.sock". Empty if
// it is invalid.
std::optional<Endpoint> parse_endpoint(std::string_view text);

} // namespace vitrine::server
