#pragma once
// What a connection may cost. Times bound how long a peer may make us wait for each step.

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace vitrine::server {

struct NetLimits {
    std::size_t connections = 4096;
    std::size_t header_bytes = 16 * 1024; // request line and fields
    std::size_t target_bytes = 8 * 1024;
    std::size_t requests_in_flight = 256;
    std::chrono::seconds idle_time{75};   // between two requests of one connection
    std::chrono::seconds header_time{10}; // from the first byte of a request to the end of its header
    std::chrono::seconds body_time{30};   // for each 64 KiB of a body, either way
    std::chrono::seconds stop_time{10};   // for requests in flight when the server stops
    // Without a word from the peer of a WebSocket; after half of it the peer is pinged.
    std::chrono::milliseconds socket_idle_time{30'000};
};

} // namespace vitrine::server
