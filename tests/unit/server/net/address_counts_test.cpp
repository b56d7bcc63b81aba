#include "server/net/transport/address_counts.hpp"

#include <map>
#include <ranges>
#include <set>

#include <gtest/gtest.h>

namespace vitrine::server {
namespace {

boost::asio::ip::address address(const char* text)
{
    return boost::asio::ip::make_address(text);
}

TEST(AddressCounts, LimitEachAddress)
{
    AddressCounts counts(2);
    EXPECT_TRUE(counts.add(address("192.0.2.1")));
    EXPECT_TRUE(counts.add(address("192.0.2.1")));
    EXPECT_FALSE(counts.add(address("192.0.2.1")));
    EXPECT_TRUE(counts.add(address("192.0.2.2"))) << "another address";
    counts.remove(address("192.0.2.1"));
    EXPECT_TRUE(counts.add(address("192.0.2.1"))) << "one is closed";
    EXPECT_FALSE(counts.add(address("192.0.2.1")));
}

TEST(AddressCounts, TakeANetworkOfIpv6AsOneAddress)
{
    AddressCounts counts(1);
    EXPECT_TRUE(counts.add(address("2001:db8:0:1::1")));
    EXPECT_FALSE(counts.add(address("2001:db8:0:1:ffff::2")));
    EXPECT_TRUE(counts.add(address("2001:db8:0:2::1")));
    EXPECT_TRUE(counts.add(address("192.0.2.1")));
    EXPECT_FALSE(counts.add(address("::ffff:192.0.2.1"))) << "the same, mapped";
}

TEST(AddressCounts, DoNotLimitLoopback)
{
    AddressCounts counts(1);
    for (const char* text : {"127.0.0.1", "127.0.0.1", "127.8.8.8", "::1", "::1", "::ffff:127.0.0.1"})
        EXPECT_TRUE(counts.add(address(text))) << text;
    counts.remove(address("127.0.0.1"));
    EXPECT_EQ(counts.addresses(), 0u);
}

TEST(AddressCounts, DoNotLimitUnixSockets)
{
    AddressCounts counts(1);
    const UnixCredentials proxy{.pid = 1, .uid = 1000, .gid = 5};
    for (int i = 0; i < 3; ++i)
        EXPECT_TRUE(counts.add(proxy));
    counts.remove(proxy);
    EXPECT_EQ(counts.addresses(), 0u);
}

TEST(AddressCounts, MostFrequentAddressIsDisplacedFirst)
{
    const auto displaced = [](const std::map<int, PeerAddress>& pending) {
        const auto ids = std::views::keys(pending);
        return oldest_of_most_frequent(std::set<int>(ids.begin(), ids.end()),
                                       [&](int id) { return pending.at(id); });
    };
    const PeerAddress one = address("192.0.2.1"), other = address("192.0.2.2");
    EXPECT_EQ(displaced({{1, one}, {2, other}, {3, other}}), 2) << "not the oldest of all";
    EXPECT_EQ(displaced({{1, other}, {2, one}, {3, address("::ffff:192.0.2.1")}}), 2) << "the same, mapped";
    EXPECT_EQ(displaced({{4, other}, {5, one}}), 4) << "equally frequent";
    EXPECT_EQ(displaced({{1, other},
                         {2, UnixCredentials{.pid = 1, .uid = 9, .gid = 5}},
                         {3, UnixCredentials{.pid = 2, .uid = 9, .gid = 5}}}),
              2)
        << "processes of one user";
}

TEST(AddressCounts, ForgetAddressesWithoutConnections)
{
    AddressCounts counts(9);
    for (int i = 0; i < 3; ++i)
        EXPECT_TRUE(counts.add(address("192.0.2.1")));
    EXPECT_EQ(counts.addresses(), 1u);
    for (int i = 0; i < 3; ++i)
        counts.remove(address("192.0.2.1"));
    EXPECT_EQ(counts.addresses(), 0u);
}

} // namespace
} // namespace vitrine::server
