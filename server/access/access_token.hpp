#pragma once
// Random access tokens, and what a server keeps of them. Any thread.

#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

namespace vitrine::server {

// SHA-256 of a token or a cookie. Of 256 random bits it needs neither a salt nor a slow function: they cannot
// be guessed.
using TokenDigest = std::array<std::byte, 32>;

struct TokenDigestHash {
    std::size_t operator()(const TokenDigest& digest) const
    {
        std::size_t value = 0;
        std::memcpy(&value, digest.data(), sizeof(value));
        return value;
    }
};

TokenDigest digest_of(std::string_view text);
// From hexadecimal digits. Zeros for a text that is no digest: nothing has that digest.
TokenDigest parse_digest(std::string_view hex);
// Takes the same time whatever the digests are.
bool constant_time_equal(const TokenDigest& a, const TokenDigest& b);

// Returns the prefix and 256 random bits in base64url. Throws std::runtime_error: no random numbers.
std::string make_access_token(std::string_view prefix = "vitrine_");
// Returns HMAC-SHA256 of `purpose` with the token as key, in hexadecimal: it does not reveal the token.
std::string derive_from_token(std::string_view token, std::string_view purpose);
// Returns what a browser that has shown the token keeps as its cookie.
std::string cookie_value_of(std::string_view token);

} // namespace vitrine::server
