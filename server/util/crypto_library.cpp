#include <stdexcept>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

#include "loaders/base/late_library.hpp"

// libcrypto, loaded at its first use (docs/decisions/0023-late-libcrypto.md). Defines the functions that the
// server calls; each forwards to the function of that name in the library. A further function needs a
// definition here. VITRINE_CRYPTO_LIBRARY is the name of the library whose header was compiled.

namespace vitrine::server {
namespace {

const LateLibrary& crypto_library()
{
    static const LateLibrary library(VITRINE_CRYPTO_LIBRARY);
    return library;
}

template <class Function>
Function* crypto_function(const char* name)
{
    auto* const function = crypto_library().find<Function>(name);
    if (function == nullptr) throw std::runtime_error(VITRINE_CRYPTO_LIBRARY " cannot be loaded");
    return function;
}

} // namespace
} // namespace vitrine::server

using vitrine::server::crypto_function;

extern "C" {

int CRYPTO_memcmp(const void* a, const void* b, size_t size)
{
    static auto* const function = crypto_function<decltype(CRYPTO_memcmp)>("CRYPTO_memcmp");
    return function(a, b, size);
}

int EVP_DecodeBlock(unsigned char* out, const unsigned char* text, int size)
{
    static auto* const function = crypto_function<decltype(EVP_DecodeBlock)>("EVP_DecodeBlock");
    return function(out, text, size);
}

int EVP_DigestFinal_ex(EVP_MD_CTX* context, unsigned char* digest, unsigned int* size)
{
    static auto* const function = crypto_function<decltype(EVP_DigestFinal_ex)>("EVP_DigestFinal_ex");
    return function(context, digest, size);
}

int EVP_DigestInit_ex(EVP_MD_CTX* context, const EVP_MD* type, ENGINE* engine)
{
    static auto* const function = crypto_function<decltype(EVP_DigestInit_ex)>("EVP_DigestInit_ex");
    return function(context, type, engine);
}

int EVP_DigestUpdate(EVP_MD_CTX* context, const void* bytes, size_t size)
{
    static auto* const function = crypto_function<decltype(EVP_DigestUpdate)>("EVP_DigestUpdate");
    return function(context, bytes, size);
}

void EVP_MD_CTX_free(EVP_MD_CTX* context)
{
    static auto* const function = crypto_function<decltype(EVP_MD_CTX_free)>("EVP_MD_CTX_free");
    function(context);
}

EVP_MD_CTX* EVP_MD_CTX_new()
{
    static auto* const function = crypto_function<decltype(EVP_MD_CTX_new)>("EVP_MD_CTX_new");
    return function();
}

int EVP_EncodeBlock(unsigned char* out, const unsigned char* bytes, int size)
{
    static auto* const function = crypto_function<decltype(EVP_EncodeBlock)>("EVP_EncodeBlock");
    return function(out, bytes, size);
}

const EVP_MD* EVP_sha256()
{
    static auto* const function = crypto_function<decltype(EVP_sha256)>("EVP_sha256");
    return function();
}

unsigned char* HMAC(const EVP_MD* type, const void* key, int key_size, const unsigned char* bytes,
                    size_t size, unsigned char* digest, unsigned int* digest_size)
{
    static auto* const function = crypto_function<decltype(HMAC)>("HMAC");
    return function(type, key, key_size, bytes, size, digest, digest_size);
}

int RAND_bytes(unsigned char* bytes, int size)
{
    static auto* const function = crypto_function<decltype(RAND_bytes)>("RAND_bytes");
    return function(bytes, size);
}

unsigned char* SHA256(const unsigned char* bytes, size_t size, unsigned char* digest)
{
    static auto* const function = crypto_function<decltype(SHA256)>("SHA256");
    return function(bytes, size, digest);
}

} // extern "C"
