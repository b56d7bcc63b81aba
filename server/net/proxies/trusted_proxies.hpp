#pragma once
// The reverse proxies that are believed when they say who has sent a request. Immutable; any thread.

#include <array>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/net/transport/peer.hpp"

namespace vitrine::server {

class TrustedProxies {
public:
    TrustedProxies() = default; // none
    // Each word is an address ("192.0.2.7", "fd00::7"), a network ("10.0.0.0/8", "fd00::/8"), "loopback"
    // (127.0.0.0/8 and ::1) or "unix" (whoever may connect to the Unix sockets). The error is one sentence.
    static std::expected<TrustedProxies, std::string> parse(const std::vector<std::string>& words);

    // An IPv4 address mapped to IPv6 counts as itself.
    bool contains(const PeerAddress& peer) const;

private:
    using Bytes = std::array<unsigned char, 16>; // IPv6; IPv4 is mapped to it
    struct Network {
        Bytes address{};
        unsigned bits = 128; // the first ones of `address`, which all members have
    };
    static std::optional<Network> parse_network(std::string_view word);

    std::vector<Network> networks_;
    bool unix_ = false;
};

} // namespace vitrine::server
