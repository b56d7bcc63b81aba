#include "server/services/oidc/id_token.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include <boost/json/parse.hpp>

namespace vitrine::server {
namespace {

namespace json = boost::json;

constexpr std::size_t max_subject = 255; // OpenID Connect Core, 2
constexpr std::size_t max_strings = 10'000;

std::optional<json::object> decode_object(std::string_view part)
{
    const auto text = decode_base64url(part);
    if (!text) return std::nullopt;
    boost::system::error_code error;
    auto value = json::parse(*text, error);
    if (error || !value.is_object()) return std::nullopt;
    return std::move(value.as_object());
}

// Seconds since 1970; empty: the claim is no number, or one that no clock has.
std::optional<std::int64_t> time_claim(const json::object& claims, std::string_view name)
{
    constexpr double max_time_s = 1e11;
    const auto* value = claims.if_contains(name);
    if (!value || !value->is_number()) return std::nullopt;
    const auto seconds = value->to_number<double>();
    if (!(seconds >= 0 && seconds < max_time_s)) return std::nullopt;
    return static_cast<std::int64_t>(seconds);
}

std::string audience_fault(const json::object& claims, const std::string& client_id)
{
    const auto audience = strings_of(claims, "aud");
    const bool has_party = claims.contains("azp");
    if (std::ranges::find(audience, client_id) == audience.end()) return "is for another client (aud)";
    if (audience.size() > 1 && !has_party) return "is for several clients and does not say which (azp)";
    if (has_party && text_of(claims, "azp") != client_id) return "was issued to another client (azp)";
    return {};
}

std::string time_fault(const json::object& claims, Micros time)
{
    const auto now_s = time / 1'000'000;
    const auto expires = time_claim(claims, "exp"), issued = time_claim(claims, "iat");
    if (!expires || !issued) return "has no times (exp, iat)";
    if (*expires <= now_s - clock_skew_s) return "has expired (exp)";
    if (*issued > now_s + clock_skew_s) return "is from the future (iat); compare the clocks";
    const auto not_before = time_claim(claims, "nbf");
    if (claims.contains("nbf") && (!not_before || *not_before > now_s + clock_skew_s))
        return "is not valid yet (nbf); compare the clocks";
    return {};
}

const json::value* find_claim(const json::object& claims, std::string_view name)
{
    if (const auto* whole = claims.if_contains(name)) return whole; // a name may be a URL
    const auto dot = name.find('.');
    if (dot == name.npos) return nullptr;
    const auto* outer = claims.if_contains(name.substr(0, dot));
    return outer && outer->is_object() ? find_claim(outer->as_object(), name.substr(dot + 1)) : nullptr;
}

} // namespace

std::expected<SignedToken, std::string> parse_signed_token(std::string_view token)
{
    if (token.size() > max_id_token) return std::unexpected("is too long");
    const auto first = token.find('.');
    const auto second = first == token.npos ? token.npos : token.find('.', first + 1);
    if (second == token.npos || token.find('.', second + 1) != token.npos)
        return std::unexpected("is not a signed token of three parts");
    const auto header = decode_object(token.substr(0, first));
    auto claims = decode_object(token.substr(first + 1, second - first - 1));
    auto signature = decode_base64url(token.substr(second + 1));
    if (!header || !claims || !signature) return std::unexpected("is not valid base64url and JSON");
    const auto algorithm = parse_signature_algorithm(text_of(*header, "alg"));
    if (!algorithm) return std::unexpected("is not signed by RS256, PS256 or ES256 (alg)");
    if (header->contains("crit")) return std::unexpected("requires extensions (crit)");
    return SignedToken{*algorithm, text_of(*header, "kid"), std::move(*claims), token.substr(0, second),
                       std::move(*signature)};
}

std::vector<JsonWebKey> keys_for(const SignedToken& token, const std::vector<JsonWebKey>& keys)
{
    std::vector<JsonWebKey> fitting;
    std::ranges::copy_if(keys, std::back_inserter(fitting), [&token](const JsonWebKey& key) {
        return fits(key, token.algorithm) && (token.key_id.empty() || key.id == token.key_id);
    });
    return fitting;
}

std::string issuance_fault(const json::object& claims, const ExpectedClaims& expected)
{
    if (text_of(claims, "iss") != expected.issuer) return "is of another issuer (iss)";
    if (auto fault = audience_fault(claims, expected.client_id); !fault.empty()) return fault;
    return time_fault(claims, expected.time);
}

std::string claims_fault(const json::object& claims, const ExpectedClaims& expected)
{
    if (auto fault = issuance_fault(claims, expected); !fault.empty()) return fault;
    if (expected.nonce.empty() || text_of(claims, "nonce") != expected.nonce)
        return "is not of this sign-in (nonce)";
    const auto subject = text_of(claims, "sub");
    const bool is_subject = !subject.empty() && subject.size() <= max_subject;
    return is_subject ? std::string() : "names no subject (sub)";
}

std::vector<std::string> strings_of(const json::object& claims, std::string_view name)
{
    const auto* value = find_claim(claims, name);
    if (!value) return {};
    if (value->is_string()) return {std::string(value->as_string())};
    std::vector<std::string> strings;
    if (value->is_array())
        for (const auto& item : value->as_array())
            if (item.is_string() && strings.size() < max_strings) strings.emplace_back(item.as_string());
    return strings;
}

std::string text_of(const json::object& claims, std::string_view name)
{
    const auto* value = claims.if_contains(name);
    return value && value->is_string() ? std::string(value->as_string()) : std::string();
}

} // namespace vitrine::server
