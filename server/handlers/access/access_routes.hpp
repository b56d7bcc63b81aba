#pragma once
// The routes of access: who sends a request, users, sessions, access tokens, the audit log.

#include <array>

#include "server/routing/route.hpp"

namespace vitrine::server {

// user_routes.cpp
HandlerResult get_me(const Request& request, Context& context);
HandlerResult change_me(const Request& request, Context& context);
HandlerResult list_users(const Request& request, Context& context);
HandlerResult create_user(const Request& request, Context& context);
HandlerResult get_user(const Request& request, Context& context);
HandlerResult change_user(const Request& request, Context& context);
HandlerResult delete_user(const Request& request, Context& context);
// session_routes.cpp
HandlerResult list_sessions(const Request& request, Context& context);
HandlerResult create_session(const Request& request, Context& context);
HandlerResult end_session(const Request& request, Context& context);
// token_routes.cpp
HandlerResult list_tokens(const Request& request, Context& context);
HandlerResult create_token(const Request& request, Context& context);
HandlerResult revoke_token(const Request& request, Context& context);
// audit_routes.cpp
HandlerResult list_audit(const Request& request, Context& context);

inline constexpr std::uint64_t access_body_bytes = 16 * 1024;

// Of POST and PATCH, the body is JSON.
constexpr Route access_route(Method method, std::string_view pattern, std::string_view name, Access access,
                             BlockingHandler handler, Pool pool = Pool::catalog)
{
    const bool has_body = method == Method::post || method == Method::patch;
    return {.method = method,
            .pattern = pattern,
            .name = name,
            .access = access,
            .pool = pool,
            .blocking = handler,
            .body_bytes = has_body ? access_body_bytes : 0,
            .is_text = method == Method::get && access == Access::read};
}

// Routes that only change what belongs to the one who sends the request have Access::read.
inline constexpr std::array access_routes{
    shared(Sharing::anything, access_route(Method::get, "/v1/me", "getMe", Access::read, get_me)),
    granted(Granted::anything,
            access_route(Method::patch, "/v1/me", "changeMe", Access::read, change_me, Pool::passwords)),
    granted(Granted::anything,
            access_route(Method::get, "/v1/sessions", "listSessions", Access::read, list_sessions)),
    access_route(Method::post, "/v1/sessions", "createSession", Access::anyone, create_session,
                 Pool::passwords),
    granted(Granted::anything,
            access_route(Method::delete_, "/v1/sessions/{id}", "endSession", Access::read, end_session)),
    access_route(Method::get, "/v1/users", "listUsers", Access::administer, list_users),
    access_route(Method::post, "/v1/users", "createUser", Access::administer, create_user, Pool::passwords),
    access_route(Method::get, "/v1/users/{id}", "getUser", Access::administer, get_user),
    access_route(Method::patch, "/v1/users/{id}", "changeUser", Access::administer, change_user,
                 Pool::passwords),
    access_route(Method::delete_, "/v1/users/{id}", "deleteUser", Access::administer, delete_user),
    access_route(Method::get, "/v1/tokens", "listTokens", Access::administer, list_tokens),
    access_route(Method::post, "/v1/tokens", "createToken", Access::administer, create_token),
    access_route(Method::delete_, "/v1/tokens/{id}", "revokeToken", Access::administer, revoke_token),
    access_route(Method::get, "/v1/audit", "listAudit", Access::administer, list_audit)};

// Who may use a collection besides those whose role is for the whole library.
HandlerResult list_grants(const Request& request, Context& context);
HandlerResult put_grant(const Request& request, Context& context);
HandlerResult remove_grant(const Request& request, Context& context);
HandlerResult put_group_grant(const Request& request, Context& context);
HandlerResult remove_group_grant(const Request& request, Context& context);

constexpr Route grant_route(Method method, std::string_view pattern, std::string_view name,
                            BlockingHandler handler, std::uint64_t body_bytes = 0)
{
    return granted(Granted::administration,
                   catalog_route(method, Access::administer, pattern, name, handler, body_bytes));
}

inline constexpr std::array grant_routes{
    grant_route(Method::get, "/v1/collections/{id}/grants", "listGrants", list_grants),
    grant_route(Method::put, "/v1/collections/{id}/grants", "putGroupGrant", put_group_grant, 1024),
    grant_route(Method::delete_, "/v1/collections/{id}/grants", "removeGroupGrant", remove_group_grant),
    grant_route(Method::put, "/v1/collections/{id}/grants/{user}", "putGrant", put_grant, 1024),
    grant_route(Method::delete_, "/v1/collections/{id}/grants/{user}", "removeGrant", remove_grant),
};

} // namespace vitrine::server
