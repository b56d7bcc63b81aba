#pragma once
// The routes of sign-in by an identity provider, and of the device flow.

#include <array>

#include "server/routing/route.hpp"

namespace vitrine::server {

// oidc_routes.cpp
HandlerResult begin_sign_on(const Request& request, Context& context);
HandlerResult finish_sign_on(const Request& request, Context& context);
HandlerResult end_provider_sessions(const Request& request, Context& context);
HandlerResult sign_out(const Request& request, Context& context);
// device_routes.cpp: as RFC 8628 has them
HandlerResult authorize_device(const Request& request, Context& context);
HandlerResult create_device_token(const Request& request, Context& context);
HandlerResult revoke_device_token(const Request& request, Context& context);
// device_page.cpp
HandlerResult get_device_page(const Request& request, Context& context);
HandlerResult decide_device(const Request& request, Context& context);

inline constexpr std::uint64_t sign_on_body_bytes = 4096;
inline constexpr std::uint64_t logout_body_bytes = 128 * 1024; // a token of max_id_token, as a form

// The requests to a provider take seconds when it is slow. They are on a pool of their own, so that no other
// request waits for them.
constexpr Route sign_on_route(Method method, std::string_view pattern, std::string_view name, Access access,
                              BlockingHandler handler, Pool pool)
{
    return {.method = method,
            .pattern = pattern,
            .name = name,
            .access = access,
            .granted = access == Access::read ? Granted::anything : Granted::none, // about who sends it
            .pool = pool,
            .blocking = handler,
            .body_bytes = method == Method::post ? sign_on_body_bytes : 0,
            .is_costly = method == Method::get && pool == Pool::sign_on};
}

constexpr Route with_body(std::uint64_t bytes, Route route)
{
    route.body_bytes = bytes;
    return route;
}

inline constexpr std::array sign_on_routes{
    sign_on_route(Method::get, "/v1/oidc/sign-in", "beginSignOn", Access::anyone, begin_sign_on,
                  Pool::sign_on),
    sign_on_route(Method::get, "/v1/oidc/callback", "finishSignOn", Access::anyone, finish_sign_on,
                  Pool::sign_on),
    with_body(logout_body_bytes,
              sign_on_route(Method::post, "/v1/oidc/backchannel-logout", "endProviderSessions",
                            Access::anyone, end_provider_sessions, Pool::sign_on)),
    sign_on_route(Method::post, "/v1/oidc/sign-out", "signOut", Access::read, sign_out, Pool::sign_on),
    sign_on_route(Method::post, "/v1/device/authorization", "authorizeDevice", Access::anyone,
                  authorize_device, Pool::catalog),
    sign_on_route(Method::post, "/v1/device/token", "createDeviceToken", Access::anyone, create_device_token,
                  Pool::catalog),
    sign_on_route(Method::delete_, "/v1/device/token", "revokeDeviceToken", Access::read, revoke_device_token,
                  Pool::catalog),
    sign_on_route(Method::get, "/device", "getDevicePage", Access::read, get_device_page, Pool::catalog),
    sign_on_route(Method::post, "/device", "decideDevice", Access::read, decide_device, Pool::catalog)};

} // namespace vitrine::server
