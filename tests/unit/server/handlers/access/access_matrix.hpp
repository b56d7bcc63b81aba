#pragma once
// Requests to every route of the table by one principal.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server::testing {

using Field = std::pair<std::string, std::string>;

inline constexpr const char* server_token = "sesame-sesame-sesame";

inline Field bearer(const std::string& token)
{
    return {"Authorization", "Bearer " + token};
}

// The pattern with `id` for {id}, and with words for other parameters.
inline std::string path_of(const Route& route, const std::string& id)
{
    std::string path;
    std::string_view rest = route.pattern;
    while (!rest.empty()) {
        const auto begin = rest.find('{');
        path += rest.substr(0, begin);
        if (begin == rest.npos) break;
        const auto end = rest.find('}', begin);
        path += rest.substr(begin, end - begin + 1) == "{id}" ? id : "0";
        rest.remove_prefix(end + 1);
    }
    return path;
}

// The code of the guard's rejection; empty: the route has answered.
inline std::string rejection_of(const Answered& answered)
{
    if (answered.status() != 401 && answered.status() != 403) return {};
    const auto code = answered.code();
    return code == "token_required" || code == "role_required" ? code : std::string();
}

// RFC 6750, 3.1: the role of a token is its scope.
inline std::string scope_error(Access access)
{
    return fmt::format(R"(Bearer realm="Vitrine", error="insufficient_scope", scope="{}")",
                       to_word(role_for(access).value()));
}

class AccessMatrix : public HandlerTest {
protected:
    explicit AccessMatrix(const std::function<void(ServicesConfig&)>& adjust = {})
        : HandlerTest(false, adjust, {.token = server_token})
    {
    }

    struct Sender {
        std::string name;
        std::vector<Field> fields;
        Role role;
    };

    CreatedAccessToken make(Role role, Micros expires = 0)
    {
        return services.tokens
            .create({.name = "of the matrix", .role = role, .expires = expires, .created_by = "test"})
            .value();
    }

    static Field cookie_of(const std::string& token)
    {
        const auto cookie = Guard({.token = server_token}).session_cookie({}, token);
        return {"Cookie", cookie.substr(0, cookie.find(';'))};
    }

    // A user of the role who has signed in; `name`: nobody else's.
    CreatedSession make_session(const std::string& name, Role role)
    {
        services.accounts.create_user({.name = name, .role = role}, "a long sentence").value();
        return services.accounts.sign_in({name, "a long sentence", name, ""}).value();
    }
    Field cookie_of(const CreatedSession& made) const
    {
        return {"Cookie", cookies.session + "=" + made.secret};
    }

    void expect_matrix(const std::vector<Sender>& senders)
    {
        std::vector<const Route*> routes{&page_route()};
        // Those that end the access of the sender are in sign_on_test.cpp.
        for (const auto& route : all_routes())
            if (route.name != "signOut" && route.name != "revokeDeviceToken") routes.push_back(&route);
        ASSERT_GT(routes.size(), 70u);
        for (const auto* route : routes)
            for (const auto& sender : senders) {
                const auto answered = ask(route->method, path_of(*route, "none"), sender.fields, {}, 0);
                const auto rejection = rejection_of(answered);
                const bool allowed = may(sender.role, route->access);
                const auto* expected = allowed                     ? ""
                                       : sender.role == Role::none ? "token_required"
                                                                   : "role_required";
                EXPECT_EQ(rejection, expected) << route->name << ", " << sender.name;
                if (rejection == "role_required")
                    EXPECT_EQ(answered.header("WWW-Authenticate"), scope_error(route->access)) << route->name;
            }
    }
};

} // namespace vitrine::server::testing
