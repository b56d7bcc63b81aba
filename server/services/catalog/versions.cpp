// Versions of assets: new content, and which version requests read.

#include <fmt/format.h>

#include "server/services/catalog/catalog_impl.hpp"
#include "server/services/catalog/rows.hpp"
#include "server/services/visibility/visibility.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

// Finds an asset outside the trash whose versions change, and locks it.
Result<AssetRecord> find_for_version(DatabaseConnection& sql, const std::string& id,
                                     const std::string& if_match)
{
    auto asset = find_to_change(sql, id, if_match);
    if (asset && asset->deleted != 0)
        return make_error(Errc::not_found, "asset_in_trash", "the asset is in the trash");
    return asset;
}

// The newest version with this content, unless it has failed and is older than what requests read.
std::optional<AssetRecord> find_with_content(DatabaseConnection& sql, const AssetRecord& current,
                                             const std::string& source_hash)
{
    Binds binds;
    auto where = "WHERE a.id = " + binds.add(current.id);
    where += " AND v.source = " + binds.add(source_hash);
    where += " AND (v.status <> 'failed' OR v.number >= a.version) ORDER BY v.number DESC LIMIT 1";
    auto found = fetch_assets(sql, select_versions() + where, binds);
    return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
}

// Errors: too_large.
Result<long long> next_number(DatabaseConnection& sql, const std::string& asset)
{
    long long newest = 0;
    sql << "SELECT MAX(number) FROM versions WHERE asset = :asset", into(newest), use(asset);
    if (newest < static_cast<long long>(Catalog::max_versions)) return newest + 1;
    return make_error(Errc::too_large, "limit_exceeded",
                      fmt::format("an asset must have at most {} versions", Catalog::max_versions));
}

// `publish`: the version has changed.
CreatedVersion describe_version(DatabaseConnection& sql, const std::string& asset, std::uint32_t number,
                                bool existing, bool publish)
{
    if (publish) touch_asset(sql, asset);
    CreatedVersion created{.version = version_of(sql, asset, number),
                           .asset = *find_asset_row(sql, asset),
                           .job = {},
                           .existing = existing};
    created.job = *find_job_row(sql, created.version.job);
    if (!publish) return created;
    record_event(sql, "asset.updated", created.asset);
    record_event(sql, created.asset, created.version);
    record_event(sql, created.job);
    return created;
}

void copy_files(DatabaseConnection& sql, const std::string& asset, long long from, long long to)
{
    sql << "INSERT INTO files (asset, version, name, blob, size_bytes) "
           "SELECT asset, CAST(:to AS BIGINT), name, blob, size_bytes FROM files "
           "WHERE asset = :asset AND version = :from",
        use(to), use(asset), use(from);
}

// A version with the files of `from`, and its import.
Result<CreatedVersion> copy_version(DatabaseConnection& sql, const std::string& asset, long long from,
                                    const std::string& up_axis)
{
    const auto to = next_number(sql, asset);
    if (!to) return std::unexpected(to.error());
    const auto job = insert_job(sql, asset, *to, current_turn(sql));
    const long long instant = now();
    sql << "INSERT INTO versions (asset, number, source, main_file, size_bytes, created, job, restored_from, "
           "up_axis, owner) SELECT asset, CAST(:to AS BIGINT), source, main_file, size_bytes, "
           "CAST(:created AS BIGINT), CAST(:job AS TEXT), number, CAST(:up AS TEXT), owner FROM versions "
           "WHERE asset = :asset AND number = :from",
        use(*to), use(instant), use(job), use(up_axis), use(asset), use(from);
    copy_files(sql, asset, from, *to);
    return describe_version(sql, asset, static_cast<std::uint32_t>(*to), false, true);
}

Result<CreatedVersion> restore(DatabaseConnection& sql, const AssetRecord& current, std::uint32_t number)
{
    const auto wanted = find_version_row(sql, current.id, number);
    if (!wanted) return make_error(Errc::not_found, "not_found", "the asset has no such version");
    if (wanted->status == AssetStatus::failed)
        return make_error(Errc::conflict, "import_failed", "the import of this version has failed");
    if (wanted->status == AssetStatus::importing)
        return make_error(Errc::conflict, "import_running", "this version is being imported");
    if (number == current.version && !has_running_versions(sql, current))
        return describe_version(sql, current.id, number, true, false);
    return copy_version(sql, current.id, number, wanted->up_axis);
}

// Whether the version that requests read may be replaced by one with its files.
Result<void> check_replaceable(DatabaseConnection& sql, const AssetRecord& current)
{
    if (current.status == AssetStatus::failed)
        return make_error(Errc::conflict, "import_failed", "the import of the asset has failed");
    if (current.format.empty() || current.status == AssetStatus::importing) return not_imported_error();
    if (has_running_versions(sql, current))
        return make_error(Errc::conflict, "import_running", "a new version of the asset is being imported");
    return {};
}

} // namespace

Result<CreatedVersion> Catalog::create_version(const std::string& id, const NewVersion& content)
{
    const auto hash = source_hash(content.content);
    return impl_->connections.write([&](DatabaseConnection& sql) -> Result<CreatedVersion> {
        const auto asset = find_for_version(sql, id, content.if_match);
        if (!asset) return std::unexpected(asset.error());
        if (const auto known = find_with_content(sql, *asset, hash)) {
            const bool has_failed = known->status == AssetStatus::failed;
            if (has_failed) queue_version(sql, *known, current_turn(sql));
            return describe_version(sql, id, known->version, true, has_failed);
        }
        const auto number = next_number(sql, id);
        if (!number) return std::unexpected(number.error());
        const auto job = insert_job(sql, id, *number, current_turn(sql));
        insert_version(sql, id, *number, content.content, {hash, job, now()});
        sql << "UPDATE versions SET name = :name, up_axis = :up WHERE asset = :asset AND number = :number",
            use(content.name), use(asset->up_axis), use(id), use(*number);
        return describe_version(sql, id, static_cast<std::uint32_t>(*number), false, true);
    });
}

Result<CreatedVersion> Catalog::restore_version(const std::string& id, std::uint32_t number,
                                                const std::string& if_match)
{
    return impl_->connections.write([&](DatabaseConnection& sql) -> Result<CreatedVersion> {
        const auto asset = find_for_version(sql, id, if_match);
        if (!asset) return std::unexpected(asset.error());
        return restore(sql, *asset, number);
    });
}

Result<CreatedVersion> Catalog::orient_asset(const std::string& id, const AssetChange& change)
{
    return impl_->connections.write([&](DatabaseConnection& sql) -> Result<CreatedVersion> {
        const auto before = find_for_version(sql, id, change.if_match);
        if (!before) return std::unexpected(before.error());
        const auto axis = change.up_axis.value_or(before->up_axis);
        if (axis != before->up_axis || has_running_versions(sql, *before))
            if (const auto possible = check_replaceable(sql, *before); !possible)
                return std::unexpected(possible.error());
        const auto changed = server::change_asset(sql, id, change);
        if (!changed) return std::unexpected(changed.error());
        if (axis == changed->up_axis) return describe_version(sql, id, changed->version, true, false);
        return copy_version(sql, id, changed->version, axis);
    });
}

std::vector<api::Version> Catalog::versions(const std::string& id) const
{
    return impl_->connections.read(
        [&](DatabaseConnection& sql) { return fetch_versions(sql, id, 1, max_versions); });
}

Result<AssetRecord> Catalog::find_version(const std::string& id, std::uint32_t number) const
{
    return impl_->connections.read([&](DatabaseConnection& sql) -> Result<AssetRecord> {
        if (!is_visible_asset(sql, id)) return no_asset(id);
        if (auto version = find_version_row(sql, id, number)) return std::move(*version);
        if (!find_asset_row(sql, id)) return no_asset(id);
        return make_error(Errc::not_found, "not_found", "this asset has no such version");
    });
}

} // namespace vitrine::server
