#include "server/handlers/access/access_routes.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include "api/resources.hpp"
#include "server/access/principal.hpp"
#include "server/handlers/access/json_body.hpp"
#include "server/routing/context.hpp"
#include "server/routing/problems.hpp"
#include "server/services/access/accounts.hpp"
#include "server/services/services.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

// A body of the routes of users. Members that it does not have are empty.
struct UserBody {
    UserChange change;
    std::optional<std::string> password, old_password;
};

// Reads a string to `target`; returns why it is wrong, as the end of a sentence, or empty.
std::string read_text(const json::value& value, std::optional<std::string>& target,
                      std::string (*fault)(std::string_view))
{
    if (!value.is_string()) return "must be a string";
    target = std::string(value.as_string());
    return fault(*target);
}

std::string read_quota(const json::value& value, std::optional<std::optional<std::uint64_t>>& target)
{
    const auto* bytes = value.if_int64();
    if (!value.is_null() && (bytes == nullptr || *bytes < 0)) return "must be a number of bytes, or null";
    target = bytes == nullptr ? std::nullopt : std::optional(static_cast<std::uint64_t>(*bytes));
    return {};
}

std::string read_user_member(std::string_view key, const json::value& value, UserBody& body)
{
    if (key == "displayName") return read_text(value, body.change.display_name, display_name_fault);
    if (key == "password") return read_text(value, body.password, password_fault);
    if (key == "name") return read_text(value, body.change.name, user_name_fault);
    if (key == "disabled") {
        const auto* disabled = value.if_bool();
        if (disabled == nullptr) return "must be true or false";
        body.change.is_disabled = *disabled;
        return {};
    }
    if (key == "quotaBytes") return read_quota(value, body.change.quota);
    if (key != "role") return "is no member of a user";
    body.change.role = value.is_string() ? parse_user_role(value.as_string()) : std::nullopt;
    return body.change.role ? "" : "must be member, viewer, editor or admin";
}

std::expected<UserBody, api::Problem> read_user(const Request& request,
                                                std::initializer_list<std::string_view> required)
{
    UserBody body;
    const auto read =
        read_members(request, "user", required, [&](std::string_view key, const json::value& value) {
            return read_user_member(key, value, body);
        });
    if (!read) return std::unexpected(read.error());
    return body;
}

// What users may change of themselves.
std::expected<UserBody, api::Problem> read_own(const Request& request)
{
    UserBody body;
    const auto read = read_members(request, "change", {}, [&](auto key, const json::value& value) {
        if (key == "oldPassword")
            return value.is_string() && value.as_string().size() <= max_password
                       ? (body.old_password = std::string(value.as_string()), std::string())
                       : std::string("must be a string");
        if (key != "displayName" && key != "password") return std::string("cannot be changed here");
        return read_user_member(key, value, body);
    });
    if (!read) return std::unexpected(read.error());
    if (body.password && !body.old_password)
        return std::unexpected(api::Problem{.status = 400,
                                            .code = "bad_body",
                                            .detail = "A new password requires the old one.",
                                            .errors = {{"/oldPassword", "oldPassword is required"}}});
    return body;
}

json::value text_or_null(const std::string& text)
{
    return text.empty() ? json::value() : json::value(text);
}

json::object shared_json(const LinkScope& scope)
{
    return {{"asset", text_or_null(scope.asset)},
            {"collection", text_or_null(scope.collection)},
            {"view", text_or_null(scope.shown)},
            {"downloads", scope.downloads}};
}

json::array grants_json(const Principal& me)
{
    json::array grants;
    for (const auto& grant : grants_with(me, Role::viewer))
        grants.push_back(json::object{{"collection", grant.collection}, {"role", to_word(grant.role)}});
    return grants;
}

// The name of the provider by which the user signs in; null: by none that this server has now.
json::value provider_of_user(const std::optional<User>& user, const Context& context)
{
    const auto& sign_on = context.services.sign_on;
    const bool has_provider = user && sign_on && user->issuer == sign_on->issuer();
    return has_provider ? json::value(sign_on->name()) : json::value();
}

HandlerResult me_response(const Request& request, const std::optional<User>& user, const Context& context)
{
    const auto& me = request.principal;
    const std::string_view kind = me.kind == Principal::Kind::token  ? "token"
                                  : me.kind == Principal::Kind::user ? "user"
                                  : me.kind == Principal::Kind::link ? "link"
                                                                     : "open";
    return json_answer(200,
                       json::object{{"kind", kind},
                                    {"id", text_or_null(me.id)},
                                    {"name", text_or_null(me.name)},
                                    {"displayName", user ? json::value(user->display_name) : json::value()},
                                    {"email", user ? text_or_null(user->email) : json::value()},
                                    {"provider", provider_of_user(user, context)},
                                    {"role", to_word(me.role)},
                                    {"collections", grants_json(me)},
                                    {"expiresAt", time_or_null(me.expires)},
                                    {"shared", me.scope ? shared_json(*me.scope) : json::value()},
                                    {"address", request.client}});
}

json::object to_json(const User& user)
{
    return {{"id", user.id},
            {"name", user.name},
            {"displayName", user.display_name},
            {"email", text_or_null(user.email)},
            {"issuer", text_or_null(user.issuer)},
            {"role", to_word(user.role)},
            {"disabled", user.is_disabled},
            {"hasPassword", !user.password_hash.empty()},
            {"quotaBytes", user.quota ? json::value(*user.quota) : json::value()},
            {"createdAt", api::to_rfc3339(user.created)},
            {"createdBy", user.created_by},
            {"updatedAt", api::to_rfc3339(user.updated)}};
}

} // namespace

HandlerResult list_users(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    json::array items;
    for (const auto& user : context.services.accounts.list_users())
        items.push_back(to_json(user));
    return json_answer(200, json::object{{"items", std::move(items)}});
}

HandlerResult create_user(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    const auto body = read_user(request, {"name", "role"});
    if (!body) return std::unexpected(body.error());
    const auto& wanted = body->change;
    const auto user =
        context.services.accounts.create_user({.name = wanted.name.value(),
                                               .display_name = wanted.display_name.value_or(""),
                                               .role = wanted.role.value(),
                                               .is_disabled = wanted.is_disabled.value_or(false),
                                               .created_by = to_text(request.principal),
                                               .quota = wanted.quota.value_or(std::nullopt)},
                                              body->password);
    if (!user) return problem(user.error());
    auto response = json_answer(201, to_json(*user), "no-store");
    response.headers.add("Location", "/v1/users/" + user->id);
    return response;
}

HandlerResult get_user(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    const auto user = context.services.accounts.find_user(request.param("id"));
    if (!user) return problem(404, "no_user", "There is no such user.");
    return json_answer(200, to_json(*user));
}

HandlerResult change_user(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    const auto body = read_user(request, {});
    if (!body) return std::unexpected(body.error());
    const auto user =
        context.services.accounts.change_user(request.param("id"), body->change, body->password);
    if (!user) return problem(user.error());
    return json_answer(200, to_json(*user), "no-store");
}

HandlerResult delete_user(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    const auto removed = context.services.accounts.remove_user(request.param("id"));
    if (!removed) return problem(removed.error());
    return Response{.status = 204};
}

HandlerResult get_me(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    const auto& me = request.principal;
    const bool is_user = me.kind == Principal::Kind::user;
    return me_response(request, is_user ? context.services.accounts.find_user(me.id) : std::nullopt, context);
}

HandlerResult change_me(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    const auto& me = request.principal;
    if (me.kind != Principal::Kind::user)
        return problem(403, "user_required", "Only a user who has signed in can change this.");
    auto body = read_own(request);
    if (!body) return std::unexpected(body.error());
    auto& accounts = context.services.accounts;
    if (body->password) {
        const auto checked = accounts.check_password(me.id, *body->old_password, request.client);
        if (!checked) return std::unexpected(sign_in_problem(checked.error().retry_after_s, 403));
        body->change.kept_session = me.session;
    }
    const auto user = accounts.change_user(me.id, body->change, body->password);
    if (!user) return problem(user.error());
    return me_response(request, *user, context);
}

} // namespace vitrine::server
