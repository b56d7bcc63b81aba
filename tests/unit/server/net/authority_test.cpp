// The field Host and absolute request targets.

#include "server/net/authority.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace vitrine::server {

TEST(Authority, NamesAndAddressesWithAndWithoutPort)
{
    for (const auto& text : std::vector<std::string>{
             "localhost", "localhost:8080", "a.example.org", "A-b_c.example:", "127.0.0.1:1", "[::1]",
             "[::1]:65535", "[2001:db8::7]:80", "xn--bcher-kva.example", std::string(255, 'a')})
        EXPECT_TRUE(is_authority(text)) << text;
}

TEST(Authority, OtherTextIsRejected)
{
    for (const auto& text : std::vector<std::string>{"",
                                                     ":80",
                                                     "a b",
                                                     "a,b",
                                                     "a/b",
                                                     "user@host",
                                                     "host:80:81",
                                                     "host:65536",
                                                     "host:-1",
                                                     "host:+1",
                                                     "host:8o",
                                                     "host:000080",
                                                     "[::1",
                                                     "[]",
                                                     "[::1]80",
                                                     "[::1%25eth0]",
                                                     "[127.0.0.1]",
                                                     "::1",
                                                     "a\tb",
                                                     "b\xc3\xbc"
                                                     "cher",
                                                     "a?b",
                                                     "a#b",
                                                     "%61",
                                                     std::string(256, 'a')})
        EXPECT_FALSE(is_authority(text)) << text;
}

TEST(Authority, AbsoluteTargetsAreSplit)
{
    const auto split = [](std::string_view target) {
        const auto parts = split_absolute(target);
        return parts ? std::string(parts->authority) + "|" + std::string(parts->rest) : "none";
    };
    EXPECT_EQ(split("http://localhost:80/v1/assets?q=a/b"), "localhost:80|/v1/assets?q=a/b");
    EXPECT_EQ(split("HTTPS://example.org"), "example.org|");
    EXPECT_EQ(split("http://example.org?q=1"), "example.org|?q=1");
    EXPECT_EQ(split("http:///path"), "|/path");
    EXPECT_EQ(split("/http://localhost/"), "none");
    EXPECT_EQ(split("ftp://localhost/"), "none");
    EXPECT_EQ(split("localhost:80"), "none");
    EXPECT_EQ(split("http:/"), "none");
    EXPECT_EQ(split(""), "none");
}

} // namespace vitrine::server
