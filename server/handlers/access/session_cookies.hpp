#pragma once
// What sign-ins by passwords and by an identity provider answer a browser with; in session_routes.cpp.

#include <string>
#include <string_view>

#include "server/net/http.hpp"

namespace vitrine::server {

struct Context;        // server/routing/context.hpp
struct CreatedSession; // server/services/access/session_table.hpp

// Whether browsers take it as an address of this server, which Location may have.
bool is_own_address(std::string_view text);
Response signed_in_redirect(const std::string& next); // 303; `next`: is_own_address()
void add_session_cookie(Response& response, const CreatedSession& made, const Request& request,
                        const Context& context);
// Makes the browser forget its session, and a token that it has shown.
void remove_cookies(Response& response, const Request& request, const Context& context);

} // namespace vitrine::server
