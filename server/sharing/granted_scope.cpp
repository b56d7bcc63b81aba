#include "server/sharing/shared_scope.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "server/services/database/database_connections.hpp"
#include "server/services/visibility/visibility.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

std::string_view word_of(Granted granted)
{
    switch (granted) {
    case Granted::none:
    case Granted::anything:
    case Granted::list: break;
    case Granted::asset: return "asset";
    case Granted::job: return "job";
    case Granted::note: return "note";
    case Granted::collection:
    case Granted::administration: return "collection";
    }
    return {};
}

// As the catalog says it of one that does not exist.
api::Problem missing(Granted granted, const std::string& id)
{
    const auto word = word_of(granted);
    return {.status = 404,
            .code = fmt::format("no_{}", word),
            .detail = fmt::format("there is no {} '{}'", word, id)};
}

// Of a job or a note; empty: there is none.
std::string asset_of(DatabaseConnection& sql, std::string_view table, const std::string& id)
{
    std::string asset;
    sql << fmt::format("SELECT asset FROM {} WHERE id = :id", table), into(asset), use(id);
    return asset;
}

Role granted_role(DatabaseConnection& sql, const Principal& principal, Granted granted, const std::string& id)
{
    const auto grants = grants_with(principal, Role::viewer);
    switch (granted) {
    case Granted::none:
    case Granted::anything:
    case Granted::list: break;
    case Granted::asset: return role_for_asset(sql, grants, id);
    case Granted::job: return role_for_asset(sql, grants, asset_of(sql, "jobs", id));
    case Granted::note: return role_for_asset(sql, grants, asset_of(sql, "notes", id));
    case Granted::collection:
    case Granted::administration: return role_for_collection(sql, grants, id);
    }
    return Role::none;
}

} // namespace

std::optional<api::Problem> check_granted_scope(const Request& request, const RouteRules& route,
                                                DatabaseConnections& database)
{
    const auto& principal = request.principal;
    if (principal.role < Role::member || word_of(route.granted).empty()) return std::nullopt;
    const auto& id = request.param("id");
    const auto granted = database.read(
        [&](DatabaseConnection& sql) { return granted_role(sql, principal, route.granted, id); });
    const auto role = std::max(principal.role, granted);
    if (role < Role::viewer) return missing(route.granted, id);
    const auto least = grant_role_for(route.access, route.granted);
    if (role >= least) return std::nullopt;
    return api::Problem{.status = 403,
                        .code = "role_required",
                        .detail =
                            fmt::format("This request requires the role {} for this; the one that sends "
                                        "it has the role {}.",
                                        to_word(least), to_word(role)),
                        .bearer_error = insufficient_scope(least)};
}

} // namespace vitrine::server
