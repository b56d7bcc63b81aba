#include "server/services/webhooks/webhook_signature.hpp"

#include <array>
#include <stdexcept>

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include "loaders/io/base64.hpp"

namespace vitrine::server {
namespace {

constexpr std::string_view secret_prefix = "whsec_";

std::string base64_of(std::span<const unsigned char> bytes)
{
    return io::encode_base64({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::string sign_with(std::string_view secret, std::string_view text)
{
    const auto key = io::decode_base64(secret.substr(secret_prefix.size()));
    if (!key) throw std::logic_error("the secret of a webhook is not base64");
    std::array<unsigned char, 32> digest{};
    HMAC(EVP_sha256(), key->data(), static_cast<int>(key->size()),
         reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data(), nullptr);
    return "v1," + base64_of(digest);
}

} // namespace

std::string make_webhook_secret()
{
    std::array<unsigned char, 32> random{};
    if (RAND_bytes(random.data(), static_cast<int>(random.size())) != 1)
        throw std::runtime_error("no random numbers for the secret of a webhook");
    return std::string(secret_prefix) + base64_of(random);
}

std::string sign_webhook(const std::vector<std::string>& secrets, std::string_view id, long long time,
                         std::string_view body)
{
    const auto text = fmt::format("{}.{}.{}", id, time, body);
    std::string signatures;
    for (const auto& secret : secrets) {
        if (!signatures.empty()) signatures += ' ';
        signatures += sign_with(secret, text);
    }
    return signatures;
}

} // namespace vitrine::server
