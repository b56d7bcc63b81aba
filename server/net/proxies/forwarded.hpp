#pragma once
// What reverse proxies say about the client of a request: X-Forwarded-For, -Proto and -Host, and Forwarded
// (RFC 7239). Pure functions.

#include <optional>
#include <string>
#include <string_view>

#include "server/net/proxies/trusted_proxies.hpp"

namespace vitrine::server {

// Values of the fields; fields that are repeated are joined by ", " in their order. Empty: there is none.
struct ForwardedFields {
    std::string addresses; // X-Forwarded-For
    std::string proto;     // X-Forwarded-Proto
    std::string host;      // X-Forwarded-Host
    std::string forwarded; // Forwarded
};

struct ForwardedClient {
    PeerAddress address{};       // the peer's own if no proxy names another
    std::optional<bool> https{}; // whether the browser uses TLS; empty: no proxy says so
    std::string host{};          // that the browser has asked for, in lower case; empty: no proxy says so
};

// Returns the client: the right-most address that is not a trusted proxy, since each proxy appends the one
// that it got the request from, and what stands further left was sent by the client. A node that is no
// address ("unknown") ends the search at the proxy that has named it. X-Forwarded-For takes precedence over
// Forwarded. Without a trusted peer nothing is believed.
ForwardedClient read_forwarded(const ForwardedFields& fields, const PeerAddress& peer,
                               const TrustedProxies& proxies);

} // namespace vitrine::server
