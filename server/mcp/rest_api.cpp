#include "server/mcp/library.hpp"

#include "server/routing/context.hpp"
#include "server/routing/problems.hpp"
#include "server/services/workers/remote_renderer.hpp"
#include "server/sharing/shared_scope.hpp"

namespace vitrine::server {
namespace {

std::string target_text(const std::string& path, const Query& query)
{
    std::string text = path;
    char separator = '?';
    for (const auto& [name, value] : query) {
        text += separator + percent_encode(name) + "=" + percent_encode(value);
        separator = '&';
    }
    return text;
}

// As the dispatcher checks requests.
std::optional<api::Problem> check_grants(const Request& request, const Route& route, Context& context)
{
    const auto& principal = request.principal;
    if (may(principal.role, route.access)) return std::nullopt;
    if (!may_by_grant(principal, route.access, route.granted))
        return api::Problem{.status = 404, .code = "no_route", .detail = "This path does not exist."};
    return check_granted_scope(request, rules_of(route), context.services.catalog.connections());
}

HandlerResult get(const Request& request, Context& context, std::span<const Route> routes,
                  std::string_view target, std::string_view accept)
{
    auto parsed = parse_target(target);
    if (!parsed)
        return problem(400, "bad_request",
                       "An argument has a character that is not allowed, or there are too many.");
    Request inner{.method = Method::get,
                  .method_name = std::string(to_string(Method::get)),
                  .target = std::move(*parsed),
                  .id = request.id,
                  .socket = request.socket,
                  .peer = request.peer,
                  .tls = request.tls,
                  .principal = request.principal};
    inner.headers.add("Accept", std::string(accept));
    auto match = match_route(routes, Method::get, inner.target.segments);
    // The guard has allowed the client to read, and no more.
    if (match.route == nullptr || match.route->blocking == nullptr || match.route->access != Access::read)
        return problem(404, "no_route", "This path does not exist.");
    inner.params = std::move(match.params);
    if (auto rejection = check_grants(inner, *match.route, context))
        return std::unexpected(std::move(*rejection));
    auto response = match.route->blocking(inner, context);
    // As the dispatcher: a worker may know a newer state of the asset.
    if (!response && response.error().code == drawn_otherwise) return match.route->blocking(inner, context);
    return response;
}

} // namespace

RestApi rest_api(const Request& request, Context& context, std::span<const Route> routes)
{
    return
        [&request, &context, routes](const std::string& path, const Query& query, std::string_view accept) {
            return get(request, context, routes, target_text(path, query), accept);
        };
}

} // namespace vitrine::server
