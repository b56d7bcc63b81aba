// ID tokens, their signatures and their claims.

#include "server/services/oidc/id_token.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

#include "server/services/oidc/json_web_key.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Made by Node's crypto. Keys of the set: r (RSA), e (P-256), small (RSA of 1024 bits), one for a shared
// secret, and one for encryption. The HS256 token has the PEM text of r as its secret.
constexpr const char* rs256_token =
    "eyJhbGciOiJSUzI1NiIsImtpZCI6InIifQ.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUiLCJhdWQiOiJ2aXRyaW5lIiwic3ViI"
    "joibWF5YSIsIm5vbmNlIjoibi0wIiwiaWF0IjoxODAwMDAwMDAwLCJleHAiOjE4MDAwMDAzMDB9.xkaiETu1X3le8FETkA04rlSq"
    "6wtf1yGHemlBO0oo09a9ButP6er5zNp4nCqYZQJtMLPip3l8DlwwFpTKtBMSTHCDSySFbdr1zaHitdAYe8a-BouH3-UcXPLThb3j"
    "GsMwBgD4eGSl1OAmBAJjSvIJH06XOgM07eEAHFSj6fowZ-VpRrD4au3pwznfKcx7_9OQxEvt7sT0Y2dTNd1Jo1vFchkwDbUYpxBo"
    "8pHfLFA2witKIl155tSWWVQw2YPQtqTB3fyV3jKKIdAXT_83AuYbcWq6xV7_IXPJKPF28sTmo2YsbEkUywDrPyFpCJ0l9ym8TMQr"
    "-XAYTTClXOjEV7MUXA";
constexpr const char* ps256_token =
    "eyJhbGciOiJQUzI1NiIsImtpZCI6InIifQ.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUiLCJhdWQiOiJ2aXRyaW5lIiwic3ViI"
    "joibWF5YSIsIm5vbmNlIjoibi0wIiwiaWF0IjoxODAwMDAwMDAwLCJleHAiOjE4MDAwMDAzMDB9.JjX9WbHJDkQ9Bhw6PxYNRL2R"
    "wXuhyUFaDZmlbbjDS0G7ZMkby4sdkq8jD5PSDekozacr_OA-c1Ud4UzSHPdQL_rT3O3WhOg5BeWqPuWIK7Y2Oo82w_FSONMLp6Ck"
    "c5xYK2Ytjs58tSX-nfcvO-bKEnlaLJqUaNzyYmGHlPLkJsCIvgsEqygAtn0fU2E0O_2K5-cuAhZRpS-z3TjAsuVHqeoRu0awrImZ"
    "RNIGKu8mjhVI54TafTGffRyMVh6RF7QLEN49mwltJNjBj6hErkthxsUOZ4JCr7xxTOfPzo06F1I0jOm0HkpjYxLMdNRZgyluNks1"
    "4vLNZe77lqDMwA2wqQ";
constexpr const char* es256_token =
    "eyJhbGciOiJFUzI1NiIsImtpZCI6ImUifQ.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUiLCJhdWQiOiJ2aXRyaW5lIiwic3ViI"
    "joibWF5YSIsIm5vbmNlIjoibi0wIiwiaWF0IjoxODAwMDAwMDAwLCJleHAiOjE4MDAwMDAzMDB9.d9Xofihd1h2a6acyLW0GMBeC"
    "X7Vz9lKCjomlI0zp41B338Ph61ewVv9r_V0lNjqqESLARxy_djM48tWHuZnmLw";
constexpr const char* hs256_token =
    "eyJhbGciOiJIUzI1NiIsImtpZCI6InIifQ.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUiLCJhdWQiOiJ2aXRyaW5lIiwic3ViI"
    "joibWF5YSIsIm5vbmNlIjoibi0wIiwiaWF0IjoxODAwMDAwMDAwLCJleHAiOjE4MDAwMDAzMDB9.iTgP0HgD4daaJm_xZye6Y-fB"
    "nZMWTooWk_GPDx-NinY";
constexpr const char* none_token =
    "eyJhbGciOiJub25lIiwia2lkIjoiciJ9.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUiLCJhdWQiOiJ2aXRyaW5lIiwic3ViIjo"
    "ibWF5YSIsIm5vbmNlIjoibi0wIiwiaWF0IjoxODAwMDAwMDAwLCJleHAiOjE4MDAwMDAzMDB9.";
constexpr const char* key_set =
    R"({"keys":[{"kty":"RSA","kid":"r","use":"sig","n":"xkhF7FcM6mMjI_y58QaETtHOgeNgVw0pfHISY0rEWYDT2B2)"
    R"(rWYfggel6QmUuzHDLEn-Zhxpm5OcbFTpngrpLfnvza8GnzvS_E3HiPrJzGt-w60fzR50tde-0MS8V0mUVkMqLi2TLb3zUy7V)"
    R"(NzKkN5E4oOHP6G3MwB2G3gWFCIWzbVyXrMQOG4o4Ekc1oKclv1e4FV42dOuwQIfzIGK57VjdY3DHtXdNKtYsGSkGGo_UUvDf)"
    R"(nCy3DkmpYWIXiFhV4GD0xY6_w_Z-fJC4URY_e64Xnn941GdOm5E3uPcEQXfNQaLO1j6_pcK0Z8ttwghCg6l-05kK-m-JKdS6)"
    R"(00W9R7Q","e":"AQAB"},{"kty":"EC","kid":"e","crv":"P-256","x":"kcnadHMUyEpVKMi1x05aysuPaA50hZTNcL)"
    R"(8_UnYl-YM","y":"0kEM4rSlnlcxKzAQXXNYG01IqXqh3_T9-6EhDKGBFiM"},{"kty":"RSA","kid":"small","use":")"
    R"(sig","n":"xFYe78ENhqnEdPqcCV26OoZWxD4UvhS-MjtE48vpAYLy4yC14wISb1fDHmU1at4pqBHPpeGiI6-4kZ0Xl_1MWx)"
    R"(9MsM8q0KRa2_ewjeu4KskeHt4n3yLglLllbZW4YXXEjDDIQN98-liGA-M6g531EFe67DGM5ERv4fJH0KSpocc","e":"AQAB)"
    R"("},{"kty":"oct","kid":"r","k":"c2VjcmV0"},{"kty":"RSA","kid":"enc","use":"enc","n":"xkhF7FcM6mMj)"
    R"(I_y58QaETtHOgeNgVw0pfHISY0rEWYDT2B2rWYfggel6QmUuzHDLEn-Zhxpm5OcbFTpngrpLfnvza8GnzvS_E3HiPrJzGt-w)"
    R"(60fzR50tde-0MS8V0mUVkMqLi2TLb3zUy7VNzKkN5E4oOHP6G3MwB2G3gWFCIWzbVyXrMQOG4o4Ekc1oKclv1e4FV42dOuwQ)"
    R"(IfzIGK57VjdY3DHtXdNKtYsGSkGGo_UUvDfnCy3DkmpYWIXiFhV4GD0xY6_w_Z-fJC4URY_e64Xnn941GdOm5E3uPcEQXfNQ)"
    R"(aLO1j6_pcK0Z8ttwghCg6l-05kK-m-JKdS600W9R7Q","e":"AQAB"}]})";

// Whether the provider of the key set has signed the token.
bool is_signed(const std::string& text)
{
    const auto token = parse_signed_token(text);
    if (!token) return false;
    for (const auto& key : keys_for(*token, parse_json_web_keys(json::parse(key_set))))
        if (verify_signature(key, token->algorithm, token->text, token->signature)) return true;
    return false;
}

// The token with another part; `part`: 0 to 2.
std::string with_part(const std::string& token, std::size_t part, const std::string& content)
{
    const auto first = token.find('.'), second = token.rfind('.');
    const auto begin = part == 0 ? 0 : part == 1 ? first + 1 : second + 1;
    const auto end = part == 0 ? first : part == 1 ? second : token.size();
    return std::string(token).replace(begin, end - begin, content);
}

json::object valid_claims()
{
    return {{"iss", "https://id.example"}, {"aud", "vitrine"},    {"sub", "maya"}, {"nonce", "n-0"},
            {"iat", 1'800'000'000},        {"exp", 1'800'000'300}};
}

constexpr std::int64_t issued_s = 1'800'000'000;

std::string fault_at(const json::object& claims, std::int64_t time_s = issued_s)
{
    return claims_fault(claims, {"https://id.example", "vitrine", "n-0", time_s * 1'000'000});
}

std::string fault_with(const char* name, json::value value)
{
    auto claims = valid_claims();
    claims[name] = std::move(value);
    return fault_at(claims);
}

TEST(IdToken, IsVerifiedByThePublishedKeys)
{
    for (const auto* token : {rs256_token, ps256_token, es256_token}) {
        EXPECT_TRUE(is_signed(token)) << token;
        EXPECT_EQ(fault_at(parse_signed_token(token)->claims), "");
    }
}

TEST(IdToken, AlteredOnesAreRejected)
{
    const auto admin = encode_base64url(R"({"iss":"https://id.example","aud":"vitrine","sub":"root"})");
    for (const auto* token : {rs256_token, ps256_token, es256_token}) {
        EXPECT_FALSE(is_signed(with_part(token, 1, admin)));
        EXPECT_FALSE(is_signed(with_part(token, 2, "")));
        EXPECT_FALSE(is_signed(with_part(token, 2, encode_base64url(std::string(64, '\0')))));
        std::string signature(token + std::string_view(token).rfind('.') + 1);
        signature[10] = signature[10] == 'A' ? 'B' : 'A';
        EXPECT_FALSE(is_signed(with_part(token, 2, signature)));
    }
}

TEST(IdToken, AlgorithmsWithoutAPublicKeyAreRejected)
{
    for (const auto* token : {none_token, hs256_token})
        EXPECT_THAT(parse_signed_token(token).error(), HasSubstr("(alg)"));
    for (const auto* alg : {"none", "HS256", "RS512", "rs256", ""}) {
        const auto header = encode_base64url(std::string(R"({"kid":"r","alg":")") + alg + "\"}");
        EXPECT_FALSE(is_signed(with_part(rs256_token, 0, header))) << alg;
    }
}

TEST(IdToken, KeyMustFitTheAlgorithm)
{
    const auto header = [](const char* alg, const char* kid) {
        return encode_base64url(json::serialize(json::object{{"alg", alg}, {"kid", kid}}));
    };
    EXPECT_FALSE(is_signed(with_part(rs256_token, 0, header("ES256", "r"))));
    EXPECT_FALSE(is_signed(with_part(rs256_token, 0, header("PS256", "r"))));
    EXPECT_FALSE(is_signed(with_part(es256_token, 0, header("RS256", "e"))));
    const auto keys = parse_json_web_keys(json::parse(key_set));
    ASSERT_THAT(keys, SizeIs(2));
    EXPECT_EQ(keys[0].id, "r");
    EXPECT_EQ(keys[1].id, "e");
    auto pinned = json::parse(key_set);
    pinned.at("keys").as_array()[0].as_object()["alg"] = "PS256";
    EXPECT_FALSE(fits(parse_json_web_keys(pinned)[0], SignatureAlgorithm::rs256));
}

TEST(IdToken, MalformedOnesAreRejected)
{
    const std::string valid = rs256_token;
    for (const auto& token :
         {std::string(), std::string("."), std::string(".."), valid + ".", valid.substr(0, valid.rfind('.')),
          with_part(valid, 0, "e30="), with_part(valid, 1, "W10"), with_part(valid, 1, "/+//"),
          with_part(valid, 0, encode_base64url(R"({"alg":"RS256","kid":"r","crit":["exp"]})")),
          std::string(max_id_token + 1, 'a')})
        EXPECT_FALSE(parse_signed_token(token)) << token.substr(0, 40);
}

TEST(IdToken, ClaimsOfOthersAreRejected)
{
    EXPECT_THAT(fault_with("iss", "https://id.example/"), HasSubstr("(iss)"));
    EXPECT_THAT(fault_with("aud", "other"), HasSubstr("(aud)"));
    EXPECT_THAT(fault_with("aud", json::array{"other"}), HasSubstr("(aud)"));
    EXPECT_THAT(fault_with("aud", json::array{"other", "vitrine"}), HasSubstr("(azp)"));
    EXPECT_THAT(fault_with("azp", "other"), HasSubstr("(azp)"));
    EXPECT_THAT(fault_with("nonce", "n-1"), HasSubstr("(nonce)"));
    EXPECT_THAT(fault_with("nonce", nullptr), HasSubstr("(nonce)"));
    EXPECT_THAT(fault_with("sub", ""), HasSubstr("(sub)"));
    EXPECT_THAT(fault_with("sub", json::string(256, 'a')), HasSubstr("(sub)"));
    EXPECT_EQ(fault_with("aud", json::array{"vitrine"}), "");
    auto several = valid_claims();
    several["aud"] = json::array{"other", "vitrine"};
    several["azp"] = "vitrine";
    EXPECT_EQ(fault_at(several), "");
}

TEST(IdToken, TimesMustBeNowWithSomeSkew)
{
    const auto claims = valid_claims();
    EXPECT_EQ(fault_at(claims, issued_s - clock_skew_s), "");
    EXPECT_THAT(fault_at(claims, issued_s - clock_skew_s - 1), HasSubstr("(iat)"));
    EXPECT_EQ(fault_at(claims, issued_s + 300 + clock_skew_s - 1), "");
    EXPECT_THAT(fault_at(claims, issued_s + 300 + clock_skew_s), HasSubstr("(exp)"));
    EXPECT_THAT(fault_with("exp", "1800000300"), HasSubstr("exp"));
    EXPECT_THAT(fault_with("iat", -1), HasSubstr("iat"));
    EXPECT_THAT(fault_with("exp", 1e300), HasSubstr("exp"));
    EXPECT_THAT(fault_with("nbf", issued_s + 100), HasSubstr("(nbf)"));
}

TEST(IdToken, GroupsAreStringsOfAMemberAtAnyDepth)
{
    const auto claims =
        json::parse(R"({"groups": ["a", 1, "b"], "hd": "example.com", "https://a.b/groups": ["c"],
        "realm_access": {"roles": ["d"]}, "flat.name": ["e"]})")
            .as_object();
    EXPECT_THAT(strings_of(claims, "groups"), ElementsAre("a", "b"));
    EXPECT_THAT(strings_of(claims, "hd"), ElementsAre("example.com"));
    EXPECT_THAT(strings_of(claims, "https://a.b/groups"), ElementsAre("c"));
    EXPECT_THAT(strings_of(claims, "realm_access.roles"), ElementsAre("d"));
    EXPECT_THAT(strings_of(claims, "flat.name"), ElementsAre("e"));
    for (const auto* name : {"none", "groups.a", "realm_access", "realm_access.none", ""})
        EXPECT_THAT(strings_of(claims, name), IsEmpty()) << name;
}

} // namespace
} // namespace vitrine::server
