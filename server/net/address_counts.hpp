#pragma once
// Counts connections by the address of the peer, so that one address cannot take all of them. IPv6 addresses
// count by their first 64 bits, which one client can have; an IPv4 address mapped to IPv6 counts as itself.
// Loopback is not limited: it is a reverse proxy or a user of this machine. Not thread-safe.

#include <array>
#include <cstddef>
#include <map>

#include <boost/asio/ip/address.hpp>

namespace vitrine::server {

class AddressCounts {
public:
    explicit AddressCounts(std::size_t limit) : limit_(limit) {}

    // Counts a connection; returns false, counting nothing, if the address has `limit` already.
    bool add(const boost::asio::ip::address& address);
    // A connection that add() has counted is closed.
    void remove(const boost::asio::ip::address& address);
    std::size_t addresses() const { return counts_.size(); }

private:
    std::size_t limit_;
    std::map<std::array<unsigned char, 8>, std::size_t> counts_;
};

} // namespace vitrine::server
