#include "server/services/s3/sigv4.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "server/util/hex.hpp"
#include "server/util/sha256.hpp"

namespace vitrine::server {
namespace {

constexpr std::string_view algorithm = "AWS4-HMAC-SHA256";

std::string hmac(std::string_view key, std::string_view text)
{
    std::array<unsigned char, 32> digest{};
    unsigned size = 0;
    const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
    if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), bytes, text.size(), digest.data(),
             &size) == nullptr)
        throw std::runtime_error("HMAC failed");
    return {reinterpret_cast<const char*>(digest.data()), size};
}

std::string day_of(const S3Scope& scope)
{
    return to_amz_date(scope.time).substr(0, 8);
}

std::string credential_scope(const S3Scope& scope)
{
    return fmt::format("{}/{}/s3/aws4_request", day_of(scope), scope.region);
}

std::string signed_names(const S3Fields& sorted)
{
    std::string names;
    for (const auto& [name, value] : sorted)
        names += (names.empty() ? "" : ";") + name;
    return names;
}

S3Fields sorted_fields(S3Fields fields)
{
    std::ranges::sort(fields);
    return fields;
}

std::string canonical_request(const S3SignedRequest& request, const S3Fields& sorted)
{
    std::string text = request.method + '\n' + request.path + '\n' + encode_query(request.query) + '\n';
    for (const auto& [name, value] : sorted)
        text.append(name).append(":").append(value).append("\n");
    return text + '\n' + signed_names(sorted) + '\n' + request.payload_hash;
}

std::string signature_of(const S3SignedRequest& request, const S3Fields& sorted, const S3Keys& keys,
                         const S3Scope& scope)
{
    const std::string to_sign =
        fmt::format("{}\n{}\n{}\n{}", algorithm, to_amz_date(scope.time), credential_scope(scope),
                    sha256_hex(canonical_request(request, sorted)));
    std::string key = hmac("AWS4" + keys.secret_key, day_of(scope));
    for (const std::string_view step :
         {std::string_view(scope.region), std::string_view("s3"), std::string_view("aws4_request")})
        key = hmac(key, step);
    const auto signature = hmac(key, to_sign);
    return to_hex(std::as_bytes(std::span(signature)));
}

} // namespace

std::string encode_uri(std::string_view text, bool keep_slash)
{
    std::string encoded;
    for (const char c : text) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        const bool digit = c >= '0' && c <= '9';
        if (letter || digit || std::string_view("-._~").contains(c) || (keep_slash && c == '/'))
            encoded += c;
        else
            encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return encoded;
}

std::string encode_query(const S3Fields& query)
{
    S3Fields encoded;
    for (const auto& [name, value] : query)
        encoded.emplace_back(encode_uri(name), encode_uri(value));
    std::string text;
    for (const auto& [name, value] : sorted_fields(std::move(encoded)))
        text.append(text.empty() ? "" : "&").append(name).append("=").append(value);
    return text;
}

std::string to_amz_date(std::chrono::sys_seconds time)
{
    return fmt::format("{:%Y%m%dT%H%M%SZ}", time);
}

std::string sign_header(const S3SignedRequest& request, const S3Keys& keys, const S3Scope& scope)
{
    const auto sorted = sorted_fields(request.headers);
    return fmt::format("{} Credential={}/{}, SignedHeaders={}, Signature={}", algorithm, keys.access_key,
                       credential_scope(scope), signed_names(sorted),
                       signature_of(request, sorted, keys, scope));
}

std::string sign_query(S3SignedRequest request, const S3Keys& keys, const S3Scope& scope, unsigned seconds)
{
    const auto sorted = sorted_fields(request.headers);
    auto& query = request.query;
    query.emplace_back("X-Amz-Algorithm", algorithm);
    query.emplace_back("X-Amz-Credential", keys.access_key + '/' + credential_scope(scope));
    query.emplace_back("X-Amz-Date", to_amz_date(scope.time));
    query.emplace_back("X-Amz-Expires", std::to_string(seconds));
    query.emplace_back("X-Amz-SignedHeaders", signed_names(sorted));
    if (!keys.session_token.empty()) query.emplace_back("X-Amz-Security-Token", keys.session_token);
    const auto signature = signature_of(request, sorted, keys, scope);
    return encode_query(query) + "&X-Amz-Signature=" + signature;
}

} // namespace vitrine::server
