#pragma once
// Internal declarations shared by the source files of Catalog.

#include "server/services/catalog/catalog.hpp"
#include "server/services/database/database_connections.hpp"

namespace vitrine::server {

struct Catalog::Impl {
    Impl(const std::filesystem::path& file, unsigned readers) : connections(file, readers) {}
    DatabaseConnections connections;
    std::uint64_t claims = 0; // number of claims of this process; used only by the guarded writer
};

// Returns the sort key of `name`: ASCII letters in lower case.
std::string name_key(std::string_view name);
// Rewrites the search index of the asset: its name and `found` (names in the model, one per line).
void index_search(DatabaseConnection& sql, const std::string& asset, const std::string& name,
                  const std::string& found);
// Returns whether `held` is still the job's lease.
bool holds(DatabaseConnection& sql, const Lease& held);
// Finds an asset that may be changed. Errors: not_found, precondition_failed.
Result<AssetRecord> find_to_change(DatabaseConnection& sql, const std::string& id,
                                   const std::string& if_match);
// Increments the revision and sets the time of the update.
void touch_asset(DatabaseConnection& sql, const std::string& id);
// Replaces the metadata of a version.
void put_metadata(DatabaseConnection& sql, const std::string& asset, std::uint32_t version,
                  const Metadata& found);
std::unexpected<ServiceError> no_asset(const std::string& id);

} // namespace vitrine::server
