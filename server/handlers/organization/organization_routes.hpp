#pragma once
// Routes of tags, collections, the trash, and changes of many assets, with their handlers.

#include <algorithm>
#include <array>

#include "server/routing/route.hpp"

namespace vitrine::server {

// tags.cpp
HandlerResult list_tags(const Request& request, Context& context);
HandlerResult rename_tag(const Request& request, Context& context);
HandlerResult delete_tag(const Request& request, Context& context);
// collections.cpp
HandlerResult list_collections(const Request& request, Context& context);
HandlerResult create_collection(const Request& request, Context& context);
HandlerResult get_collection(const Request& request, Context& context);
HandlerResult change_collection(const Request& request, Context& context);
HandlerResult delete_collection(const Request& request, Context& context);
// members.cpp
HandlerResult list_members(const Request& request, Context& context);
HandlerResult insert_members(const Request& request, Context& context);
HandlerResult replace_members(const Request& request, Context& context);
HandlerResult remove_members(const Request& request, Context& context);
// fields.cpp
HandlerResult list_fields(const Request& request, Context& context);
HandlerResult create_field(const Request& request, Context& context);
HandlerResult get_field(const Request& request, Context& context);
HandlerResult change_field(const Request& request, Context& context);
HandlerResult delete_field(const Request& request, Context& context);
HandlerResult list_field_values(const Request& request, Context& context);
HandlerResult change_field_values(const Request& request, Context& context);
// favorites.cpp
HandlerResult list_favorites(const Request& request, Context& context);
HandlerResult add_favorite(const Request& request, Context& context);
HandlerResult remove_favorite(const Request& request, Context& context);
// batch.cpp
HandlerResult change_many_assets(const Request& request, Context& context);
HandlerResult purge_trashed_asset(const Request& request, Context& context);

// searches.cpp
HandlerResult list_searches(const Request& request, Context& context);
HandlerResult create_search(const Request& request, Context& context);
HandlerResult get_search(const Request& request, Context& context);
HandlerResult change_search(const Request& request, Context& context);
HandlerResult delete_search(const Request& request, Context& context);

constexpr Route organization_read(std::string_view pattern, std::string_view name, BlockingHandler handler)
{
    return {.pattern = pattern, .name = name, .access = Access::read, .blocking = handler, .is_text = true};
}

constexpr Route organization_write(Method method, std::string_view pattern, std::string_view name,
                                   BlockingHandler handler, std::uint64_t body_bytes = 0)
{
    return catalog_route(method, Access::write, pattern, name, handler, body_bytes);
}

// Changes only what belongs to the one who sends the request.
// Of a collection.
constexpr Route collection_write(Method method, std::string_view pattern, std::string_view name,
                                 BlockingHandler handler, std::uint64_t body_bytes = 0)
{
    return granted(Granted::collection, organization_write(method, pattern, name, handler, body_bytes));
}

// Of the own searches.
constexpr Route search_route(Route route)
{
    return granted(Granted::anything, route);
}

constexpr Route favorite_route(Method method, BlockingHandler handler, std::string_view name)
{
    return granted(Granted::asset,
                   catalog_route(method, Access::read, "/v1/me/favorites/{id}", name, handler, 1024));
}

inline constexpr std::uint64_t max_form_bytes = 16 * 1024;      // of one tag or collection
inline constexpr std::uint64_t max_members_bytes = 1024 * 1024; // of the ids of members

// Those that only change what belongs to who sends the request have Access::read.
inline constexpr std::array search_routes{
    search_route(organization_read("/v1/searches", "listSearches", list_searches)),
    search_route(catalog_route(Method::post, Access::read, "/v1/searches", "createSearch", create_search,
                               max_form_bytes)),
    search_route(organization_read("/v1/searches/{id}", "getSearch", get_search)),
    search_route(catalog_route(Method::patch, Access::read, "/v1/searches/{id}", "changeSearch",
                               change_search, max_form_bytes)),
    search_route(
        catalog_route(Method::delete_, Access::read, "/v1/searches/{id}", "deleteSearch", delete_search)),
};

inline constexpr std::uint64_t max_field_bytes = 128 * 1024; // of one field, or of values

inline constexpr std::array field_routes{
    granted(Granted::collection, organization_read("/v1/collections/{id}/fields", "listFields", list_fields)),
    organization_write(Method::post, "/v1/collections/{id}/fields", "createField", create_field,
                       max_field_bytes),
    organization_read("/v1/collections/{id}/fields/{field}", "getField", get_field),
    organization_write(Method::patch, "/v1/collections/{id}/fields/{field}", "changeField", change_field,
                       max_field_bytes),
    organization_write(Method::delete_, "/v1/collections/{id}/fields/{field}", "deleteField", delete_field),
    granted(Granted::asset,
            organization_read("/v1/assets/{id}/fields", "listFieldValues", list_field_values)),
    granted(Granted::asset, organization_write(Method::patch, "/v1/assets/{id}/fields", "changeFieldValues",
                                               change_field_values, max_field_bytes)),
};

inline constexpr std::array organization_routes{
    granted(Granted::list, organization_read("/v1/tags", "listTags", list_tags)),
    organization_write(Method::patch, "/v1/tags/{tag}", "changeTag", rename_tag, max_form_bytes),
    organization_write(Method::delete_, "/v1/tags/{tag}", "deleteTag", delete_tag),
    granted(Granted::list, organization_read("/v1/collections", "listCollections", list_collections)),
    granted(Granted::list, organization_write(Method::post, "/v1/collections", "createCollection",
                                              create_collection, max_form_bytes)),
    shared(Sharing::collection, organization_read("/v1/collections/{id}", "getCollection", get_collection)),
    collection_write(Method::patch, "/v1/collections/{id}", "changeCollection", change_collection,
                     max_form_bytes),
    granted(Granted::administration, organization_write(Method::delete_, "/v1/collections/{id}",
                                                        "deleteCollection", delete_collection)),
    shared(Sharing::collection,
           organization_read("/v1/collections/{id}/assets", "listMembers", list_members)),
    collection_write(Method::post, "/v1/collections/{id}/assets", "insertMembers", insert_members,
                     max_members_bytes),
    collection_write(Method::put, "/v1/collections/{id}/assets", "replaceMembers", replace_members,
                     max_members_bytes),
    collection_write(Method::delete_, "/v1/collections/{id}/assets", "removeMembers", remove_members),
    granted(Granted::list, organization_read("/v1/me/favorites", "listFavorites", list_favorites)),
    favorite_route(Method::put, add_favorite, "addFavorite"),
    favorite_route(Method::delete_, remove_favorite, "removeFavorite"),
    granted(Granted::list, organization_write(Method::post, "/v1/assets:batch", "changeAssets",
                                              change_many_assets, 256 * 1024)),
    organization_write(Method::post, "/v1/assets/{id}/purge", "purgeAsset", purge_trashed_asset, 1024),
};

} // namespace vitrine::server
