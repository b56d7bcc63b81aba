// Favorites of the one who sends the request.
#include "server/services/organization/favorites.hpp"

#include "server/handlers/organization/organization_routes.hpp"
#include "server/routing/context.hpp"
#include "server/routing/json_responses.hpp"
#include "server/routing/problems.hpp"
#include "server/routing/query_reader.hpp"

namespace vitrine::server {

HandlerResult list_favorites(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    const FavoriteTable favorites(context.services.catalog.connections());
    boost::json::array items;
    for (const auto& id : favorites.list(to_text(request.principal)))
        items.emplace_back(boost::json::object{{"asset", id}});
    auto response = json_response(200, api::list_json(std::move(items)));
    response.headers.add("Cache-Control", "private, no-store");
    return response;
}

HandlerResult add_favorite(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    FavoriteTable favorites(context.services.catalog.connections());
    const auto added = favorites.add(to_text(request.principal), request.param("id"));
    if (!added) return problem(added.error());
    return Response{.status = 204};
}

HandlerResult remove_favorite(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    FavoriteTable(context.services.catalog.connections())
        .remove(to_text(request.principal), request.param("id"));
    return Response{.status = 204};
}

} // namespace vitrine::server
