// Saved searches.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "server/handlers/organization/list_params.hpp"
#include "server/handlers/organization/organization_routes.hpp"
#include "server/net/url.hpp"
#include "server/routing/body_members.hpp"
#include "server/routing/context.hpp"
#include "server/routing/json_responses.hpp"
#include "server/routing/problems.hpp"
#include "server/services/organization/search_table.hpp"

namespace vitrine::server {
namespace {

HandlerResult search_response(const Request& request, int status, const Result<SavedSearch>& search)
{
    if (!search) return problem(search.error());
    auto response = json_response(status, to_json(*search, to_text(request.principal)));
    add_caching(response, search->etag());
    if (status == 201) response.headers.add("Location", "/v1/searches/" + search->id);
    return response;
}

// What is wrong with the query; empty: GET /v1/assets takes it, and it has only filters and an order.
std::string query_fault(const std::string& query, const Principal& principal)
{
    if (query.size() > max_search_query_bytes)
        return fmt::format("must have at most {} bytes", max_search_query_bytes);
    auto target = parse_target("/v1/assets?" + query);
    if (!target) return "is not a query";
    Request request;
    request.target = std::move(*target);
    constexpr std::array<std::string_view, 7> of_pages{"cursor", "offset", "at",    "limit",
                                                       "total",  "facets", "fields"};
    for (const auto& [name, value] : request.target.query)
        if (std::ranges::find(of_pages, name) != of_pages.end()) return fmt::format("must not have {}", name);
    QueryReader reader(request);
    (void)read_list(reader, principal);
    const auto rejection = reader.finish();
    if (!rejection) return {};
    if (rejection->errors.empty()) return rejection->detail;
    return fmt::format("{} {}", rejection->errors.front().pointer, rejection->errors.front().detail);
}

std::expected<SearchChange, api::Problem> read_search(const Request& request, bool is_new)
{
    const auto body = read_json_object(request);
    if (!body) return std::unexpected(body.error());
    BodyMembers members(*body);
    SearchChange change;
    if (is_new) {
        members.require("name");
        members.require("query");
    }
    change.name = members.text("name");
    if (change.name) members.reject("name", name_fault(*change.name));
    change.query = members.text("query");
    if (change.query) members.reject("query", query_fault(*change.query, request.principal));
    change.shared = members.flag("shared");
    if (auto rejection = members.finish()) return std::unexpected(*rejection);
    if (!is_new) change.if_match = read_if_match(request);
    return change;
}

// What all see is written by editors.
std::optional<api::Problem> reject_sharing(const Request& request, const SearchChange& change)
{
    if (!change.shared.value_or(false) || request.principal.role >= Role::editor) return std::nullopt;
    return role_problem(Role::editor, "Only editors share a search.");
}

// Who was an editor changes an own shared search no more, but takes it back.
std::optional<api::Problem> reject_shared(const Request& request, const SearchChange& change,
                                          const SearchTable& searches)
{
    if (auto rejection = reject_sharing(request, change)) return rejection;
    if (request.principal.role >= Role::editor || change.shared) return std::nullopt;
    const auto principal = to_text(request.principal);
    const auto search = searches.find(request.param("id"), principal);
    if (!search || !search->is_shared || search->owner != principal) return std::nullopt;
    return reject_sharing(request, {.shared = true});
}

bool changes_all(const Request& request)
{
    return request.principal.role == Role::admin;
}

} // namespace

HandlerResult list_searches(const Request& request, Context& context)
{
    QueryReader reader(request);
    const auto limit = reader.integer("limit", 1, 1000).value_or(100);
    const auto cursor = reader.text("cursor").value_or("");
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    const auto principal = to_text(request.principal);
    const auto page = context.services.searches.list(principal, limit, cursor);
    if (!page) return problem(page.error());
    boost::json::array items;
    for (const auto& search : page->items)
        items.push_back(to_json(search, principal));
    return page_response(request, std::move(items), page->next);
}

HandlerResult create_search(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    const auto wanted = read_search(request, true);
    if (!wanted) return std::unexpected(wanted.error());
    if (auto rejection = reject_sharing(request, *wanted)) return std::unexpected(*rejection);
    SavedSearch search;
    search.name = *wanted->name;
    search.query = *wanted->query;
    search.owner = to_text(request.principal);
    search.is_shared = wanted->shared.value_or(false);
    return search_response(request, 201, context.services.searches.create(search));
}

HandlerResult get_search(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    const auto search = context.services.searches.find(request.param("id"), to_text(request.principal));
    if (search)
        if (auto same = not_modified(request, search->etag())) return std::move(*same);
    return search_response(request, 200, search);
}

HandlerResult change_search(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    const auto change = read_search(request, false);
    if (!change) return std::unexpected(change.error());
    if (auto rejection = reject_shared(request, *change, context.services.searches))
        return std::unexpected(*rejection);
    return search_response(request, 200,
                           context.services.searches.change(request.param("id"), *change,
                                                            to_text(request.principal),
                                                            changes_all(request)));
}

HandlerResult delete_search(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    const auto removed = context.services.searches.remove(request.param("id"), read_if_match(request),
                                                          to_text(request.principal), changes_all(request));
    if (!removed) return problem(removed.error());
    return Response{.status = 204};
}

} // namespace vitrine::server
