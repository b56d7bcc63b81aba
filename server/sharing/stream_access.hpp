#pragma once
// Ends event streams and WebSockets of those who may not receive them any more: their token, session, share
// link or user was removed or has expired, or has another role. Used on the strand of the connection.

#include <chrono>
#include <functional>

#include "server/net/http.hpp"

namespace vitrine::server {

class Guard; // server/net/request_guard.hpp

// Whether who has opened the stream may still have it. Must not wait. Empty: always.
using StreamAccess = std::function<bool()>;

// Asks the guard, which outlives the stream, who sends what the request has sent. Who reads by grants only
// has access while these are the same.
StreamAccess stream_access_of(const Guard& guard, const Request& request, const RouteRules& route);

inline constexpr std::chrono::milliseconds stream_access_interval{1000};
inline constexpr std::uint16_t access_ended_close = 1008; // code of a WebSocket that ends so

// If the body is a stream, asks `access` at each interval while it is read, and ends it at the first false:
// an event stream ends, a WebSocket is closed with `access_ended_close`.
void limit_stream(Response& response, StreamAccess access,
                  std::chrono::milliseconds interval = stream_access_interval);

} // namespace vitrine::server
