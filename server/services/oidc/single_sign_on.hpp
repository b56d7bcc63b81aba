#pragma once
// Sign-in by an identity provider: the authorization code flow with PKCE (OpenID Connect Core 1.0, 3.1;
// RFC 7636). What must be known between the two requests of a browser is in a signed cookie of it, so that
// any process can answer the second. Any thread, blocking up to some seconds.

#include <optional>
#include <string>

#include "server/services/access/session_table.hpp"
#include "server/services/access/user_table.hpp"
#include "server/services/oidc/provider_documents.hpp"

namespace vitrine::server {

struct SignOnStart {
    std::string location; // of the provider
    std::string cookie;   // for the same browser, max_sign_on_s
};
inline constexpr std::int64_t max_sign_on_s = 600;

// What comes back with the browser.
struct SignOnReturn {
    std::string cookie, state, code;
    std::string error{};  // of the provider, instead of the code
    std::string issuer{}; // RFC 9207; empty: not sent
    std::string redirect; // the address of this request, as at the start
};

struct SignedOn {
    ExternalUser user;
    std::string next; // where the browser wanted to go
    std::string sid;  // of the session at the provider; empty: the ID token has none
};

class SingleSignOn {
public:
    explicit SingleSignOn(OidcSettings settings) : settings_(std::move(settings)), documents_(settings_) {}

    const std::string& name() const { return settings_.name; }
    const std::string& issuer() const { return settings_.issuer; }

    // `next`: a path of this server. Errors: busy `provider_unavailable`.
    Result<SignOnStart> begin(const std::string& redirect, const std::string& next);
    // Errors: also invalid `sign_in_failed`, with the reason as a sentence.
    Result<SignedOn> finish(const SignOnReturn& returned);
    // What a logout token says (OpenID Connect Back-Channel Logout 1.0, 2.6), except whether it was used
    // before. Errors: busy `provider_unavailable`; invalid `bad_logout_token`, with the reason as a sentence.
    Result<ProviderLogout> read_logout(const std::string& token);
    // Where a browser also ends the session of the provider, which leads back to `back`; empty: nowhere.
    std::string sign_out_address(const std::string& back);

private:
    struct Pending;

    Result<Pending> read_cookie(const std::string& cookie) const;
    Result<boost::json::object> exchange(const SignOnReturn& returned, const std::string& verifier,
                                         const ProviderEndpoints& endpoints) const;
    // `name`: of the token in sentences. Errors: as documents_.keys_for_token()'s.
    Result<SignedToken> verify_signed(const std::string& text, std::string_view name);
    Result<boost::json::object> verify(const std::string& id_token, const std::string& nonce);
    Result<void> add_user_info(boost::json::object& claims, const std::string& access_token,
                               const ProviderEndpoints& endpoints) const;
    std::vector<std::string> groups_of(const boost::json::object& claims) const;
    Role role_of(const boost::json::object& claims) const;

    const OidcSettings settings_;
    ProviderDocuments documents_;
};

} // namespace vitrine::server
