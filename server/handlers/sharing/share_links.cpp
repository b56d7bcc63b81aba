// Share links of assets, collections and views.

#include <algorithm>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

#include "api/resources.hpp"
#include "server/handlers/access/json_body.hpp"
#include "server/handlers/sharing/sharing_routes.hpp"
#include "server/net/url.hpp"
#include "server/routing/context.hpp"
#include "server/routing/problems.hpp"
#include "server/routing/query_reader.hpp"
#include "server/services/services.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

constexpr std::int64_t max_link_lifetime_s = 10ll * 366 * 24 * 3600;
constexpr std::size_t max_view_bytes = 2000;

json::value id_or_null(const std::string& id)
{
    return id.empty() ? json::value() : json::value(id);
}

json::object to_json(const ShareLink& link)
{
    const auto& scope = link.scope;
    return {{"id", link.id},
            {"name", link.name},
            {"asset", id_or_null(scope.asset)},
            {"collection", id_or_null(scope.collection)},
            {"view", id_or_null(scope.shown)},
            {"downloads", scope.downloads},
            {"hasPassword", !link.password_hash.empty()},
            {"createdAt", api::to_rfc3339(link.created)},
            {"createdBy", link.created_by},
            {"expiresAt", time_or_null(link.expires)},
            {"lastUsedAt", time_or_null(link.last_used)},
            {"uses", link.uses}};
}

// What a body describes, before its password is hashed.
struct LinkBody {
    NewShareLink link;
    std::string password;
};

// Returns why it cannot be the query of an asset's page, as the end of a sentence.
std::string view_fault(const std::string& text)
{
    const bool is_printable =
        std::ranges::all_of(text, [](char c) { return c > ' ' && c < '\x7f' && c != '#' && c != '"'; });
    const auto target = parse_target("/?" + text);
    if (text.empty() || text.size() > max_view_bytes || !is_printable || !target)
        return fmt::format("must be the query of an asset's page, of 1 to {} bytes", max_view_bytes);
    const Request request{.target = *target};
    return may_show_other_assets(request) ? "names other assets, which the link would not show (:NAME is "
                                            "a clip of the asset itself)"
                                          : "";
}

std::string read_text_member(const json::value& value, std::string& text,
                             std::string (*fault)(std::string_view))
{
    if (!value.is_string()) return "must be a string";
    text = value.as_string();
    return fault(text);
}

std::string id_fault(std::string_view id)
{
    return id.empty() || id.size() > 100 ? "must be an id" : "";
}

std::string read_link_member(std::string_view key, const json::value& value, LinkBody& body)
{
    auto& [link, password] = body;
    if (key == "name") return read_text_member(value, link.name, token_name_fault);
    if (key == "asset") return read_text_member(value, link.scope.asset, id_fault);
    if (key == "collection") return read_text_member(value, link.scope.collection, id_fault);
    if (key == "view")
        return read_text_member(value, link.scope.shown,
                                [](std::string_view text) { return view_fault(std::string(text)); });
    if (key == "password") return read_text_member(value, password, password_fault);
    if (key == "downloads") {
        if (!value.is_bool()) return "must be true or false";
        link.scope.downloads = value.as_bool();
        return {};
    }
    if (key != "expiresIn") return "is no member of a share link";
    const auto* seconds = value.if_int64();
    if (!seconds || *seconds < 1 || *seconds > max_link_lifetime_s)
        return fmt::format("must be a number of seconds, 1 to {}", max_link_lifetime_s);
    link.expires = now() + *seconds * 1'000'000;
    return {};
}

std::expected<LinkBody, api::Problem> read_link(const Request& request)
{
    LinkBody body;
    const auto read =
        read_members(request, "share link", {"name"}, [&](std::string_view key, const json::value& value) {
            return read_link_member(key, value, body);
        });
    if (!read) return std::unexpected(read.error());
    const auto& scope = body.link.scope;
    api::Problem rejection{
        .status = 400, .code = "bad_body", .detail = "A share link has one asset or one collection."};
    if (scope.asset.empty() == scope.collection.empty())
        rejection.errors.push_back({.pointer = "/asset", .detail = "give either asset or collection"});
    if (scope.asset.empty() && !scope.shown.empty())
        rejection.errors.push_back({.pointer = "/view", .detail = "view is of an asset"});
    if (!rejection.errors.empty()) return std::unexpected(rejection);
    body.link.created_by = to_text(request.principal);
    return body;
}

} // namespace

HandlerResult list_share_links(const Request& request, Context& context)
{
    QueryReader reader(request);
    const auto asset = reader.text("asset"), collection = reader.text("collection");
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    json::array items;
    for (const auto& stored : context.services.tokens.links().list()) {
        const auto& scope = stored.link.scope;
        const bool is_wanted =
            (!asset || scope.asset == *asset) && (!collection || scope.collection == *collection);
        if (is_wanted) items.push_back(to_json(stored.link));
    }
    return json_answer(200, json::object{{"items", std::move(items)}});
}

HandlerResult create_share_link(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    auto body = read_link(request);
    if (!body) return std::unexpected(body.error());
    if (!body->password.empty()) body->link.password_hash = context.services.accounts.hash(body->password);
    const auto made = context.services.tokens.create_link(std::move(body->link));
    if (!made) return problem(made.error());
    auto shown = to_json(made->link);
    shown["secret"] = made->secret;
    shown["path"] = "/s/" + made->secret;
    auto response = json_answer(201, shown, "no-store");
    response.headers.add("Location", "/v1/share-links/" + made->link.id);
    return response;
}

HandlerResult get_share_link(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    const auto link = context.services.tokens.links().find(request.param("id"));
    if (!link) return problem(link.error());
    return json_answer(200, to_json(*link));
}

HandlerResult revoke_share_link(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    const auto removed = context.services.tokens.remove_link(request.param("id"));
    if (!removed) return problem(removed.error());
    return Response{.status = 204};
}

} // namespace vitrine::server
