#pragma once
// The cookies of browsers that are signed in. Pure functions.

#include <cstdint>
#include <string>
#include <string_view>

namespace vitrine::server {

// Their names are derived from the server's token, because cookies do not distinguish the ports of a host.
struct CookieNames {
    std::string token;   // of a browser that has shown a token
    std::string session; // of one in which a user has signed in with a password; without TLS
    // The same with TLS: browsers take it only from this host, encrypted, and not from a subdomain.
    std::string secure_session;
    std::string link; // of one that has followed a share link; without TLS
    std::string secure_link;
};

// `server_token`: empty: the server requires none.
CookieNames cookie_names_of(std::string_view server_token);

// Returns the value of Set-Cookie. `seconds`: until the browser forgets it; 0: at once. `https`: the browser
// uses TLS, and shall send the cookie only by it.
std::string cookie_field(std::string_view name, std::string_view value, std::int64_t seconds, bool https);

} // namespace vitrine::server
