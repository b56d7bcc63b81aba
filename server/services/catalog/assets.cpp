#include <algorithm>

#include <fmt/format.h>

#include "loaders/base/ascii.hpp"
#include "server/services/audit/audit_log.hpp"
#include "server/services/catalog/catalog_impl.hpp"
#include "server/services/catalog/rows.hpp"
#include "server/services/visibility/visibility.hpp"
#include "server/util/ids.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

// The import of an asset.
struct JobOrder {
    long long turn = 0;
    std::string_view priority;
};

long long bytes_of(const NewAsset& asset)
{
    std::uint64_t bytes = 0;
    for (const auto* const files : {&asset.files, &asset.attached})
        for (const auto& file : *files)
            bytes += file.size_bytes;
    return static_cast<long long>(bytes);
}

// The other columns of lists have the values of a version of which nothing is known yet: each change of them
// would write twenty indexes once more.
std::string insert_asset(DatabaseConnection& sql, const NewAsset& asset, const std::string& source_hash,
                         const std::string& upload, const JobOrder& order)
{
    const auto id = new_id("asset");
    const long long instant = now(), bytes = bytes_of(asset);
    const auto key = name_key(asset.name);
    const auto creator = acting_principal();
    sql << "INSERT INTO assets (id, name, name_key, status, version, revision, created, updated, creator, "
           "file_bytes, upload, library) "
           "VALUES (:id, :name, :key, 'importing', 1, 1, :created, :updated, :creator, :bytes, :upload, "
           ":library)",
        use(id), use(asset.name), use(key), use(instant), use(instant), use(creator), use(bytes), use(upload),
        use(asset.library);
    const auto job = insert_job(sql, id, 1, order.turn, order.priority);
    insert_version(sql, id, 1, asset, {source_hash, job, instant});
    index_search(sql, id, asset.name, {});
    return id;
}

void touch(DatabaseConnection& sql, const std::string& id, const std::string& assignments)
{
    const long long instant = now();
    sql << "UPDATE assets SET revision = revision + 1, updated = :now, " + assignments + " WHERE id = :id",
        use(instant), use(id);
}

void queue_import(DatabaseConnection& sql, const AssetRecord& asset, long long turn)
{
    queue_version(sql, asset, turn);
    touch(sql, asset.id, asset.status == AssetStatus::failed ? "status = 'importing'" : "status = status");
}

// Restores the known asset: takes it out of the trash, and queues a new import if the last one failed.
void refresh(DatabaseConnection& sql, const AssetRecord& asset, long long turn)
{
    if (asset.deleted != 0) touch(sql, asset.id, "deleted = 0");
    if (asset.status == AssetStatus::failed) queue_import(sql, asset, turn);
}

// Returns the asset after recording an event about it.
AssetRecord publish_row(DatabaseConnection& sql, std::string_view type, const std::string& id)
{
    auto asset = *find_asset_row(sql, id);
    record_event(sql, type, asset);
    return asset;
}

// Empty: it was purged meanwhile.
std::optional<AssetRecord> lock_known(DatabaseConnection& sql, const std::string& id)
{
    lock_asset(sql, id);
    return find_asset_row(sql, id);
}

Created create_one(DatabaseConnection& sql, const NewAsset& asset, const std::string& upload,
                   const JobOrder& order)
{
    const auto source_hash = Catalog::source_hash(asset);
    Binds binds;
    auto known = fetch_assets(sql,
                              select_assets() + "WHERE v.source = " + binds.add(source_hash) +
                                  and_visible_asset("a.id") + " ORDER BY a.deleted, a.seq LIMIT 1",
                              binds);
    const auto before = known.empty() ? std::nullopt : lock_known(sql, known.front().id);
    if (before) {
        refresh(sql, *before, order.turn);
        sql << "UPDATE assets SET upload = :upload WHERE id = :id", use(upload), use(before->id);
    }
    const auto id = before ? before->id : insert_asset(sql, asset, source_hash, upload, order);
    auto record = *find_asset_row(sql, id);
    auto job = *find_job_row(sql, record.job);
    return {std::move(record), std::move(job), before.has_value()};
}

bool changes_tags(const AssetChange& change)
{
    return change.tags || !change.added_tags.empty() || !change.removed_tags.empty();
}

std::vector<std::string> tags_after(const AssetRecord& asset, const AssetChange& change)
{
    auto tags = change.tags.value_or(api::split_tags(asset.tags));
    tags.insert(tags.end(), change.added_tags.begin(), change.added_tags.end());
    std::erase_if(tags, [&](const std::string& tag) {
        return std::ranges::any_of(change.removed_tags, [&](const std::string& removed) {
            return name_key(removed) == name_key(tag);
        });
    });
    return tags;
}

// Returns whether one has changed.
bool set_facts(DatabaseConnection& sql, const AssetRecord& asset, const AssetChange& change)
{
    const auto license = change.license.value_or(asset.license);
    const auto author = change.author.value_or(asset.author);
    const auto source_url = change.source_url.value_or(asset.source_url);
    if (license == asset.license && author == asset.author && source_url == asset.source_url) return false;
    sql << "UPDATE assets SET license = :license, author = :author, source_url = :url WHERE id = :id",
        use(license), use(author), use(source_url), use(asset.id);
    put_list_columns(sql, asset.id);
    return true;
}

void give_name(DatabaseConnection& sql, const AssetRecord& asset, const std::string& name)
{
    const long long current = asset.version; // a name given with a version that is imported later
    sql << "UPDATE versions SET name = '' WHERE asset = :id AND number > :current", use(asset.id),
        use(current);
    rename_asset(sql, asset.id, name);
    record_words(sql, name, {});
}

} // namespace

Result<AssetRecord> find_to_change(DatabaseConnection& sql, const std::string& id,
                                   const std::string& if_match)
{
    lock_asset(sql, id);
    auto asset = find_asset_row(sql, id);
    if (!asset || !is_visible_asset(sql, id)) return no_asset(id);
    if (!if_match.empty() && if_match != asset->etag())
        return make_error(Errc::precondition_failed, "edit_conflict",
                          fmt::format("the asset's revision is {}, not {}", asset->etag(), if_match));
    return std::move(*asset);
}

void lock_asset(DatabaseConnection& sql, const std::string& id)
{
    long long seq = 0;
    sql << fmt::format("SELECT seq FROM assets WHERE id = :id{}", sql.dialect.words().lock_row), into(seq),
        use(id);
}

std::unexpected<ServiceError> no_asset(const std::string& id)
{
    return make_error(Errc::not_found, "no_asset", fmt::format("there is no asset '{}'", id));
}

std::string name_key(std::string_view name)
{
    return ascii::lower(name);
}

std::vector<Created> create_assets(DatabaseConnection& sql, std::span<const NewAsset> assets,
                                   std::string_view priority)
{
    if (priority.empty())
        priority = assets.size() > Catalog::max_interactive ? bulk_priority : interactive_priority;
    std::vector<std::string> contents;
    for (const auto& asset : assets)
        contents.push_back(Catalog::source_hash(asset));
    sql.dialect.lock_names(sql, contents); // two uploads of one content make one asset
    std::vector<Created> created;
    JobOrder order{current_turn(sql), priority};
    const auto upload = new_id("upload");
    for (const auto& asset : assets)
        created.push_back(create_one(sql, asset, upload, order)), ++order.turn;
    SearchNames names; // last, in one order: others wait for words that this transaction has added
    for (const auto& asset : assets)
        names.tags.append(asset.name).append("\n");
    record_words(sql, {}, names);
    for (const auto& item : created) {
        if (item.existing && item.job.state != JobState::queued) continue;
        record_event(sql, item.existing ? "asset.updated" : "asset.created", item.asset);
        record_event(sql, item.job);
    }
    return created;
}

std::vector<Created> Catalog::create_assets(std::span<const NewAsset> assets, std::string_view priority)
{
    return impl_->connections.write(
        [&](DatabaseConnection& sql) { return server::create_assets(sql, assets, priority); });
}

Result<AssetRecord> Catalog::find_asset(const std::string& id) const
{
    return impl_->connections.read([&](DatabaseConnection& sql) -> Result<AssetRecord> {
        auto asset = find_asset_row(sql, id);
        if (!asset || !is_visible_asset(sql, id)) return no_asset(id);
        return std::move(*asset);
    });
}

Result<AssetRecord> change_asset(DatabaseConnection& sql, const std::string& id, const AssetChange& change)
{
    if (change.name && (change.name->empty() || change.name->size() > max_name_bytes))
        return make_error(Errc::invalid, "bad_name",
                          fmt::format("a name must have 1 to {} bytes", max_name_bytes));
    if (changes_tags(change)) lock_tags(sql);
    auto asset = find_to_change(sql, id, change.if_match);
    if (!asset) return asset;
    const auto has_other_tags =
        changes_tags(change) ? set_tags(sql, *asset, tags_after(*asset, change)) : Result<bool>(false);
    if (!has_other_tags) return std::unexpected(has_other_tags.error());
    const bool has_other_facts = set_facts(sql, *asset, change);
    const bool has_other_name = change.name && *change.name != asset->name;
    const bool has_other_cover = change.cover && set_cover(sql, *asset, *change.cover);
    if (!*has_other_tags && !has_other_facts && !has_other_name && !has_other_cover) return asset;
    if (has_other_name) give_name(sql, *asset, *change.name);
    touch_asset(sql, id);
    return publish_row(sql, "asset.updated", id);
}

Result<AssetRecord> trash_asset(DatabaseConnection& sql, const std::string& id, const std::string& if_match)
{
    auto asset = find_to_change(sql, id, if_match);
    if (!asset || asset->deleted != 0) return asset;
    touch(sql, id, fmt::format("deleted = {}", now()));
    record_audit(sql, "asset.delete", id, asset->name);
    return publish_row(sql, "asset.deleted", id);
}

Result<AssetRecord> restore_asset(DatabaseConnection& sql, const std::string& id)
{
    auto asset = find_to_change(sql, id, {});
    if (!asset || asset->deleted == 0) return asset;
    touch(sql, id, "deleted = 0");
    record_audit(sql, "asset.restore", id, asset->name);
    return publish_row(sql, "asset.updated", id);
}

Result<AssetRecord> Catalog::change_asset(const std::string& id, const AssetChange& change)
{
    return impl_->connections.write(
        [&](DatabaseConnection& sql) { return server::change_asset(sql, id, change); });
}

Result<AssetRecord> Catalog::trash_asset(const std::string& id, const std::string& if_match)
{
    return impl_->connections.write(
        [&](DatabaseConnection& sql) { return server::trash_asset(sql, id, if_match); });
}

Result<AssetRecord> Catalog::restore_asset(const std::string& id)
{
    return impl_->connections.write([&](DatabaseConnection& sql) { return server::restore_asset(sql, id); });
}

Result<Created> Catalog::reimport_asset(const std::string& id)
{
    return impl_->connections.write([&](DatabaseConnection& sql) -> Result<Created> {
        lock_asset(sql, id);
        const auto asset = find_asset_row(sql, id);
        if (!asset || asset->deleted != 0) return no_asset(id);
        const auto last = find_job_row(sql, asset->job);
        if (last && last->finished == 0)
            return make_error(Errc::conflict, "import_running", "the asset is being imported");
        queue_import(sql, *asset, current_turn(sql));
        auto queued = publish_row(sql, "asset.updated", id);
        auto job = *find_job_row(sql, queued.job);
        record_event(sql, job);
        return Created{std::move(queued), std::move(job), true};
    });
}

} // namespace vitrine::server
