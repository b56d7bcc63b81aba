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
// batch.cpp
HandlerResult change_many_assets(const Request& request, Context& context);
HandlerResult purge_trashed_asset(const Request& request, Context& context);

constexpr Route organization_read(std::string_view pattern, std::string_view name, BlockingHandler handler)
{
    return {.pattern = pattern, .name = name, .access = Access::read, .blocking = handler, .is_text = true};
}

constexpr Route organization_write(Method method, std::string_view pattern, std::string_view name,
                                   BlockingHandler handler, std::uint64_t body_bytes = 0)
{
    return catalog_route(method, Access::write, pattern, name, handler, body_bytes);
}

inline constexpr std::uint64_t max_form_bytes = 16 * 1024;      // of one tag or collection
inline constexpr std::uint64_t max_members_bytes = 1024 * 1024; // of the ids of members

inline constexpr std::array organization_routes{
    organization_read("/v1/tags", "listTags", list_tags),
    organization_write(Method::patch, "/v1/tags/{tag}", "changeTag", rename_tag, max_form_bytes),
    organization_write(Method::delete_, "/v1/tags/{tag}", "deleteTag", delete_tag),
    organization_read("/v1/collections", "listCollections", list_collections),
    organization_write(Method::post, "/v1/collections", "createCollection", create_collection,
                       max_form_bytes),
    organization_read("/v1/collections/{id}", "getCollection", get_collection),
    organization_write(Method::patch, "/v1/collections/{id}", "changeCollection", change_collection,
                       max_form_bytes),
    organization_write(Method::delete_, "/v1/collections/{id}", "deleteCollection", delete_collection),
    organization_read("/v1/collections/{id}/assets", "listMembers", list_members),
    organization_write(Method::post, "/v1/collections/{id}/assets", "insertMembers", insert_members,
                       max_members_bytes),
    organization_write(Method::put, "/v1/collections/{id}/assets", "replaceMembers", replace_members,
                       max_members_bytes),
    organization_write(Method::delete_, "/v1/collections/{id}/assets", "removeMembers", remove_members),
    organization_write(Method::post, "/v1/assets:batch", "changeAssets", change_many_assets, 256 * 1024),
    organization_write(Method::post, "/v1/assets/{id}/purge", "purgeAsset", purge_trashed_asset, 1024),
};

} // namespace vitrine::server
