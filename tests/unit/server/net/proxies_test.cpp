// Who the client is, as trusted proxies say.

#include <gtest/gtest.h>

#include "server/net/proxies/forwarded.hpp"

namespace vitrine::server {
namespace {

PeerAddress at(const char* address)
{
    return boost::asio::ip::make_address(address);
}

TrustedProxies trusted(const std::vector<std::string>& words)
{
    return TrustedProxies::parse(words).value();
}

std::string client_of(const ForwardedFields& fields, const char* peer = "10.0.0.1",
                      const std::vector<std::string>& proxies = {"10.0.0.0/8", "fd00::/8"})
{
    const auto client = read_forwarded(fields, at(peer), trusted(proxies)).address;
    return std::get<boost::asio::ip::address>(client).to_string();
}

} // namespace

TEST(TrustedProxies, AreAddressesAndNetworks)
{
    const auto proxies = trusted({"192.0.2.7", "10.0.0.0/8", "198.51.100.128/25", "fd00::/8", "2001:db8::7"});
    for (const char* in : {"192.0.2.7", "10.255.0.1", "198.51.100.128", "198.51.100.255", "fd12::1",
                           "2001:db8::7", "::ffff:10.1.2.3"})
        EXPECT_TRUE(proxies.contains(at(in))) << in;
    for (const char* out :
         {"192.0.2.8", "11.0.0.1", "198.51.100.127", "fe00::1", "2001:db8::8", "::1", "127.0.0.1"})
        EXPECT_FALSE(proxies.contains(at(out))) << out;
    EXPECT_FALSE(proxies.contains(UnixCredentials{})) << "not named";
    EXPECT_FALSE(proxies.contains(PeerAddress{}));
    EXPECT_FALSE(TrustedProxies().contains(at("127.0.0.1")));
}

TEST(TrustedProxies, HaveWordsForThisMachine)
{
    const auto local = trusted({"loopback"});
    EXPECT_TRUE(local.contains(at("127.9.9.9")));
    EXPECT_TRUE(local.contains(at("::1")));
    EXPECT_FALSE(local.contains(UnixCredentials{}));
    EXPECT_TRUE(trusted({"unix"}).contains(UnixCredentials{}));
    EXPECT_TRUE(trusted({"0.0.0.0/0"}).contains(at("203.0.113.1")));
    EXPECT_FALSE(trusted({"0.0.0.0/0"}).contains(at("2001:db8::1")));
}

TEST(TrustedProxies, RejectOtherWords)
{
    for (const char* wrong : {"", "true", "proxy.example", "10.0.0.0/33", "10.0.0.0/", "10.0.0/8",
                              "fd00::/129", "fe80::1%lo", "10.0.0.0/-1", "/8"}) {
        const auto parsed = TrustedProxies::parse({wrong});
        ASSERT_FALSE(parsed) << wrong;
        EXPECT_TRUE(parsed.error().starts_with("--trusted-proxy must be")) << parsed.error();
    }
}

TEST(Forwarded, ClientIsTheRightmostThatIsNoProxy)
{
    EXPECT_EQ(client_of({.addresses = "203.0.113.9"}), "203.0.113.9");
    EXPECT_EQ(client_of({.addresses = "198.51.100.1, 203.0.113.9"}), "203.0.113.9")
        << "what the client has sent stands on the left";
    EXPECT_EQ(client_of({.addresses = "198.51.100.1, 203.0.113.9, 10.0.0.2,fd00::2"}), "203.0.113.9");
    EXPECT_EQ(client_of({.addresses = "10.0.0.3, 10.0.0.2"}), "10.0.0.3") << "all are proxies";
    EXPECT_EQ(client_of({.addresses = ""}), "10.0.0.1");
    EXPECT_EQ(client_of({.addresses = "203.0.113.9:4711"}), "203.0.113.9");
    EXPECT_EQ(client_of({.addresses = "2001:db8::9"}), "2001:db8::9");
    EXPECT_EQ(client_of({.addresses = "[2001:db8::9]:80"}), "2001:db8::9");
}

TEST(Forwarded, IsNotBelievedFromOthers)
{
    const ForwardedFields fields{.addresses = "203.0.113.9",
                                 .proto = "https",
                                 .host = "models.example",
                                 .forwarded = "for=203.0.113.9"};
    const auto client = read_forwarded(fields, at("192.0.2.1"), trusted({"10.0.0.0/8"}));
    EXPECT_EQ(client.address, at("192.0.2.1"));
    EXPECT_FALSE(client.https);
    EXPECT_TRUE(client.host.empty());
}

TEST(Forwarded, NodeThatIsNoAddressEndsTheSearch)
{
    EXPECT_EQ(client_of({.addresses = "203.0.113.9, unknown"}), "10.0.0.1");
    EXPECT_EQ(client_of({.addresses = "203.0.113.9, unknown, 10.0.0.2"}), "10.0.0.2");
    EXPECT_EQ(client_of({.addresses = "203.0.113.9, [10.0.0.2]"}), "10.0.0.1");
    EXPECT_EQ(client_of({.forwarded = "for=203.0.113.9, for=_hidden"}), "10.0.0.1");
    EXPECT_EQ(client_of({.forwarded = "for=203.0.113.9, proto=https"}), "10.0.0.1")
        << "an element without for";
}

TEST(Forwarded, FieldOfRfc7239)
{
    const auto client = read_forwarded(
        {.forwarded = "for=198.51.100.1;proto=http;host=evil.example, For=\"[2001:db8::9]:4711\";Proto=HTTPS;"
                      "host=\"Models.Example:443\";by=10.0.0.2, for=10.0.0.2"},
        at("10.0.0.1"), trusted({"10.0.0.0/8"}));
    EXPECT_EQ(client.address, at("2001:db8::9"));
    EXPECT_EQ(client.https, true);
    EXPECT_EQ(client.host, "models.example:443");
    EXPECT_EQ(client_of({.addresses = "203.0.113.9", .forwarded = "for=198.51.100.1"}), "203.0.113.9");
    EXPECT_EQ(client_of({.forwarded = "for=\"a, for=198.51.100.1"}), "10.0.0.1") << "a comma in quotes";
    EXPECT_EQ(client_of({.forwarded = R"(for="203.0.113.\9")"}), "203.0.113.9");
}

TEST(Forwarded, ProtoIsOfTheFirstProxy)
{
    const auto https = [](const char* proto) {
        return read_forwarded({.proto = proto}, at("10.0.0.1"), trusted({"10.0.0.0/8"})).https;
    };
    EXPECT_EQ(https("https"), true);
    EXPECT_EQ(https("HTTPS, http"), true);
    EXPECT_EQ(https("http"), false);
    EXPECT_EQ(https(""), std::nullopt);
    EXPECT_EQ(https("httpsx"), false);
}

} // namespace vitrine::server
