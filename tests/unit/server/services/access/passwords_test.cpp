// Hashes of passwords.

#include <gtest/gtest.h>

#include "server/access/password.hpp"

namespace vitrine::server::testing {
namespace {

constexpr PasswordCost cheap{.log_n = 4, .r = 1, .p = 1};

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

} // namespace
} // namespace vitrine::server::testing
