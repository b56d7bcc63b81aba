#pragma once
// Secrets and signatures of Standard Webhooks (version 1 of its signatures, HMAC-SHA256). Any thread.

#include <string>
#include <string_view>
#include <vector>

namespace vitrine::server {

// Returns "whsec_" and 256 random bits in base64. Throws std::runtime_error: no random numbers.
std::string make_webhook_secret();

// The content of the field webhook-signature: "v1," and the signature in base64, of each secret, separated by
// spaces. `time`: seconds since 1970, as in webhook-timestamp. Precondition: make_webhook_secret() has made
// the secrets.
std::string sign_webhook(const std::vector<std::string>& secrets, std::string_view id, long long time,
                         std::string_view body);

} // namespace vitrine::server
