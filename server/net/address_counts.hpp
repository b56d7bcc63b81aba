#pragma once
// Counts connections by the address of the peer, so that one address cannot take all of them. IPv6 addresses
// count by their first 64 bits, which one client can have; an IPv4 address mapped to IPv6 counts as itself.
// Loopback is not limited: it is a reverse proxy or a user of this machine. Not thread-safe.

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/ip/address_v6.hpp>

namespace vitrine::server {

class AddressCounts {
public:
    explicit AddressCounts(std::size_t limit) : limit_(limit) {}

    // Counts a connection; returns false, counting nothing, if the address has `limit` already.
    bool add(const boost::asio::ip::address& address)
    {
        const auto peer = without_mapping(address);
        if (peer.is_loopback()) return true;
        auto& count = counts_[key_of(peer)];
        if (count >= limit_) return false;
        ++count;
        return true;
    }

    // A connection that add() has counted is closed.
    void remove(const boost::asio::ip::address& address)
    {
        const auto peer = without_mapping(address);
        const auto found = counts_.find(key_of(peer));
        if (peer.is_loopback() || found == counts_.end()) return;
        if (--found->second == 0) counts_.erase(found);
    }

    std::size_t addresses() const { return counts_.size(); }

private:
    using AddressKey = std::array<unsigned char, 8>;

    static boost::asio::ip::address without_mapping(const boost::asio::ip::address& address)
    {
        namespace ip = boost::asio::ip;
        if (!address.is_v6() || !address.to_v6().is_v4_mapped()) return address;
        return ip::make_address_v4(ip::v4_mapped, address.to_v6());
    }

    // The first half of an IPv6 address; an IPv4 address follows four zeros, which begin no global IPv6
    // address.
    static AddressKey key_of(const boost::asio::ip::address& address)
    {
        AddressKey key{};
        if (address.is_v4())
            std::ranges::copy(address.to_v4().to_bytes(), key.begin() + 4);
        else
            std::ranges::copy_n(address.to_v6().to_bytes().begin(), 8, key.begin());
        return key;
    }

    std::size_t limit_;
    std::map<AddressKey, std::size_t> counts_;
};

} // namespace vitrine::server
