#include "server/services/organization/favorites.hpp"

#include <fmt/format.h>

#include "server/services/catalog/catalog_impl.hpp"
#include "server/services/catalog/rows.hpp"
#include "server/services/visibility/visibility.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {

Result<void> FavoriteTable::add(const std::string& owner, const std::string& asset)
{
    return database_.write([&](DatabaseConnection& sql) -> Result<void> {
        lock_asset(sql, asset); // it may be purged meanwhile
        const auto found = find_asset_row(sql, asset);
        if (!found) return no_asset(asset);
        if (found->deleted != 0)
            return make_error(Errc::not_found, "asset_in_trash", "the asset is in the trash");
        long long count = 0;
        sql << "SELECT COUNT(*) FROM favorites WHERE owner = :owner AND asset <> :asset", into(count),
            use(owner), use(asset);
        if (count >= static_cast<long long>(max_favorites))
            return make_error(Errc::conflict, "too_many_favorites",
                              fmt::format("there may be at most {} favorites", max_favorites));
        const long long instant = now();
        sql << "INSERT INTO favorites (owner, asset, created) VALUES (:owner, :asset, :created) "
               "ON CONFLICT (owner, asset) DO NOTHING",
            use(owner), use(asset), use(instant);
        return {};
    });
}

void FavoriteTable::remove(const std::string& owner, const std::string& asset)
{
    database_.write([&](DatabaseConnection& sql) {
        sql << "DELETE FROM favorites WHERE owner = :owner AND asset = :asset", use(owner), use(asset);
        return true;
    });
}

std::vector<std::string> FavoriteTable::list(const std::string& owner) const
{
    return database_.read([&](DatabaseConnection& sql) {
        std::vector<std::string> ids;
        std::string id;
        PreparedStatement rows =
            (sql.prepare << "SELECT f.asset FROM favorites f JOIN assets a ON a.id = f.asset "
                            "WHERE f.owner = :owner AND a.deleted = 0" +
                                and_visible_asset("a.id") + " ORDER BY f.created DESC, f.asset",
             into(id), use(owner));
        for (rows.execute(); rows.fetch();)
            ids.push_back(id);
        return ids;
    });
}

} // namespace vitrine::server
