#include "server/net/address_counts.hpp"

#include <algorithm>

#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/ip/address_v6.hpp>

namespace vitrine::server {
namespace {

namespace ip = boost::asio::ip;

ip::address without_mapping(const ip::address& address)
{
    if (address.is_v6() && address.to_v6().is_v4_mapped())
        return ip::make_address_v4(ip::v4_mapped, address.to_v6());
    return address;
}

// The first half of an IPv6 address; an IPv4 address follows four zeros, which begin no global IPv6 address.
std::array<unsigned char, 8> key_of(const ip::address& address)
{
    std::array<unsigned char, 8> key{};
    if (address.is_v4())
        std::ranges::copy(address.to_v4().to_bytes(), key.begin() + 4);
    else
        std::ranges::copy_n(address.to_v6().to_bytes().begin(), 8, key.begin());
    return key;
}

} // namespace

bool AddressCounts::add(const ip::address& address)
{
    const auto peer = without_mapping(address);
    if (peer.is_loopback()) return true;
    auto& count = counts_[key_of(peer)];
    if (count >= limit_) return false;
    ++count;
    return true;
}

void AddressCounts::remove(const ip::address& address)
{
    const auto peer = without_mapping(address);
    const auto found = counts_.find(key_of(peer));
    if (peer.is_loopback() || found == counts_.end()) return;
    if (--found->second == 0) counts_.erase(found);
}

} // namespace vitrine::server
