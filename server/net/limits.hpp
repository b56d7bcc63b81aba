#pragma once
// Limits and settings of connections. The times limit how long each step may wait for the peer.

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace vitrine::server {

struct NetLimits {
    std::size_t max_connections = 4096;
    // See AddressCounts (address_counts.hpp).
    std::size_t max_connections_per_address = 1024;
    std::size_t max_header_bytes = 16 * 1024; // request line and header fields
    std::size_t max_target_bytes = 8 * 1024;
    std::size_t max_requests_in_flight = 256;
    // Of TLS at once; when another begins, the oldest of the address that has most is ended.
    std::size_t max_handshakes = 256;
    std::chrono::seconds handshake_time{10}; // of TLS
    std::chrono::seconds idle_time{75};      // between two requests of one connection
    std::chrono::seconds header_time{10};    // from the first byte of a request to the end of its header
    std::chrono::seconds body_time{30};      // per 64 KiB of a body, in both directions
    std::chrono::seconds stop_time{10};      // for requests in flight when the server stops
    // Time without a message from the peer of a WebSocket; the peer is pinged after half of it.
    std::chrono::milliseconds websocket_idle_time{30'000};
    std::uint64_t hsts_seconds = 0; // Strict-Transport-Security of responses over TLS (RFC 6797); 0: none
};

} // namespace vitrine::server
