#include "server/link/link_secret.hpp"

#include <stdexcept>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

namespace vitrine::server {

LinkDigest make_challenge()
{
    LinkDigest nonce{};
    if (RAND_bytes(reinterpret_cast<unsigned char*>(nonce.data()), static_cast<int>(nonce.size())) != 1)
        throw std::runtime_error("the system provides no random bytes");
    return nonce;
}

LinkDigest link_mac(std::string_view secret, LinkEnd end, const LinkDigest& worker_nonce,
                    const LinkDigest& api_nonce)
{
    std::string text(end == LinkEnd::worker ? "vitrine link worker" : "vitrine link api");
    for (const auto* nonce : {&worker_nonce, &api_nonce})
        text.append(reinterpret_cast<const char*>(nonce->data()), nonce->size());
    LinkDigest mac{};
    HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()),
         reinterpret_cast<const unsigned char*>(text.data()), text.size(),
         reinterpret_cast<unsigned char*>(mac.data()), nullptr);
    return mac;
}

bool is_equal(const LinkDigest& a, const LinkDigest& b)
{
    return CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

} // namespace vitrine::server
