#include "server/access/cookies.hpp"

#include "server/access/access_token.hpp"

namespace vitrine::server {

CookieNames cookie_names_of(std::string_view server_token)
{
    const auto suffix = server_token.empty() ? std::string("open")
                                             : derive_from_token(server_token, "cookie name").substr(0, 12);
    const auto session = "vitrine_session_" + suffix;
    const auto link = "vitrine_link_" + suffix;
    return {.token = "vitrine_" + suffix,
            .session = session,
            .secure_session = "__Host-" + session,
            .link = link,
            .secure_link = "__Host-" + link};
}

std::string cookie_field(std::string_view name, std::string_view value, std::int64_t seconds, bool https)
{
    std::string field(name);
    field.append("=").append(value).append("; Path=/; Max-Age=").append(std::to_string(seconds));
    field.append("; HttpOnly; SameSite=Lax").append(https ? "; Secure" : "");
    return field;
}

} // namespace vitrine::server
