#pragma once
// What an identity provider publishes about itself (OpenID Connect Discovery 1.0): its endpoints and its
// keys. Both are fetched when they are needed, and kept as long as the provider allows. Any thread, blocking
// up to the time limit of a request; one request at a time.

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "server/services/oidc/id_token.hpp"
#include "server/services/oidc/oidc_settings.hpp"
#include "server/util/error.hpp"

namespace vitrine::server {

struct ProviderEndpoints {
    std::string authorization, token, keys;
    std::string user_info{}, end_session{}; // empty: there is none
    bool sends_issuer = false;              // with each response (RFC 9207)
    bool takes_basic = true; // the client's secret in the field Authorization, else in the form
};

// Seconds for which a response may be kept by its Cache-Control: 60 to 86,400; 3600 without max-age.
std::chrono::seconds kept_time(std::string_view cache_control);

class ProviderDocuments {
public:
    struct Times {
        std::chrono::seconds retry{5};        // after a failed request
        std::chrono::seconds unknown_key{30}; // between two requests because of unknown keys
    };

    // `settings` outlives it.
    explicit ProviderDocuments(const OidcSettings& settings) : ProviderDocuments(settings, Times{}) {}
    ProviderDocuments(const OidcSettings& settings, const Times& times) : settings_(settings), times_(times)
    {
    }

    // Errors: busy `provider_unavailable`. A document that has expired is used while there is no other.
    Result<ProviderEndpoints> endpoints();
    // The keys that may have signed the token, of which there is one at least. Errors: as above; invalid
    // `sign_in_failed`: the provider has no such key.
    Result<std::vector<JsonWebKey>> keys_for_token(const SignedToken& token);

private:
    using Clock = std::chrono::steady_clock;
    struct Document {
        boost::json::object value{};
        Clock::time_point expires{};
    };

    Result<ProviderEndpoints> find_endpoints();
    Result<void> fetch(const std::string& url, Document& document);
    Result<void> fetch_keys();

    const OidcSettings& settings_;
    const Times times_;
    std::mutex mutex_; // guards all below, also during a request
    std::optional<ProviderEndpoints> endpoints_;
    Document configuration_, key_set_;
    std::vector<JsonWebKey> keys_;
    Clock::time_point next_attempt_{}, next_unknown_key_{};
};

// The error of everything that a provider does not answer as it should.
std::unexpected<ServiceError> provider_unavailable(std::string_view what, std::string_view why);

} // namespace vitrine::server
