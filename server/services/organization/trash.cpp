#include "server/services/organization/trash.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "api/json_text.hpp"
#include "server/services/access/link_removal.hpp"
#include "server/services/audit/audit_log.hpp"
#include "server/services/catalog/catalog_impl.hpp"
#include "server/services/catalog/rows.hpp"
#include "server/services/organization/collection_rows.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

constexpr std::chrono::minutes purge_interval{10};
constexpr long long expired_per_transaction = 20;

void collect_blobs(DatabaseConnection& sql, const std::string& asset, std::vector<std::string>& blobs)
{
    std::string blob;
    PreparedStatement rows =
        (sql.prepare << "SELECT DISTINCT blob FROM files WHERE asset = :id", into(blob), use(asset));
    for (rows.execute(); rows.fetch();)
        blobs.push_back(blob);
}

void leave_collections(DatabaseConnection& sql, const std::string& asset)
{
    std::vector<std::string> collections;
    std::string id;
    {
        PreparedStatement rows =
            (sql.prepare << "SELECT collection FROM collection_assets WHERE asset = :id UNION "
                            "SELECT id FROM collections WHERE cover = :cover",
             into(id), use(asset), use(asset));
        for (rows.execute(); rows.fetch();)
            collections.push_back(id);
    }
    sql << "DELETE FROM collection_assets WHERE asset = :id", use(asset);
    sql << "UPDATE collections SET cover = '' WHERE cover = :id", use(asset);
    for (const auto& collection : collections)
        publish_collection(sql, collection, "collection.updated");
}

// Rows that refer to the asset; with SQL that both databases read.
void remove_rows(DatabaseConnection& sql, const AssetRecord& asset)
{
    touch_asset(sql, asset.id); // caches learn of it by a change of the row
    sql << "DELETE FROM asset_search WHERE rowid = (SELECT seq FROM assets WHERE id = :id)", use(asset.id);
    for (const char* table :
         {"files", "documents", "clip_facets", "asset_warnings", "jobs", "asset_tags", "favorites",
          "similarity_keys", "picture_vectors", "notes", "field_values", "versions"})
        sql << fmt::format("DELETE FROM {} WHERE asset = :id", table), use(asset.id);
    for (const auto& tag : api::split_tags(asset.tags))
        remove_unused_tag(sql, name_key(tag));
    sql << "DELETE FROM assets WHERE id = :id", use(asset.id);
}

// Ids of some that were moved to the trash before, in ascending order.
std::vector<std::string> find_expired(DatabaseConnection& sql, long long instant)
{
    std::string id;
    std::vector<std::string> ids;
    PreparedStatement rows =
        (sql.prepare << fmt::format("SELECT id FROM assets WHERE deleted > 0 AND deleted < :instant "
                                    "ORDER BY deleted LIMIT {}",
                                    expired_per_transaction),
         into(id), use(instant));
    for (rows.execute(); rows.fetch();)
        ids.push_back(id);
    std::ranges::sort(ids);
    return ids;
}

// All locks come before the first change. Leaves those that are still in the trash since before `instant`.
void lock_expired(DatabaseConnection& sql, std::vector<std::string>& ids, long long instant)
{
    for (const auto& id : ids)
        lock_jobs(sql, id);
    for (const auto& id : ids)
        lock_asset(sql, id);
    std::erase_if(ids, [&](const std::string& id) {
        const auto asset = find_asset_row(sql, id);
        return !asset || asset->deleted == 0 || asset->deleted >= instant;
    });
}

} // namespace

void lock_jobs(DatabaseConnection& sql, const std::string& asset)
{
    long long seq = 0;
    PreparedStatement rows =
        (sql.prepare << fmt::format("SELECT seq FROM jobs WHERE asset = :id ORDER BY seq{}",
                                    sql.dialect.words().lock_row),
         into(seq), use(asset));
    rows.execute();
    while (rows.fetch())
        ; // each row that is read is locked
}

Result<void> purge_asset(DatabaseConnection& sql, const std::string& id, std::vector<std::string>& blobs)
{
    lock_tags(sql);
    lock_collections(sql);
    lock_jobs(sql, id);
    const auto asset = find_to_change(sql, id, {});
    if (!asset) return std::unexpected(asset.error());
    if (asset->deleted == 0)
        return make_error(Errc::conflict, "not_in_trash", "only assets in the trash can be purged");
    collect_blobs(sql, id, blobs);
    remove_rows(sql, *asset);
    remove_links_of(sql, {.asset = id});
    record_audit(sql, "asset.purge", id, asset->name);
    leave_collections(sql, id);
    record_event(sql, "asset.purged", api::to_text(boost::json::object{{"asset", {{"id", id}}}}));
    return {};
}

Trash::Trash(DatabaseConnections& database, BlobStore& blobs, std::chrono::hours lifetime)
    : database_(database), blobs_(blobs), lifetime_(lifetime)
{
}

void Trash::start()
{
    if (lifetime_.count() == 0) return;
    thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

void Trash::stop()
{
    thread_ = {};
}

Result<void> Trash::purge(const std::string& id)
{
    std::vector<std::string> blobs;
    const auto purged = database_.write([&](DatabaseConnection& sql) {
        blobs.clear();
        return purge_asset(sql, id, blobs);
    });
    if (purged) blobs_.release(blobs);
    return purged;
}

std::size_t Trash::purge_older(Micros instant, const std::stop_token& stop)
{
    std::size_t purged = 0, some = 1;
    while (some > 0 && !stop.stop_requested()) {
        std::vector<std::string> blobs;
        purged += database_.write([&](DatabaseConnection& sql) {
            blobs.clear();
            lock_tags(sql);
            lock_collections(sql);
            auto ids = find_expired(sql, instant);
            some = ids.size();
            lock_expired(sql, ids, instant);
            for (const auto& id : ids)
                static_cast<void>(purge_asset(sql, id, blobs));
            return ids.size();
        });
        blobs_.release(blobs);
    }
    return purged;
}

std::size_t Trash::purge_expired(const std::stop_token& stop)
{
    const auto time = database_.read([](DatabaseConnection& sql) {
        long long micros = 0;
        sql << "SELECT now_micros()", into(micros);
        return micros;
    });
    return purge_older(time - std::chrono::microseconds(lifetime_).count(), stop);
}

void Trash::work(const std::stop_token& stop)
{
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
        try {
            if (const auto purged = purge_expired(stop); purged > 0)
                spdlog::info("msg=\"trash purged\" assets={}", purged);
        } catch (const std::exception& error) {
            spdlog::warn("msg=\"trash not purged\" error={:?}", std::string_view(error.what()));
        }
        stopped_.wait_for(lock, stop, purge_interval, [] { return false; });
    }
}

} // namespace vitrine::server
