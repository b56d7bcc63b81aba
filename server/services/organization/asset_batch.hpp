#pragma once
// Changes of many assets, each with a result of its own: what fails for one asset leaves that asset as it
// was, and does not concern the others. Any thread, blocking. A write is durable when the call returns.
// Throws StorageError.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "server/services/catalog/catalog.hpp"
#include "server/services/organization/field_table.hpp"
#include "server/services/storage/blob_store.hpp"

namespace vitrine::server {

// What is done to an asset.
struct BatchOperation {
    enum class Kind : std::uint8_t {
        change,
        add_to_collection,
        remove_from_collection,
        trash,
        restore,
        purge,
        set_fields
    };
    Kind kind = Kind::change;
    AssetChange change{};                   // of `change`
    std::string collection{};               // id
    std::vector<FieldValueChange> values{}; // of `set_fields`
};

inline constexpr std::size_t max_batch_assets = 1000;
inline constexpr std::size_t max_batch_operations = 8;

// All operations on each asset, in order. Returns a result for each asset, in order: empty, or the error of
// the first operation that failed. `catalog` and `blobs` are used during the call.
std::vector<Result<void>> change_assets(Catalog& catalog, BlobStore& blobs,
                                        std::span<const std::string> assets,
                                        std::span<const BatchOperation> operations);

} // namespace vitrine::server
