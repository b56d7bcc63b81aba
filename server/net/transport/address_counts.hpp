#pragma once
// Counts connections by the address of the peer, so that one address cannot take all of them. IPv6 addresses
// count by their first 64 bits, which one client can have; an IPv4 address mapped to IPv6 counts as itself;
// peers of a Unix socket count by their user. Loopback and Unix sockets are not limited: they are a reverse
// proxy or users of this machine. Not thread-safe.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <map>

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/ip/address_v6.hpp>

#include "server/net/transport/peer.hpp"

namespace vitrine::server {

class AddressCounts {
public:
    explicit AddressCounts(std::size_t limit) : limit_(limit) {}

    // Counts a connection; returns false, counting nothing, if the address has `limit` already.
    bool add(const PeerAddress& address)
    {
        const auto peer = without_mapping(address);
        if (is_local(peer)) return true;
        auto& count = counts_[key_of(peer)];
        if (count >= limit_) return false;
        ++count;
        return true;
    }

    // A connection that add() has counted is closed.
    void remove(const PeerAddress& address)
    {
        const auto peer = without_mapping(address);
        const auto found = counts_.find(key_of(peer));
        if (is_local(peer) || found == counts_.end()) return;
        if (--found->second == 0) counts_.erase(found);
    }

    std::size_t addresses() const { return counts_.size(); }

    // Equal for addresses that count as one.
    using AddressKey = std::array<unsigned char, 8>;
    static AddressKey key_for(const PeerAddress& address) { return key_of(without_mapping(address)); }

private:
    using IpAddress = boost::asio::ip::address;

    static PeerAddress without_mapping(const PeerAddress& address)
    {
        namespace ip = boost::asio::ip;
        const auto* known = std::get_if<IpAddress>(&address);
        if (known == nullptr || !known->is_v6() || !known->to_v6().is_v4_mapped()) return address;
        return IpAddress(ip::make_address_v4(ip::v4_mapped, known->to_v6()));
    }

    static bool is_local(const PeerAddress& address)
    {
        if (std::holds_alternative<UnixCredentials>(address)) return true;
        const auto* known = std::get_if<IpAddress>(&address);
        return known != nullptr && known->is_loopback();
    }

    // The first half of an IPv6 address. An IPv4 address follows four zeros, which begin no global IPv6
    // address; a user id follows four bytes that would begin a multicast address.
    static AddressKey key_of(const PeerAddress& address)
    {
        AddressKey key{};
        if (const auto* process = std::get_if<UnixCredentials>(&address)) {
            key.fill(0xff);
            std::memcpy(&key[4], &process->uid, sizeof(process->uid));
        } else if (const auto* known = std::get_if<IpAddress>(&address); known && known->is_v4()) {
            std::ranges::copy(known->to_v4().to_bytes(), key.begin() + 4);
        } else if (known) {
            std::ranges::copy_n(known->to_v6().to_bytes().begin(), 8, key.begin());
        }
        return key;
    }

    std::size_t limit_;
    std::map<AddressKey, std::size_t> counts_;
};

// Of the address that most of `ids` have, the first one. `ids` is not empty; `address_of` returns the address
// of one of them.
template <class Ids, class AddressOf>
auto oldest_of_most_frequent(const Ids& ids, AddressOf address_of)
{
    struct Group {
        std::size_t size = 0;
        typename Ids::value_type first{};
    };
    std::map<AddressCounts::AddressKey, Group> groups;
    for (const auto& id : ids)
        if (auto& group = groups[AddressCounts::key_for(address_of(id))]; group.size++ == 0) group.first = id;
    const auto before = [](const auto& a, const auto& b) { // of equally frequent ones, the oldest is greater
        return a.second.size != b.second.size ? a.second.size < b.second.size
                                              : a.second.first > b.second.first;
    };
    return std::ranges::max_element(groups, before)->second.first;
}

} // namespace vitrine::server
