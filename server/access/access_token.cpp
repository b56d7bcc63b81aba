#include "server/access/access_token.hpp"

#include <charconv>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include "server/util/hex.hpp"

namespace vitrine::server {
namespace {

const unsigned char* bytes_of(std::string_view text)
{
    return reinterpret_cast<const unsigned char*>(text.data());
}

} // namespace

// Of a thread, because OpenSSL 3 searches for an algorithm by its name at each use without a context: that
// takes twice as long as the digest of a token.
TokenDigest digest_of(std::string_view text)
{
    struct Context {
        std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> evp{EVP_MD_CTX_new(), &EVP_MD_CTX_free};
        Context()
        {
            if (!evp || EVP_DigestInit_ex(evp.get(), EVP_sha256(), nullptr) != 1) throw std::bad_alloc();
        }
    };
    thread_local Context context;
    TokenDigest digest;
    unsigned int size = digest.size();
    const bool is_made =
        EVP_DigestInit_ex(context.evp.get(), nullptr, nullptr) == 1 && // the same algorithm again
        EVP_DigestUpdate(context.evp.get(), text.data(), text.size()) == 1 &&
        EVP_DigestFinal_ex(context.evp.get(), reinterpret_cast<unsigned char*>(digest.data()), &size) == 1;
    if (!is_made) throw std::runtime_error("no digest of a token");
    return digest;
}

TokenDigest parse_digest(std::string_view hex)
{
    TokenDigest digest{};
    if (hex.size() != 2 * digest.size()) return digest;
    for (std::size_t i = 0; i < digest.size(); ++i) {
        unsigned value = 0;
        const auto* const first = hex.data() + 2 * i;
        if (std::from_chars(first, first + 2, value, 16).ptr != first + 2) return {};
        digest[i] = static_cast<std::byte>(value);
    }
    return digest;
}

bool constant_time_equal(const TokenDigest& a, const TokenDigest& b)
{
    return CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string make_access_token(std::string_view prefix)
{
    std::array<unsigned char, 33> random{}; // the last byte is zero, so that all digits are of whole groups
    if (RAND_bytes(random.data(), 32) != 1) throw std::runtime_error("no random numbers for a token");
    std::array<unsigned char, random.size() / 3 * 4 + 1> digits{};
    EVP_EncodeBlock(digits.data(), random.data(), random.size());
    std::string token(prefix);
    for (const auto digit : std::span(digits).first(43)) // 258 bits
        token += digit == '+' ? '-' : digit == '/' ? '_' : static_cast<char>(digit);
    return token;
}

std::string derive_from_token(std::string_view token, std::string_view purpose)
{
    TokenDigest digest;
    HMAC(EVP_sha256(), token.data(), static_cast<int>(token.size()), bytes_of(purpose), purpose.size(),
         reinterpret_cast<unsigned char*>(digest.data()), nullptr);
    return to_hex(digest);
}

std::string cookie_value_of(std::string_view token)
{
    return derive_from_token(token, "cookie value");
}

} // namespace vitrine::server
