#pragma once
// The routes of share links and signed URLs.

#include <array>

#include "server/routing/route.hpp"

namespace vitrine::server {

// share_links.cpp
HandlerResult list_share_links(const Request& request, Context& context);
HandlerResult create_share_link(const Request& request, Context& context);
HandlerResult get_share_link(const Request& request, Context& context);
HandlerResult revoke_share_link(const Request& request, Context& context);
// open_link.cpp
HandlerResult open_share_link(const Request& request, Context& context);
HandlerResult unlock_share_link(const Request& request, Context& context);
// signed_urls.cpp
HandlerResult create_signed_url(const Request& request, Context& context);
HandlerResult revoke_signed_urls(const Request& request, Context& context);

constexpr Route sharing_route(Method method, std::string_view pattern, std::string_view name, Access access,
                              BlockingHandler handler, Pool pool = Pool::catalog)
{
    return {.method = method,
            .pattern = pattern,
            .name = name,
            .access = access,
            .pool = pool,
            .blocking = handler,
            .body_bytes = method == Method::post ? std::uint64_t{16 * 1024} : 0};
}

inline constexpr std::array sharing_routes{
    sharing_route(Method::get, "/v1/share-links", "listShareLinks", Access::write, list_share_links),
    sharing_route(Method::post, "/v1/share-links", "createShareLink", Access::write, create_share_link,
                  Pool::passwords),
    sharing_route(Method::get, "/v1/share-links/{id}", "getShareLink", Access::write, get_share_link),
    sharing_route(Method::delete_, "/v1/share-links/{id}", "revokeShareLink", Access::write,
                  revoke_share_link),
    sharing_route(Method::get, "/s/{secret}", "openShareLink", Access::anyone, open_share_link),
    sharing_route(Method::post, "/s/{secret}", "unlockShareLink", Access::anyone, unlock_share_link,
                  Pool::passwords),
    sharing_route(Method::post, "/v1/assets/{id}/signed-urls", "createSignedUrl", Access::write,
                  create_signed_url),
    sharing_route(Method::delete_, "/v1/signed-urls", "revokeSignedUrls", Access::administer,
                  revoke_signed_urls)};

} // namespace vitrine::server
