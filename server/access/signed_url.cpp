#include "server/access/signed_url.hpp"

#include <algorithm>

#include "loaders/base/parse_whole.hpp"
#include "server/access/access_token.hpp"

namespace vitrine::server {
namespace {

// Each text with its length, so that no two requests have the same.
std::string signed_text(std::string_view path, const UrlParameters& parameters, const std::string& key,
                        std::int64_t expires)
{
    std::string text;
    const auto add = [&text](std::string_view part) {
        text.append(std::to_string(part.size())).append(":").append(part);
    };
    add(path);
    add(key);
    add(std::to_string(expires));
    for (const auto& [name, value] : parameters) {
        add(name);
        add(value);
    }
    return text;
}

} // namespace

UrlSignature sign_url(std::string_view path, const UrlParameters& parameters, std::int64_t expires,
                      const UrlKey& key)
{
    const auto text = signed_text(path, parameters, key.id, expires);
    return {.key = key.id, .expires = expires, .digits = derive_from_token(key.secret, text)};
}

bool matches_url(const UrlSignature& signature, std::string_view path, const UrlParameters& parameters,
                 std::string_view secret)
{
    const UrlKey key{signature.key, std::string(secret)};
    const auto expected = sign_url(path, parameters, signature.expires, key);
    return constant_time_equal(digest_of(expected.digits), digest_of(signature.digits));
}

bool has_url_signature(const UrlParameters& parameters)
{
    return std::ranges::any_of(parameters, [](const auto& parameter) { return parameter.first == "sig"; });
}

std::optional<UrlSignature> take_url_signature(UrlParameters& parameters)
{
    std::optional<std::string> key, expires, digits;
    bool is_repeated = false;
    std::erase_if(parameters, [&](auto& parameter) {
        auto& [name, value] = parameter;
        auto* const place = name == "key"       ? &key
                            : name == "expires" ? &expires
                            : name == "sig"     ? &digits
                                                : nullptr;
        if (place == nullptr) return false;
        is_repeated = is_repeated || place->has_value();
        *place = std::move(value);
        return true;
    });
    const auto time = expires ? parse_whole<std::int64_t>(*expires) : std::nullopt;
    if (!key || !digits || !time || *time < 0 || is_repeated || std::to_string(*time) != *expires)
        return std::nullopt;
    return UrlSignature{std::move(*key), *time, std::move(*digits)};
}

} // namespace vitrine::server
