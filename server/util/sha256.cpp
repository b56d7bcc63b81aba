#include "server/util/sha256.hpp"

#include <algorithm>
#include <array>
#include <new>

#include <openssl/evp.h>

#include "server/util/hex.hpp"

namespace vitrine::server {

struct Digest::Context {
    EVP_MD_CTX* evp = EVP_MD_CTX_new();
    explicit Context(Algorithm algorithm)
    {
        const auto* type = algorithm == Algorithm::sha1 ? EVP_sha1() : EVP_sha256();
        if (!evp || EVP_DigestInit_ex(evp, type, nullptr) != 1) throw std::bad_alloc();
    }
    // NOLINTNEXTLINE(bugprone-exception-escape): only a library that is not loaded yet can be missing
    ~Context() { EVP_MD_CTX_free(evp); }
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
};

Digest::Digest(Algorithm algorithm) : context_(std::make_unique<Context>(algorithm)) {}
Digest::~Digest() = default;
Digest::Digest(Digest&&) noexcept = default;
Digest& Digest::operator=(Digest&&) noexcept = default;

void Digest::update(std::span<const std::byte> bytes)
{
    EVP_DigestUpdate(context_->evp, bytes.data(), bytes.size());
}

void Digest::update(std::string_view text)
{
    update(std::as_bytes(std::span(text)));
}

std::string Digest::finish()
{
    std::array<unsigned char, 32> digest{};
    unsigned int size = 0;
    EVP_DigestFinal_ex(context_->evp, digest.data(), &size);
    return to_hex(std::as_bytes(std::span(digest).first(size)));
}

std::string sha256_hex(std::string_view text)
{
    Sha256 hash;
    hash.update(text);
    return hash.finish();
}

bool is_sha256(std::string_view text)
{
    return text.size() == 64 &&
           std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

} // namespace vitrine::server
