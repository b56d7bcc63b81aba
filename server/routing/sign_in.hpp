#pragma once
// How a browser shows its token: the link that `vitrine serve` prints (/?token=TOKEN) or the form of the
// sign-in page. Both lead to a cookie. Pure functions.

#include <optional>

#include "api/problem.hpp"
#include "server/net/http.hpp"
#include "server/net/request_guard.hpp"

namespace vitrine::server {

// Answers a browser (GET that accepts HTML, not below /v1): with a redirect to the same address without the
// token and the cookie, if the query holds the token; with the sign-in page, if the guard requires a token
// and the request has none or a wrong one. Nothing: the request goes on. `rejection`: what the guard says
// about the request.
std::optional<Response> sign_in(const Guard& guard, const Request& request,
                                const std::optional<api::Problem>& rejection);

} // namespace vitrine::server
