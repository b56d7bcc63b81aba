#include "server/util/sha256.hpp"

#include <algorithm>
#include <array>
#include <new>

#include <openssl/evp.h>

namespace vitrine::server {

struct Sha256::Context {
    EVP_MD_CTX* evp = EVP_MD_CTX_new();
    Context()
    {
        if (!evp || EVP_DigestInit_ex(evp, EVP_sha256(), nullptr) != 1) throw std::bad_alloc();
    }
    // NOLINTNEXTLINE(bugprone-exception-escape): only a library that is not loaded yet can be missing
    ~Context() { EVP_MD_CTX_free(evp); }
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::update(std::span<const std::byte> bytes)
{
    EVP_DigestUpdate(context_->evp, bytes.data(), bytes.size());
}

void Sha256::update(std::string_view text)
{
    update(std::as_bytes(std::span(text)));
}

std::string Sha256::finish()
{
    std::array<unsigned char, 32> digest{};
    EVP_DigestFinal_ex(context_->evp, digest.data(), nullptr);
    std::string hex;
    hex.reserve(64);
    for (const unsigned char byte : digest) {
        hex += "0123456789abcdef"[byte >> 4];
        hex += "0123456789abcdef"[byte & 15];
    }
    return hex;
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
