#include <stdexcept>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>

#include "loaders/base/late_library.hpp"

// libcrypto, loaded at its first use (docs/decisions/0023-late-libcrypto.md). Defines the functions that the
// server calls; each forwards to the function of that name in the library. A further function needs a
// row here. VITRINE_CRYPTO_LIBRARY is the name of the library whose header was compiled.

namespace vitrine::server {
namespace {

LateFunction* late_function(const char* name)
{
    static const LateLibrary library(VITRINE_CRYPTO_LIBRARY);
    auto* const function = library.find<LateFunction>(name);
    if (function == nullptr) throw std::runtime_error(VITRINE_CRYPTO_LIBRARY " cannot be loaded");
    return function;
}

} // namespace
} // namespace vitrine::server

using vitrine::server::late_function;

extern "C" {

VITRINE_FORWARD(int, CRYPTO_memcmp, (const void* a, const void* b, size_t size), (a, b, size))
VITRINE_FORWARD(int, EVP_CIPHER_CTX_ctrl, (EVP_CIPHER_CTX * context, int type, int size, void* value),
                (context, type, size, value))
VITRINE_FORWARD(void, EVP_CIPHER_CTX_free, (EVP_CIPHER_CTX * context), (context))
VITRINE_FORWARD(EVP_CIPHER_CTX*, EVP_CIPHER_CTX_new, (), ())
VITRINE_FORWARD(int, EVP_DecodeBlock, (unsigned char* out, const unsigned char* text, int size),
                (out, text, size))
VITRINE_FORWARD(int, EVP_DecryptFinal_ex, (EVP_CIPHER_CTX * context, unsigned char* out, int* size),
                (context, out, size))
VITRINE_FORWARD(int, EVP_DecryptInit_ex,
                (EVP_CIPHER_CTX * context, const EVP_CIPHER* type, ENGINE* engine, const unsigned char* key,
                 const unsigned char* nonce),
                (context, type, engine, key, nonce))
VITRINE_FORWARD(int, EVP_DecryptUpdate,
                (EVP_CIPHER_CTX * context, unsigned char* out, int* size, const unsigned char* in,
                 int in_size),
                (context, out, size, in, in_size))
VITRINE_FORWARD(int, EVP_DigestFinal_ex, (EVP_MD_CTX * context, unsigned char* digest, unsigned int* size),
                (context, digest, size))
VITRINE_FORWARD(int, EVP_DigestInit_ex, (EVP_MD_CTX * context, const EVP_MD* type, ENGINE* engine),
                (context, type, engine))
VITRINE_FORWARD(int, EVP_DigestUpdate, (EVP_MD_CTX * context, const void* bytes, size_t size),
                (context, bytes, size))
VITRINE_FORWARD(int, EVP_DigestVerify,
                (EVP_MD_CTX * context, const unsigned char* signature, size_t signature_size,
                 const unsigned char* bytes, size_t size),
                (context, signature, signature_size, bytes, size))
VITRINE_FORWARD(int, EVP_DigestVerifyInit,
                (EVP_MD_CTX * context, EVP_PKEY_CTX** key_context, const EVP_MD* type, ENGINE* engine,
                 EVP_PKEY* key),
                (context, key_context, type, engine, key))
VITRINE_FORWARD(void, EVP_MD_CTX_free, (EVP_MD_CTX * context), (context))
VITRINE_FORWARD(EVP_MD_CTX*, EVP_MD_CTX_new, (), ())
VITRINE_FORWARD(int, EVP_EncodeBlock, (unsigned char* out, const unsigned char* bytes, int size),
                (out, bytes, size))
VITRINE_FORWARD(int, EVP_EncryptFinal_ex, (EVP_CIPHER_CTX * context, unsigned char* out, int* size),
                (context, out, size))
VITRINE_FORWARD(int, EVP_EncryptInit_ex,
                (EVP_CIPHER_CTX * context, const EVP_CIPHER* type, ENGINE* engine, const unsigned char* key,
                 const unsigned char* nonce),
                (context, type, engine, key, nonce))
VITRINE_FORWARD(int, EVP_EncryptUpdate,
                (EVP_CIPHER_CTX * context, unsigned char* out, int* size, const unsigned char* in,
                 int in_size),
                (context, out, size, in, in_size))
VITRINE_FORWARD(int, EVP_PBE_scrypt,
                (const char* password, size_t password_size, const unsigned char* salt, size_t salt_size,
                 uint64_t n, uint64_t r, uint64_t p, uint64_t max_memory, unsigned char* key,
                 size_t key_size),
                (password, password_size, salt, salt_size, n, r, p, max_memory, key, key_size))
VITRINE_FORWARD(void, EVP_PKEY_CTX_free, (EVP_PKEY_CTX * context), (context))
VITRINE_FORWARD(EVP_PKEY_CTX*, EVP_PKEY_CTX_new_from_name,
                (OSSL_LIB_CTX * library, const char* name, const char* properties),
                (library, name, properties))
VITRINE_FORWARD(int, EVP_PKEY_CTX_set_rsa_padding, (EVP_PKEY_CTX * context, int padding), (context, padding))
VITRINE_FORWARD(int, EVP_PKEY_CTX_set_rsa_pss_saltlen, (EVP_PKEY_CTX * context, int size), (context, size))
// Also in net/transport/tls_library.cpp, which is used where both are linked: that of the same library.
#pragma weak EVP_PKEY_free
VITRINE_FORWARD(void, EVP_PKEY_free, (EVP_PKEY * key), (key))
VITRINE_FORWARD(int, EVP_PKEY_fromdata,
                (EVP_PKEY_CTX * context, EVP_PKEY** key, int selection, OSSL_PARAM* params),
                (context, key, selection, params))
VITRINE_FORWARD(int, EVP_PKEY_fromdata_init, (EVP_PKEY_CTX * context), (context))
VITRINE_FORWARD(int, EVP_PKEY_get_bits, (const EVP_PKEY* key), (key))
VITRINE_FORWARD(const EVP_CIPHER*, EVP_aes_256_gcm, (), ())
VITRINE_FORWARD(const EVP_MD*, EVP_sha1, (), ())
VITRINE_FORWARD(const EVP_MD*, EVP_sha256, (), ())
VITRINE_FORWARD(unsigned char*, HMAC,
                (const EVP_MD* type, const void* key, int key_size, const unsigned char* bytes, size_t size,
                 unsigned char* digest, unsigned int* digest_size),
                (type, key, key_size, bytes, size, digest, digest_size))
VITRINE_FORWARD(int, RAND_bytes, (unsigned char* bytes, int size), (bytes, size))

} // extern "C"
