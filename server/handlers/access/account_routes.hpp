#pragma once
// The routes of what a user has: access tokens, storage.

#include <array>

#include "server/handlers/access/access_routes.hpp"

namespace vitrine::server {

// own_token_routes.cpp
HandlerResult list_own_tokens(const Request& request, Context& context);
HandlerResult revoke_own_token(const Request& request, Context& context);
// storage_routes.cpp
HandlerResult get_own_storage(const Request& request, Context& context);
HandlerResult list_user_storage(const Request& request, Context& context);

inline constexpr std::array account_routes{
    granted(Granted::anything,
            access_route(Method::get, "/v1/me/tokens", "listOwnTokens", Access::read, list_own_tokens)),
    granted(Granted::anything, access_route(Method::delete_, "/v1/me/tokens/{id}", "revokeOwnToken",
                                            Access::read, revoke_own_token)),
    granted(Granted::anything,
            access_route(Method::get, "/v1/me/storage", "getOwnStorage", Access::read, get_own_storage)),
    access_route(Method::get, "/v1/storage/users", "listUserStorage", Access::administer, list_user_storage)};

} // namespace vitrine::server
