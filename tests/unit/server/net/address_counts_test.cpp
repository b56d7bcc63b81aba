#include "server/net/transport/address_counts.hpp"

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

TEST(AddressCounts, TakeTheProcessesOfAUserAsOneAddress)
{
    AddressCounts counts(1);
    EXPECT_TRUE(counts.add(UnixCredentials{.pid = 1, .uid = 1000, .gid = 5}));
    EXPECT_FALSE(counts.add(UnixCredentials{.pid = 2, .uid = 1000, .gid = 6}));
    EXPECT_TRUE(counts.add(UnixCredentials{.pid = 3, .uid = 1001, .gid = 5}));
    counts.remove(UnixCredentials{.pid = 1, .uid = 1000, .gid = 5});
    EXPECT_TRUE(counts.add(UnixCredentials{.pid = 2, .uid = 1000, .gid = 6}));
    EXPECT_EQ(counts.addresses(), 2u);
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
