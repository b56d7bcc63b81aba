#include "server/net/proxies/trusted_proxies.hpp"

#include <algorithm>

#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/ip/address_v6.hpp>

#include "loaders/base/parse_whole.hpp"

namespace vitrine::server {
namespace {

namespace ip = boost::asio::ip;

constexpr unsigned mapped_bits = 96; // before an IPv4 address in IPv6

std::array<unsigned char, 16> bytes_as_v6(const ip::address& address)
{
    return (address.is_v4() ? ip::make_address_v6(ip::v4_mapped, address.to_v4()) : address.to_v6())
        .to_bytes();
}

bool have_equal_bits(const std::array<unsigned char, 16>& a, const std::array<unsigned char, 16>& b,
                     unsigned bits)
{
    const auto whole = bits / 8;
    if (!std::equal(a.begin(), a.begin() + whole, b.begin())) return false;
    const auto rest = bits % 8;
    return rest == 0 || ((a[whole] ^ b[whole]) >> (8 - rest)) == 0;
}

} // namespace

std::optional<TrustedProxies::Network> TrustedProxies::parse_network(std::string_view word)
{
    const auto slash = word.find('/');
    boost::system::error_code error;
    const auto address = ip::make_address(std::string(word.substr(0, slash)), error);
    if (error || (address.is_v6() && address.to_v6().scope_id() != 0)) return std::nullopt;
    const unsigned most = address.is_v4() ? 32 : 128;
    const auto bits = slash == word.npos ? most : parse_whole<unsigned>(word.substr(slash + 1));
    if (!bits || *bits > most) return std::nullopt;
    return Network{bytes_as_v6(address), *bits + (address.is_v4() ? mapped_bits : 0)};
}

std::expected<TrustedProxies, std::string> TrustedProxies::parse(const std::vector<std::string>& words)
{
    TrustedProxies proxies;
    for (const auto& word : words) {
        if (word == "unix") {
            proxies.unix_ = true;
            continue;
        }
        if (word == "loopback") {
            proxies.networks_.push_back(*parse_network("127.0.0.0/8"));
            proxies.networks_.push_back(*parse_network("::1"));
            continue;
        }
        const auto network = parse_network(word);
        if (!network)
            return std::unexpected("--trusted-proxy must be an address, a network such as 10.0.0.0/8, "
                                   "loopback or unix, not " +
                                   word);
        proxies.networks_.push_back(*network);
    }
    return proxies;
}

bool TrustedProxies::contains(const PeerAddress& peer) const
{
    if (std::holds_alternative<UnixCredentials>(peer)) return unix_;
    const auto* address = std::get_if<ip::address>(&peer);
    if (address == nullptr || networks_.empty()) return false;
    const auto bytes = bytes_as_v6(*address);
    return std::ranges::any_of(networks_, [&](const Network& network) {
        return have_equal_bits(bytes, network.address, network.bits);
    });
}

} // namespace vitrine::server
