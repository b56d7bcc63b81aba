#pragma once
// URLs that show one picture to everybody until they expire: HMAC-SHA256 over path and parameters by a key of
// the server. Pure functions.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vitrine::server {

using UrlParameters = std::vector<std::pair<std::string, std::string>>; // decoded

struct UrlKey {
    std::string id;
    std::string secret;
};

// What the query of a signed URL has besides the parameters of the picture: `key`, `expires` and `sig`.
struct UrlSignature {
    std::string key;
    std::int64_t expires = 0; // seconds since 1970
    std::string digits{};     // hexadecimal
};

// `path`: as it will be sent, "/v1/assets/ID/render". The parameters must be sent in this order.
UrlSignature sign_url(std::string_view path, const UrlParameters& parameters, std::int64_t expires,
                      const UrlKey& key);
// Whether sign_url() has returned this signature for the path and the parameters. Takes the same time
// whatever the digits are.
bool matches_url(const UrlSignature& signature, std::string_view path, const UrlParameters& parameters,
                 std::string_view secret);

// Whether a query has a parameter `sig`.
bool has_url_signature(const UrlParameters& parameters);
// Removes the signature from the parameters. Empty: none, or one that sign_url() never makes.
std::optional<UrlSignature> take_url_signature(UrlParameters& parameters);

} // namespace vitrine::server
