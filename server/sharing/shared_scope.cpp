#include "server/sharing/shared_scope.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "server/services/access/link_table.hpp"
#include "server/util/clock.hpp"

namespace vitrine::server {
namespace {

bool has_scope(const Request& request, Sharing sharing, const LinkTable& links)
{
    const auto& scope = *request.principal.scope;
    switch (sharing) {
    case Sharing::anything:
    case Sharing::list: return true;
    case Sharing::collection: return links.has_collection(scope, request.param("id"));
    case Sharing::asset:
    case Sharing::picture:
    case Sharing::download:
        return !may_show_other_assets(request) && links.has_asset(scope, request.param("id"));
    case Sharing::none: break;
    }
    return false;
}

} // namespace

std::optional<api::Problem> check_shared_scope(const Request& request, Sharing sharing,
                                               const LinkTable& links)
{
    if (request.principal.kind != Principal::Kind::link || has_scope(request, sharing, links))
        return std::nullopt;
    return api::Problem{
        .status = 404, .code = "not_shared", .detail = "The link does not show this, or it does not exist."};
}

void publish_signed_picture(const Principal& principal, Response& response)
{
    constexpr std::int64_t max_age_s = 24 * 3600;
    if (principal.kind != Principal::Kind::signed_url || (response.status != 200 && response.status != 304))
        return;
    const auto left_s = std::max<std::int64_t>((principal.expires - now()) / 1'000'000, 0);
    response.headers.set("Cache-Control", fmt::format("public, max-age={}", std::min(left_s, max_age_s)));
    response.headers.set("Cross-Origin-Resource-Policy", "cross-origin");
}

} // namespace vitrine::server
