#include "server/services/organization/collection_uploads.hpp"

#include <set>

#include <fmt/format.h>

#include "server/services/organization/collection_rows.hpp"
#include "server/services/organization/field_rows.hpp"
#include "server/services/visibility/visibility.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

Result<void> check_place(DatabaseConnection& sql, const std::string& collection, std::size_t added)
{
    if (!has_collection(sql, collection) || !is_visible_collection(sql, collection))
        return no_collection(collection);
    long long members = 0;
    sql << "SELECT COUNT(*) FROM collection_assets WHERE collection = :id", into(members), use(collection);
    if (static_cast<std::size_t>(members) + added <= CollectionTable::max_members) return {};
    return make_error(Errc::too_large, "limit_exceeded",
                      fmt::format("a collection must have at most {} assets", CollectionTable::max_members));
}

// Nobody sees the new assets before they are in the collection.
void place(DatabaseConnection& sql, const std::string& collection, const std::vector<Created>& created)
{
    const VisibilityScope everything{SharedVisibility()};
    MemberChange change;
    for (const auto& item : created)
        change.assets.push_back(item.asset.id);
    if (const auto added = insert_member_rows(sql, collection, change); !added)
        throw StorageError(StorageError::Kind::failed,
                           "new assets are in no collection: " + added.error().detail);
    std::set<std::string> ids(change.assets.begin(), change.assets.end());
    refresh_field_values(sql, ids);
    publish_collection(sql, collection, "collection.updated");
}

} // namespace

Result<std::vector<Created>> create_assets_in(Catalog& catalog, const std::string& collection,
                                              std::span<const NewAsset> assets, std::string_view priority)
{
    return catalog.connections().write([&](DatabaseConnection& sql) -> Result<std::vector<Created>> {
        lock_collections(sql);
        if (auto valid = check_place(sql, collection, assets.size()); !valid)
            return std::unexpected(valid.error());
        // As create_assets() does, which records events: after them nothing may be waited for.
        std::vector<std::string> contents;
        for (const auto& asset : assets)
            contents.push_back(Catalog::source_hash(asset));
        sql.dialect.lock_names(sql, contents);
        note_membership(sql);
        auto created = create_assets(sql, assets, priority);
        place(sql, collection, created);
        return created;
    });
}

} // namespace vitrine::server
