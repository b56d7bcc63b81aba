// Changes the user clips of an asset together with the documents that contain them.

#include <fmt/format.h>

#include "server/services/catalog/catalog_impl.hpp"
#include "server/services/catalog/rows.hpp"

using soci::use;

namespace vitrine::server {

Result<AssetRecord> Catalog::set_user_clips(const std::string& id, const UserClipsChange& change)
{
    return impl_->connections.write([&](DatabaseConnection& sql) -> Result<AssetRecord> {
        auto asset = find_to_change(sql, id, change.if_match);
        if (!asset) return asset;
        if (asset->user_clips != change.before)
            return make_error(Errc::conflict, "edit_conflict",
                              "the clips of the asset were changed by another request");
        if (has_running_versions(sql, *asset))
            return make_error(Errc::conflict, "import_running",
                              "a new version of the asset is being imported with the clips it has");
        const long long version = asset->version;
        sql << "UPDATE versions SET user_clips = :clips WHERE asset = :id AND number = :version",
            use(change.after), use(id), use(version);
        put_metadata(sql, id, asset->version, change.found);
        touch_asset(sql, id);
        auto changed = *find_asset_row(sql, id);
        record_event(sql, "asset.updated", changed);
        return changed;
    });
}

} // namespace vitrine::server
