#pragma once
// Routes of downloads of several assets, and their handlers.

#include <array>

#include "server/routing/route.hpp"

namespace vitrine::server {

HandlerResult download_assets(const Request& request, Context& context);
HandlerResult download_posted_assets(const Request& request, Context& context);

// Looks at each file, and reads the rows of many assets.
constexpr Route download_route(Method method, std::string_view name, BlockingHandler handler,
                               std::uint64_t body_bytes = 0)
{
    auto route = catalog_route(method, Access::read, "/v1/assets:download", name, handler, body_bytes);
    route.pool = Pool::exports;
    return granted(Granted::list, route);
}

inline constexpr std::array download_routes{
    download_route(Method::get, "downloadAssets", download_assets),
    download_route(Method::post, "downloadSelection", download_posted_assets, 512 * 1024),
};

} // namespace vitrine::server
