#include "server/services/organization/asset_batch.hpp"

#include <algorithm>
#include <initializer_list>
#include <set>

#include "server/services/catalog/rows.hpp"
#include "server/services/organization/collection_rows.hpp"
#include "server/services/organization/field_rows.hpp"
#include "server/services/organization/trash.hpp"
#include "server/services/visibility/visibility.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t assets_per_transaction = 50; // others wait for it with their events

template <class Value>
Result<void> without_value(const Result<Value>& result)
{
    if (!result) return std::unexpected(result.error());
    return {};
}

// One transaction.
struct BatchTransaction {
    DatabaseConnection& sql;
    std::span<const BatchOperation> operations;
    std::vector<std::string> blobs{};    // of purged assets
    std::set<std::string> collections{}; // whose members have changed

    bool has(std::initializer_list<BatchOperation::Kind> kinds) const
    {
        return std::ranges::any_of(operations, [&](const BatchOperation& operation) {
            return std::ranges::find(kinds, operation.kind) != kinds.end();
        });
    }

    // All locks, in the order in which the functions that the operations call take them, and assets in the
    // order of their ids. After the first event others wait for this transaction: it must not wait for them.
    void lock(std::span<const std::string> assets)
    {
        using enum BatchOperation::Kind;
        const bool has_members = has({add_to_collection, remove_from_collection});
        if (has({change, purge})) lock_tags(sql);
        if (has_members || has({purge, set_fields})) lock_collections(sql);
        std::set<std::string> ids(assets.begin(), assets.end());
        if (has_members) ids.insert(noted_asset(sql));
        if (has({purge}))
            for (const auto& id : ids)
                lock_jobs(sql, id);
        for (const auto& id : ids)
            lock_asset(sql, id);
        if (has_members) note_membership(sql);
    }

    Result<void> apply(const std::string& asset, const BatchOperation& operation)
    {
        using enum BatchOperation::Kind;
        switch (operation.kind) {
        case change: return without_value(change_asset(sql, asset, operation.change));
        case trash: return without_value(trash_asset(sql, asset, {}));
        case restore: return without_value(restore_asset(sql, asset));
        case purge: return purge_asset(sql, asset, blobs);
        case set_fields: return write_fields(asset, operation);
        case add_to_collection:
        case remove_from_collection: break;
        }
        return change_membership(asset, operation);
    }

    Result<void> change_membership(const std::string& asset, const BatchOperation& operation)
    {
        if (!has_collection(sql, operation.collection) || !is_visible_collection(sql, operation.collection))
            return no_collection(operation.collection);
        collections.insert(operation.collection);
        if (!find_asset_row(sql, asset) || !is_visible_asset(sql, asset)) return no_asset(asset);
        if (operation.kind == BatchOperation::Kind::add_to_collection) {
            if (auto added = insert_member_rows(sql, operation.collection, {.assets = {asset}}); !added)
                return added;
        } else {
            remove_member_rows(sql, operation.collection, {asset});
        }
        refresh_field_values(sql, {asset});
        return {};
    }

    Result<void> write_fields(const std::string& asset, const BatchOperation& operation)
    {
        if (!find_asset_row(sql, asset) || !is_visible_asset(sql, asset)) return no_asset(asset);
        const auto written = write_field_values(sql, asset, operation.values);
        if (!written) return std::unexpected(written.error());
        if (*written) record_event(sql, "asset.updated", *find_asset_row(sql, asset));
        return {};
    }

    Result<void> apply_all(const std::string& asset)
    {
        for (const auto& operation : operations)
            if (auto done = apply(asset, operation); !done) return done;
        return {};
    }

    // The asset is as it was if an operation fails, and nobody hears of it.
    Result<void> try_all(const std::string& asset)
    {
        sql << "SAVEPOINT one_asset";
        const auto signals = sql.signals.size();
        const auto released = blobs.size();
        const auto changed = collections;
        auto done = apply_all(asset);
        if (!done) {
            sql << "ROLLBACK TO SAVEPOINT one_asset";
            sql.signals.resize(signals);
            blobs.resize(released);
            collections = changed;
        }
        sql << "RELEASE SAVEPOINT one_asset";
        return done;
    }

    void finish()
    {
        for (const auto& id : collections)
            publish_collection(sql, id, "collection.updated");
    }
};

} // namespace

std::vector<Result<void>> change_assets(Catalog& catalog, BlobStore& blobs,
                                        std::span<const std::string> assets,
                                        std::span<const BatchOperation> operations)
{
    std::vector<Result<void>> results;
    for (std::size_t at = 0; at < assets.size(); at += assets_per_transaction) {
        const auto some = assets.subspan(at, std::min(assets_per_transaction, assets.size() - at));
        std::vector<std::string> released;
        auto done = catalog.connections().write([&](DatabaseConnection& sql) {
            BatchTransaction transaction{sql, operations};
            transaction.lock(some);
            std::vector<Result<void>> of_some;
            for (const auto& asset : some)
                of_some.push_back(transaction.try_all(asset));
            transaction.finish();
            released = std::move(transaction.blobs);
            return of_some;
        });
        blobs.release(released);
        std::ranges::move(done, std::back_inserter(results));
    }
    return results;
}

} // namespace vitrine::server
