#pragma once
// How a browser shows its token: the link that `vitrine serve` prints (/?token=TOKEN) or the form of the
// sign-in page. Both lead to a cookie. The page has a form for users with a password too, whose target is
// POST /v1/sessions.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/problem.hpp"
#include "server/net/http.hpp"
#include "server/net/request_guard.hpp"

namespace vitrine::server {

struct Context; // server/routing/context.hpp

enum class SignInFault : std::uint8_t { none, wrong_token, wrong_password, too_often };
// The page with the forms, 401. `next`: encoded address of this server where they lead. `provider`: name of
// the identity provider, to which a link leads; null: there is none.
Response sign_in_page(SignInFault fault, std::string_view next, const std::string* provider = nullptr);

struct SignInAnswer {
    Response response;
    std::optional<Principal> principal{}; // who has signed in
    bool is_rejected = false;             // a wrong token was shown
};

// Answers a browser (GET that accepts HTML, not below /v1): with a redirect to the same address without the
// token and the cookie, if the query holds the token; with the sign-in page, if the guard requires a token
// and the request has none or a wrong one. Nothing: the request goes on. `rejection`: what the guard says
// about the request. `provider`: as sign_in_page's.
std::optional<SignInAnswer> sign_in(const Guard& guard, const Request& request,
                                    const std::optional<api::Problem>& rejection,
                                    const std::string* provider = nullptr);
// The name of the identity provider; null: there is none.
const std::string* provider_of(const Context& context);

// Adds the sign-in to the audit log, if the answer is one. Does not wait.
void record_sign_in(Context& context, const Request& request, const SignInAnswer& answer);

} // namespace vitrine::server
