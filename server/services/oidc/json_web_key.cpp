#include "server/services/oidc/json_web_key.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/rsa.h>

#include "loaders/io/base64.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

constexpr int min_rsa_bits = 2048;
constexpr std::size_t max_rsa_bytes = 8192 / 8;
constexpr std::size_t curve_bytes = 32; // of a coordinate, and of each half of a signature
constexpr std::size_t max_keys = 100;

std::string_view text_member(const json::object& object, std::string_view name)
{
    const auto* value = object.if_contains(name);
    return value && value->is_string() ? std::string_view(value->as_string()) : std::string_view();
}

std::string bytes_member(const json::object& object, std::string_view name)
{
    return decode_base64url(text_member(object, name)).value_or("");
}

// libcrypto wants numbers in the order of the processor's bytes.
std::string little_endian(std::string bytes)
{
    std::ranges::reverse(bytes);
    return bytes;
}

// Null: the numbers are no key.
std::shared_ptr<EVP_PKEY> make_key(const char* type, OSSL_PARAM* params)
{
    const std::unique_ptr<EVP_PKEY_CTX, decltype(&EVP_PKEY_CTX_free)> context(
        EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr), EVP_PKEY_CTX_free);
    EVP_PKEY* key = nullptr;
    if (!context || EVP_PKEY_fromdata_init(context.get()) != 1 ||
        EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, params) != 1)
        return nullptr;
    return {key, EVP_PKEY_free};
}

std::shared_ptr<EVP_PKEY> make_rsa_key(const json::object& object)
{
    auto modulus = little_endian(bytes_member(object, "n"));
    auto exponent = little_endian(bytes_member(object, "e"));
    const bool has_size =
        !modulus.empty() && modulus.size() <= max_rsa_bytes && !exponent.empty() && exponent.size() <= 8;
    if (!has_size) return nullptr;
    std::array<OSSL_PARAM, 3> params{{OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_N, modulus.data(), modulus.size()),
                                      OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_E, exponent.data(), exponent.size()),
                                      OSSL_PARAM_END}};
    auto key = make_key("RSA", params.data());
    return key && EVP_PKEY_get_bits(key.get()) >= min_rsa_bits ? key : nullptr;
}

std::shared_ptr<EVP_PKEY> make_curve_key(const json::object& object)
{
    const auto x = bytes_member(object, "x"), y = bytes_member(object, "y");
    if (text_member(object, "crv") != "P-256" || x.size() != curve_bytes || y.size() != curve_bytes)
        return nullptr;
    auto point = "\x04" + x + y; // uncompressed (SEC 1, 2.3.3)
    std::string curve = "P-256";
    std::array<OSSL_PARAM, 3> params{
        {OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, curve.data(), curve.size()),
         OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, point.data(), point.size()), OSSL_PARAM_END}};
    return make_key("EC", params.data());
}

std::optional<JsonWebKey> parse_key(const json::object& object)
{
    JsonWebKey key{.id = std::string(text_member(object, "kid"))};
    if (const auto use = text_member(object, "use"); !use.empty() && use != "sig") return std::nullopt;
    if (const auto word = text_member(object, "alg"); !word.empty()) {
        key.algorithm = parse_signature_algorithm(word);
        if (!key.algorithm) return std::nullopt;
    }
    const auto type = text_member(object, "kty");
    key.is_rsa = type == "RSA";
    if (key.is_rsa)
        key.key = make_rsa_key(object);
    else if (type == "EC")
        key.key = make_curve_key(object);
    if (!key.key) return std::nullopt;
    return key;
}

// A number of DER (X.690, 8.3) from one without sign.
std::string der_number(std::string_view bytes)
{
    bytes.remove_prefix(std::min(bytes.find_first_not_of('\0'), bytes.size() - 1));
    std::string number(bytes);
    if (static_cast<unsigned char>(number.front()) >= 0x80) number.insert(number.begin(), '\0');
    return std::string{'\x02', static_cast<char>(number.size())} + number;
}

// The two numbers of a JSON Web Signature as libcrypto reads them. Precondition: two coordinates.
std::string to_der(std::string_view signature)
{
    const auto numbers =
        der_number(signature.substr(0, curve_bytes)) + der_number(signature.substr(curve_bytes));
    return std::string{'\x30', static_cast<char>(numbers.size())} + numbers;
}

const unsigned char* bytes_at(std::string_view text)
{
    return reinterpret_cast<const unsigned char*>(text.data());
}

} // namespace

std::optional<SignatureAlgorithm> parse_signature_algorithm(std::string_view word)
{
    if (word == "RS256") return SignatureAlgorithm::rs256;
    if (word == "PS256") return SignatureAlgorithm::ps256;
    if (word == "ES256") return SignatureAlgorithm::es256;
    return std::nullopt;
}

std::vector<JsonWebKey> parse_json_web_keys(const json::value& set)
{
    std::vector<JsonWebKey> keys;
    const auto* object = set.if_object();
    const auto* list = object ? object->if_contains("keys") : nullptr;
    if (!list || !list->is_array()) return keys;
    for (const auto& value : list->as_array()) {
        if (keys.size() == max_keys) break;
        if (!value.is_object()) continue;
        if (auto key = parse_key(value.as_object())) keys.push_back(*std::move(key));
    }
    return keys;
}

bool fits(const JsonWebKey& key, SignatureAlgorithm algorithm)
{
    const bool is_rsa = algorithm != SignatureAlgorithm::es256;
    return key.is_rsa == is_rsa && key.algorithm.value_or(algorithm) == algorithm;
}

bool verify_signature(const JsonWebKey& key, SignatureAlgorithm algorithm, std::string_view text,
                      std::string_view signature)
{
    std::string der;
    if (algorithm == SignatureAlgorithm::es256) {
        if (signature.size() != 2 * curve_bytes) return false;
        der = to_der(signature);
        signature = der;
    }
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
    EVP_PKEY_CTX* settings = nullptr; // of `context`
    if (!context || EVP_DigestVerifyInit(context.get(), &settings, EVP_sha256(), nullptr, key.key.get()) != 1)
        throw std::runtime_error("the signature of an ID token cannot be verified");
    if (algorithm == SignatureAlgorithm::ps256 &&
        (EVP_PKEY_CTX_set_rsa_padding(settings, RSA_PKCS1_PSS_PADDING) != 1 ||
         EVP_PKEY_CTX_set_rsa_pss_saltlen(settings, RSA_PSS_SALTLEN_DIGEST) != 1))
        return false;
    return EVP_DigestVerify(context.get(), bytes_at(signature), signature.size(), bytes_at(text),
                            text.size()) == 1;
}

std::optional<std::string> decode_base64url(std::string_view text)
{
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    if (text.find_first_not_of(digits) != text.npos) return std::nullopt;
    const auto bytes = io::decode_base64(text);
    if (!bytes) return std::nullopt;
    return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
}

std::string encode_base64url(std::string_view bytes)
{
    auto text = io::encode_base64(bytes);
    text.resize(text.find_last_not_of('=') + 1);
    std::ranges::replace(text, '+', '-');
    std::ranges::replace(text, '/', '_');
    return text;
}

} // namespace vitrine::server
