// Which addresses and URLs webhooks may have.

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <span>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>

#include "server/services/webhooks/webhook_transport.hpp"
#include "server/util/curl_library.hpp"

namespace vitrine::server {
namespace {

struct Network {
    std::array<unsigned char, 16> prefix{};
    unsigned bits = 0;
};

// IANA's special-purpose addresses that are not reached globally, multicast, and what is reserved.
constexpr std::array<Network, 16> private_v4{{{{0}, 8},
                                              {{10}, 8},
                                              {{100, 64}, 10},
                                              {{127}, 8},
                                              {{169, 254}, 16},
                                              {{172, 16}, 12},
                                              {{192, 0, 0}, 24},
                                              {{192, 0, 2}, 24},
                                              {{192, 88, 99}, 24},
                                              {{192, 168}, 16},
                                              {{198, 18}, 15},
                                              {{198, 51, 100}, 24},
                                              {{203, 0, 113}, 24},
                                              {{224}, 4},
                                              {{240}, 4},
                                              {{168, 63, 129, 16}, 32}}}; // services of Azure
constexpr Network global_v6{{0x20}, 3};
// Of the global ones: protocols such as Teredo, documentation, and IPv4 addresses by 6to4.
constexpr std::array<Network, 4> private_v6{
    {{{0x20, 0x01, 0}, 23}, {{0x20, 0x01, 0x0d, 0xb8}, 32}, {{0x20, 0x02}, 16}, {{0x3f, 0xff}, 20}}};
constexpr Network mapped_v4{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}, 96};

bool is_in(std::span<const unsigned char> address, const Network& network)
{
    for (unsigned bit = 0; bit < network.bits; ++bit) {
        const unsigned mask = 0x80u >> bit % 8;
        if ((address[bit / 8] & mask) != (network.prefix[bit / 8] & mask)) return false;
    }
    return true;
}

bool is_in_any(std::span<const unsigned char> address, std::span<const Network> networks)
{
    return std::ranges::any_of(networks, [&](const Network& network) { return is_in(address, network); });
}

bool is_public_v4(std::span<const unsigned char> address)
{
    return !is_in_any(address, private_v4);
}

bool is_public_v6(std::span<const unsigned char> address)
{
    if (is_in(address, mapped_v4)) return is_public_v4(address.subspan(12));
    return is_in(address, global_v6) && !is_in_any(address, private_v6);
}

// Whether the host is an address, and none of the public Internet.
bool is_private_literal(std::string host)
{
    if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
    host = host.substr(0, host.find('%')); // zone of a link
    std::array<unsigned char, 16> bytes{};
    if (::inet_pton(AF_INET, host.c_str(), bytes.data()) == 1) return !is_public_v4(bytes);
    return ::inet_pton(AF_INET6, host.c_str(), bytes.data()) == 1 && !is_public_v6(bytes);
}

std::string part_of(CURLU* url, CURLUPart part)
{
    const auto& lib = curl_library();
    char* text = nullptr;
    if (lib.url_get(url, part, &text, 0) != CURLUE_OK) return {};
    const std::unique_ptr<char, decltype(lib.free)> owner(text, lib.free);
    return text;
}

} // namespace

bool is_public_address(const sockaddr& address)
{
    if (address.sa_family == AF_INET) {
        sockaddr_in known{};
        std::memcpy(&known, &address, sizeof(known));
        std::array<unsigned char, 4> bytes{};
        std::memcpy(bytes.data(), &known.sin_addr, bytes.size());
        return is_public_v4(bytes);
    }
    if (address.sa_family != AF_INET6) return false;
    sockaddr_in6 known{};
    std::memcpy(&known, &address, sizeof(known));
    std::array<unsigned char, 16> bytes{};
    std::memcpy(bytes.data(), &known.sin6_addr, bytes.size());
    return is_public_v6(bytes);
}

std::string url_fault(const std::string& url, bool allow_private)
{
    const auto& lib = curl_library();
    const std::unique_ptr<CURLU, decltype(lib.url_cleanup)> parsed(lib.url(), lib.url_cleanup);
    const bool is_plain = std::ranges::all_of(url, [](char c) { return c > ' ' && c < '\x7f'; });
    if (url.size() > max_webhook_url || !is_plain ||
        lib.url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK)
        return fmt::format("must be an absolute URL of at most {} ASCII characters", max_webhook_url);
    const auto scheme = part_of(parsed.get(), CURLUPART_SCHEME);
    if (scheme != "https" && scheme != "http") return "must begin with https:// or http://";
    if (!part_of(parsed.get(), CURLUPART_USER).empty() || !part_of(parsed.get(), CURLUPART_PASSWORD).empty())
        return "must not have a user or password";
    if (!part_of(parsed.get(), CURLUPART_FRAGMENT).empty()) return "must not have a fragment";
    if (!allow_private && is_private_literal(part_of(parsed.get(), CURLUPART_HOST)))
        return "must not be an address of this machine or of a private network";
    return {};
}

} // namespace vitrine::server
