// Files, documents and rigs of assets, and changes of their user clips with the documents that contain them.

#include <algorithm>
#include <array>

#include "server/services/catalog/catalog_impl.hpp"
#include "server/services/catalog/rows.hpp"
#include "server/services/visibility/visibility.hpp"
#include "server/util/sha256.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {

std::string_view to_string(AssetDocument document)
{
    constexpr std::array<std::string_view, 7> names{"skeleton", "clips",  "materials", "warnings",
                                                    "variants", "bounds", "rig"};
    return names[static_cast<std::size_t>(document)];
}

std::string Catalog::source_hash(const NewAsset& asset)
{
    std::vector<std::string> lines;
    for (const auto& file : asset.files)
        lines.push_back(file.blob + " " + file.name + "\n"); // names hold no line break
    std::ranges::sort(lines);
    Sha256 hash;
    hash.update(asset.main_file + "\n");
    for (const auto& line : lines)
        hash.update(line);
    return hash.finish();
}

std::vector<FileRecord> Catalog::files(const std::string& asset, std::uint32_t version) const
{
    return impl_->connections.read([&](DatabaseConnection& sql) {
        Binds binds;
        const auto id = binds.add(asset);
        const auto number = binds.add(static_cast<long long>(version));
        return fetch_files(sql,
                           "SELECT name, blob, size_bytes FROM files WHERE asset = " + id +
                               " AND version = " + number + " ORDER BY name",
                           binds);
    });
}

bool Catalog::names_blob(const std::string& blob) const
{
    return impl_->connections.read([&](DatabaseConnection& sql) {
        long long one = 0;
        sql << "SELECT 1 FROM files WHERE blob = :blob LIMIT 1", into(one), use(blob);
        if (sql.got_data()) return true;
        sql << "SELECT 1 FROM upload_parts WHERE blob = :blob LIMIT 1", into(one), use(blob);
        return sql.got_data();
    });
}

std::optional<std::string> Catalog::find_document(const std::string& asset, std::uint32_t version,
                                                  AssetDocument document) const
{
    return impl_->connections.read([&](DatabaseConnection& sql) {
        Binds binds;
        const auto id = binds.add(asset);
        const auto number = binds.add(static_cast<long long>(version));
        const auto kind = binds.add(std::string(to_string(document)));
        return fetch_text(sql,
                          "SELECT json FROM documents WHERE asset = " + id + " AND version = " + number +
                              " AND kind = " + kind,
                          binds);
    });
}

std::uint64_t Catalog::asset_count() const
{
    return impl_->connections.read([](DatabaseConnection& sql) {
        long long count = 0;
        sql << "SELECT COUNT(*) FROM assets WHERE deleted = 0", into(count);
        return static_cast<std::uint64_t>(count);
    });
}

std::vector<RigRow> Catalog::list_rigs(std::int64_t before, std::size_t limit) const
{
    return impl_->connections.read([&](DatabaseConnection& sql) {
        RigRow row;
        long long seq = 0;
        const long long first = before;
        const auto most = static_cast<long long>(std::clamp<std::size_t>(limit, 1, 1000));
        std::vector<RigRow> rows;
        PreparedStatement statement =
            (sql.prepare
                 << "SELECT a.seq, a.id, a.name, d.json FROM assets a JOIN documents d ON d.asset = a.id "
                    "AND d.version = a.version AND d.kind = 'rig' "
                    "WHERE a.deleted = 0 AND a.seq < :before AND length(d.json) <= 131072" +
                        and_visible_asset("a.id") + " ORDER BY a.seq DESC LIMIT :limit",
             soci::into(seq), soci::into(row.asset), soci::into(row.name), soci::into(row.signature),
             soci::use(first), soci::use(most));
        statement.execute();
        while (statement.fetch()) {
            row.seq = seq;
            rows.push_back(row);
        }
        return rows;
    });
}

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
