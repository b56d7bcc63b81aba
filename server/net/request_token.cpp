// The token of a request: of its field Authorization.

#include <openssl/evp.h>

#include "loaders/base/ascii.hpp"
#include "server/net/request_guard.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t max_credentials_bytes = 64 << 10; // of one field; HTTP limits limit it too

// Of the field Authorization. Stricter than io::decode_base64: blanks and '=' inside are rejected, because
// OpenSSL reads '=' anywhere as zero bits and skips blanks. Padding is optional.
std::optional<std::string> decode_credentials(std::string_view text)
{
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    text = text.substr(0, text.find_last_not_of('=') + 1);
    const bool has_valid_length = text.size() % 4 != 1 && text.size() <= max_credentials_bytes;
    if (!has_valid_length || text.find_first_not_of(digits) != text.npos) return std::nullopt;
    std::string padded(text);
    padded.append((4 - text.size() % 4) % 4, '=');
    std::string out(padded.size() / 4 * 3, '\0');
    const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                                     reinterpret_cast<const unsigned char*>(padded.data()),
                                     static_cast<int>(padded.size()));
    if (size < 0) return std::nullopt;
    out.resize(text.size() * 3 / 4); // without the bytes of the padding
    return out;
}

struct Credentials {
    std::string_view scheme, text;
};

std::optional<Credentials> credentials_of(const Request& request)
{
    const auto field = request.headers.find("Authorization");
    const auto space = field ? field->find(' ') : std::string_view::npos;
    if (space == std::string_view::npos) return std::nullopt;
    const std::string_view value = *field;
    return Credentials{value.substr(0, space), value.substr(space + 1)};
}

bool is_bearer(const Credentials& credentials)
{
    return ascii::equal_ignoring_case(credentials.scheme, "bearer");
}

} // namespace

std::optional<std::string> request_token(const Request& request)
{
    const auto credentials = credentials_of(request);
    if (!credentials) return std::nullopt;
    if (is_bearer(*credentials)) return std::string(credentials->text);
    if (!ascii::equal_ignoring_case(credentials->scheme, "basic")) return std::nullopt;
    const auto pair = decode_credentials(credentials->text);
    const auto colon = pair ? pair->find(':') : std::string::npos;
    if (colon == std::string::npos) return std::nullopt;
    return pair->substr(colon + 1);
}

SharedPrincipal Guard::find_by_field(const Request& request) const
{
    const auto credentials = credentials_of(request);
    if (!credentials) return nullptr;
    TokenDigest digest{};
    if (is_bearer(*credentials)) { // without a copy
        digest = digest_of(credentials->text);
    } else {
        const auto token = request_token(request);
        if (!token) return nullptr;
        digest = digest_of(*token);
    }
    if (auto found = find_token(digest)) return found;
    return tokens_ ? tokens_->find_link(digest) : nullptr;
}

} // namespace vitrine::server
