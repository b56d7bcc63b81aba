#pragma once
// Public keys of an identity provider (JSON Web Key, RFC 7517 and 7518), and signatures by them (libcrypto).
// Any thread.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>
#include <openssl/types.h>

namespace vitrine::server {

// What is accepted; `none` and algorithms with a shared secret are not among them.
enum class SignatureAlgorithm : std::uint8_t { rs256, ps256, es256 };
std::optional<SignatureAlgorithm> parse_signature_algorithm(std::string_view word); // "RS256"

struct JsonWebKey {
    std::string id; // "kid"; may be empty
    std::optional<SignatureAlgorithm>
        algorithm{};     // the only one that the key is for; empty: each of its type
    bool is_rsa = false; // otherwise on the curve P-256
    std::shared_ptr<EVP_PKEY> key{};
};

// Returns the keys of a set for signatures, except those of other types and RSA keys below 2048 bits.
std::vector<JsonWebKey> parse_json_web_keys(const boost::json::value& set);
bool fits(const JsonWebKey& key, SignatureAlgorithm algorithm);
// Precondition: the key fits.
bool verify_signature(const JsonWebKey& key, SignatureAlgorithm algorithm, std::string_view text,
                      std::string_view signature);

// base64url without padding (RFC 7515, 2). Empty optional for any other text.
std::optional<std::string> decode_base64url(std::string_view text);
std::string encode_base64url(std::string_view bytes);

} // namespace vitrine::server
