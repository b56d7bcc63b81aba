#pragma once
// How people sign in by an identity provider (OpenID Connect). Plain values.

#include <string>
#include <utility>
#include <vector>

#include "server/access/principal.hpp"

namespace vitrine::server {

struct OidcSettings {
    std::string issuer;          // URL without a fault of is_secure_url()
    std::string client_id;       // of this server at the provider
    std::string client_secret{}; // empty: a public client, which PKCE alone protects
    std::string scopes = "openid profile email";
    std::string groups_claim = "groups";               // as strings_of() reads it
    std::vector<std::pair<std::string, Role>> roles{}; // of groups; the highest one counts
    Role default_role = Role::none;                    // of users in none of these groups; none: no access
    std::string name = "single sign-on";               // of the provider, on the sign-in page
    std::string ca_file{};                             // PEM; empty: authorities of the system
    std::string state_key{};                           // signs cookies; the same in all processes
};

} // namespace vitrine::server
