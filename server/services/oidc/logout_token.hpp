#pragma once
// Logout tokens (OpenID Connect Back-Channel Logout 1.0, 2.4 and 2.6). Pure functions; the signature is
// verified by json_web_key.hpp. Reasons are for people, without parts of the token.

#include <string>

#include <boost/json/object.hpp>

#include "server/services/access/session_table.hpp"
#include "server/services/oidc/id_token.hpp"

namespace vitrine::server {

// Why the claims are not those of a logout, as the end of a sentence; empty: they are. The nonce is not
// looked at: there must be none.
std::string logout_claims_fault(const boost::json::object& claims, const ExpectedClaims& expected);

// Precondition: the claims have no fault.
ProviderLogout logout_of(const boost::json::object& claims);

} // namespace vitrine::server
