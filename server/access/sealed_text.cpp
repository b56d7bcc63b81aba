#include "server/access/sealed_text.hpp"

#include <array>
#include <charconv>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>

#include <openssl/evp.h>
#include <openssl/rand.h>

#include "server/access/access_token.hpp"
#include "server/util/hex.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t nonce_bytes = 12;
constexpr std::size_t tag_bytes = 16;

using CipherContext = std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)>;

CipherContext make_context()
{
    return {EVP_CIPHER_CTX_new(), &EVP_CIPHER_CTX_free};
}

unsigned char* bytes_in(std::string& text, std::size_t at = 0)
{
    return reinterpret_cast<unsigned char*>(text.data() + at);
}

const unsigned char* bytes_in(std::string_view text, std::size_t at = 0)
{
    return reinterpret_cast<const unsigned char*>(text.data() + at);
}

const unsigned char* key_bytes(const TokenDigest& key)
{
    return reinterpret_cast<const unsigned char*>(key.data());
}

// Empty: not hexadecimal digits.
std::optional<std::string> from_hex(std::string_view hex)
{
    if (hex.size() % 2 != 0) return std::nullopt;
    std::string bytes;
    bytes.reserve(hex.size() / 2);
    for (std::size_t i = 0; i < hex.size(); i += 2) {
        unsigned value = 0;
        const auto* const first = hex.data() + i;
        if (std::from_chars(first, first + 2, value, 16).ptr != first + 2) return std::nullopt;
        bytes += static_cast<char>(value);
    }
    return bytes;
}

} // namespace

// Nonce, text, tag.
std::string seal_text(std::string_view secret, std::string_view text)
{
    if (text.size() > std::numeric_limits<int>::max() / 4) throw std::runtime_error("a text is too long");
    const auto key = digest_of(secret);
    std::string sealed(nonce_bytes + text.size() + tag_bytes, '\0');
    const auto context = make_context();
    int size = 0;
    const bool is_sealed =
        context && RAND_bytes(bytes_in(sealed), nonce_bytes) == 1 &&
        EVP_EncryptInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, key_bytes(key), bytes_in(sealed)) ==
            1 &&
        EVP_EncryptUpdate(context.get(), bytes_in(sealed, nonce_bytes), &size, bytes_in(text),
                          static_cast<int>(text.size())) == 1 &&
        EVP_EncryptFinal_ex(context.get(), bytes_in(sealed, nonce_bytes + text.size()), &size) == 1 &&
        EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_GET_TAG, tag_bytes,
                            bytes_in(sealed, nonce_bytes + text.size())) == 1;
    if (!is_sealed) throw std::runtime_error("a text cannot be encrypted");
    return to_hex(std::as_bytes(std::span(sealed)));
}

std::optional<std::string> open_sealed_text(std::string_view secret, std::string_view hex)
{
    auto sealed = from_hex(hex);
    if (!sealed || sealed->size() < nonce_bytes + tag_bytes) return std::nullopt;
    const auto key = digest_of(secret);
    std::string text(sealed->size() - nonce_bytes - tag_bytes, '\0');
    const auto context = make_context();
    int size = 0;
    std::array<unsigned char, tag_bytes> rest{};
    const bool is_opened =
        context &&
        EVP_DecryptInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, key_bytes(key), bytes_in(*sealed)) ==
            1 &&
        EVP_DecryptUpdate(context.get(), bytes_in(text), &size, bytes_in(*sealed, nonce_bytes),
                          static_cast<int>(text.size())) == 1 &&
        EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_SET_TAG, tag_bytes,
                            bytes_in(*sealed, nonce_bytes + text.size())) == 1 &&
        EVP_DecryptFinal_ex(context.get(), rest.data(), &size) == 1;
    if (!is_opened) return std::nullopt;
    return text;
}

} // namespace vitrine::server
