// The claims of logout tokens.

#include "server/services/oidc/logout_token.hpp"

#include <gmock/gmock.h>

namespace vitrine::server {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;

constexpr const char* logout_event = "http://schemas.openid.net/event/backchannel-logout";
constexpr std::int64_t logout_issued_s = 1'800'000'000;

json::object logout_claims()
{
    return {{"iss", "https://id.example"},
            {"aud", "vitrine"},
            {"sub", "maya"},
            {"sid", "s-1"},
            {"jti", "t-1"},
            {"iat", logout_issued_s},
            {"exp", logout_issued_s + 120},
            {"events", json::object{{logout_event, json::object{}}}}};
}

std::string fault_of(const json::object& claims, std::int64_t time_s = logout_issued_s)
{
    return logout_claims_fault(claims, {"https://id.example", "vitrine", {}, time_s * 1'000'000});
}

std::string fault_with_claim(const char* name, json::value value)
{
    auto claims = logout_claims();
    claims[name] = std::move(value);
    return fault_of(claims);
}

std::string fault_without(std::initializer_list<const char*> names)
{
    auto claims = logout_claims();
    for (const auto* name : names)
        claims.erase(name);
    return fault_of(claims);
}

TEST(LogoutToken, NamesASubjectOrASession)
{
    EXPECT_EQ(fault_of(logout_claims()), "");
    EXPECT_EQ(fault_without({"sub"}), "");
    EXPECT_EQ(fault_without({"sid"}), "");
    EXPECT_THAT(fault_without({"sub", "sid"}), HasSubstr("(sub, sid)"));
    EXPECT_THAT(fault_with_claim("sid", 7), HasSubstr("(sub, sid)"));
    EXPECT_THAT(fault_with_claim("sub", ""), HasSubstr("(sub, sid)"));
}

TEST(LogoutToken, IsForThisClientAndNow)
{
    EXPECT_THAT(fault_with_claim("iss", "https://other.example"), HasSubstr("(iss)"));
    EXPECT_THAT(fault_with_claim("aud", "other"), HasSubstr("(aud)"));
    EXPECT_THAT(fault_with_claim("aud", json::array{"other", "vitrine"}), HasSubstr("(azp)"));
    EXPECT_THAT(fault_without({"iat"}), HasSubstr("iat"));
    EXPECT_THAT(fault_without({"exp"}), HasSubstr("exp"));
    EXPECT_THAT(fault_of(logout_claims(), logout_issued_s - clock_skew_s - 1), HasSubstr("(iat)"));
    EXPECT_THAT(fault_of(logout_claims(), logout_issued_s + 120 + clock_skew_s), HasSubstr("(exp)"));
}

TEST(LogoutToken, IsNoIdToken)
{
    EXPECT_THAT(fault_without({"events"}), HasSubstr("(events)"));
    EXPECT_THAT(fault_with_claim("events", json::array{logout_event}), HasSubstr("(events)"));
    EXPECT_THAT(fault_with_claim("events", json::object{{"other", json::object{}}}), HasSubstr("(events)"));
    EXPECT_THAT(fault_with_claim("events", json::object{{logout_event, true}}), HasSubstr("(events)"));
    EXPECT_THAT(fault_with_claim("nonce", "n-0"), HasSubstr("(nonce)"));
    EXPECT_THAT(fault_with_claim("nonce", nullptr), HasSubstr("(nonce)"));
}

TEST(LogoutToken, HasAnIdentifier)
{
    EXPECT_THAT(fault_without({"jti"}), HasSubstr("(jti)"));
    EXPECT_THAT(fault_with_claim("jti", ""), HasSubstr("(jti)"));
    const auto logout = logout_of(logout_claims());
    EXPECT_EQ(logout.issuer, "https://id.example");
    EXPECT_EQ(logout.subject, "maya");
    EXPECT_EQ(logout.sid, "s-1");
    EXPECT_EQ(logout.token_id, "t-1");
    EXPECT_EQ(logout.expires, (logout_issued_s + 120 + clock_skew_s) * 1'000'000)
        << "as long as it is accepted";
}

} // namespace
} // namespace vitrine::server
