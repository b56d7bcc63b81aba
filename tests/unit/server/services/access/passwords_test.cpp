// Hashes of passwords, and delays after wrong ones.

#include <gtest/gtest.h>

#include "server/access/password.hpp"
#include "server/services/access/sign_in_throttle.hpp"

namespace vitrine::server::testing {
namespace {

constexpr PasswordCost cheap{.log_n = 4, .r = 1, .p = 1};
constexpr Micros sec = 1'000'000;

TEST(Passwords, MatchTheirHash)
{
    const auto stored = hash_password("correct horse", cheap);
    EXPECT_TRUE(matches_password("correct horse", stored));
    EXPECT_FALSE(matches_password("correct horsf", stored, cheap));
    EXPECT_FALSE(matches_password("", stored, cheap));
    EXPECT_NE(hash_password("correct horse", cheap), stored) << "salted";
    EXPECT_TRUE(hash_password("correct horse").starts_with("$scrypt$ln=15,r=8,p=3$"));
}

// Computed by Python's hashlib.scrypt with the salt 0123456789abcdef.
TEST(Passwords, HashIsThatOfScrypt)
{
    EXPECT_TRUE(matches_password(
        "pleaseletmein",
        "$scrypt$ln=14,r=8,p=1$MDEyMzQ1Njc4OWFiY2RlZg==$wOBlTLx2kTvDnlM7GeRqLPJSaL8dgO6Mbiarn6WFHEI="));
}

TEST(Passwords, NothingMatchesWhatIsNoHash)
{
    const auto stored = hash_password("correct horse", cheap);
    for (const auto& wrong :
         {std::string(), std::string("correct horse"), stored.substr(0, stored.size() - 1), stored + "A",
          "x" + stored, std::string("$scrypt$ln=40,r=8,p=1$AAAA$AAAA"), std::string("$scrypt$ln=0,r=1,p=1$$"),
          std::string("$scrypt$ln=4"), std::string("$scrypt$ln=4,r=1,p=1$")})
        EXPECT_FALSE(matches_password("correct horse", wrong, cheap)) << wrong;
}

TEST(Passwords, HaveALength)
{
    EXPECT_EQ(password_fault("12345678"), "");
    EXPECT_NE(password_fault("1234567"), "");
    EXPECT_EQ(password_fault(std::string(256, 'x')), "");
    EXPECT_NE(password_fault(std::string(257, 'x')), "");
    EXPECT_NE(password_fault(std::string("1234567\0", 8)), "");
    EXPECT_NE(password_fault("\xff\xff\xff\xff\xff\xff\xff\xff"), "");
}

TEST(SignInThrottle, DelaysDoubleAndAreForgotten)
{
    SignInThrottle throttle;
    Micros time = 1000 * sec;
    for (int i = 0; i < 5; ++i)
        EXPECT_EQ(throttle.begin("maya", "192.0.2.1", time), 0u);
    EXPECT_EQ(throttle.begin("maya", "192.0.2.1", time), 1u);
    EXPECT_EQ(throttle.begin("MAYA", "192.0.2.1", time + sec / 2), 1u);
    EXPECT_EQ(throttle.begin("maya", "192.0.2.1", time += sec), 0u);
    EXPECT_EQ(throttle.begin("maya", "192.0.2.1", time), 2u);
    EXPECT_EQ(throttle.begin("maya", "192.0.2.1", time += 2 * sec), 0u);
    EXPECT_EQ(throttle.begin("maya", "192.0.2.1", time), 4u);
    EXPECT_EQ(throttle.begin("other", "192.0.2.1", time), 0u);
    EXPECT_EQ(throttle.begin("maya", "192.0.2.2", time), 0u);
    for (int i = 0; i < 20; ++i)
        time += static_cast<Micros>(throttle.begin("maya", "192.0.2.1", time)) * sec;
    EXPECT_LE(throttle.begin("maya", "192.0.2.1", time), 900u);
    EXPECT_EQ(throttle.begin("maya", "192.0.2.1", time + 3601 * sec), 0u);
}

TEST(SignInThrottle, SuccessEndsTheDelays)
{
    SignInThrottle throttle;
    for (int i = 0; i < 5; ++i)
        EXPECT_EQ(throttle.begin("maya", "a", sec), 0u);
    throttle.succeed("maya", "a");
    for (int i = 0; i < 5; ++i)
        EXPECT_EQ(throttle.begin("maya", "a", sec), 0u);
    EXPECT_EQ(throttle.begin("maya", "a", sec), 1u);
}

TEST(SignInThrottle, ManyNamesOfOneAddressAreSlowed)
{
    SignInThrottle throttle;
    for (int i = 0; i < 20; ++i)
        EXPECT_EQ(throttle.begin("user" + std::to_string(i), "2001:db8:1:2:3::" + std::to_string(i), sec),
                  0u);
    EXPECT_EQ(throttle.begin("another", "2001:db8:1:2::9", sec), 1u) << "the same network";
    EXPECT_EQ(throttle.begin("another", "2001:db8:1:3::9", sec), 0u);
    EXPECT_EQ(throttle.begin("another", "unix:1000", sec), 0u);
}

// A socket of both families shows IPv4 addresses in IPv6 form.
TEST(SignInThrottle, MappedAddressesAreThoseOfIpv4)
{
    SignInThrottle throttle;
    for (int i = 0; i < 5; ++i)
        EXPECT_EQ(throttle.begin("maya", "::ffff:192.0.2.1", sec), 0u);
    EXPECT_EQ(throttle.begin("maya", "192.0.2.1", sec), 1u);
    EXPECT_EQ(throttle.begin("maya", "::ffff:192.0.2.2", sec), 0u);
}

// A user is never kept out for long by others.
TEST(SignInThrottle, OneNameOfManyAddressesIsSlowedLittle)
{
    SignInThrottle throttle;
    for (int i = 0; i < 100; ++i)
        EXPECT_EQ(throttle.begin("maya", "10.0.0." + std::to_string(i), sec), 0u);
    Micros time = sec;
    for (int i = 100; i < 150; ++i) {
        const auto wait = throttle.begin("maya", "10.0.0." + std::to_string(i), time);
        EXPECT_LE(wait, 5u);
        time += static_cast<Micros>(wait) * sec;
    }
}

TEST(SignInThrottle, MemoryIsLimited)
{
    SignInThrottle throttle(300);
    for (int i = 0; i < 5; ++i)
        throttle.begin("maya", "a", 10'000 * sec);
    for (int i = 0; i < 1000; ++i)
        throttle.begin("name" + std::to_string(i), "address" + std::to_string(i), (9'000 + i / 10) * sec);
    EXPECT_EQ(throttle.begin("maya", "a", 10'000 * sec), 1u) << "those that failed longest ago are forgotten";
}

} // namespace
} // namespace vitrine::server::testing
