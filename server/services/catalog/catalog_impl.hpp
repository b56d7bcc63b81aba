#pragma once
// Internal declarations shared by the source files of Catalog.

#include <atomic>
#include <string_view>

#include "api/tags/tag_text.hpp"
#include "server/services/catalog/catalog.hpp"
#include "server/services/database/database_connections.hpp"
#include "server/services/schema/schema.hpp"

namespace vitrine::server {

struct Catalog::Impl {
    Impl(const std::string& location, unsigned readers) : connections(make_dialect(location), readers) {}
    DatabaseConnections connections;
    std::atomic<std::uint64_t> claims = 0; // number of claims of this process
};

// Returns the sort key of `name`: ASCII letters in lower case.
std::string name_key(std::string_view name);
// Writes the names by which the asset is found.
void index_search(DatabaseConnection& sql, const std::string& asset, const std::string& name,
                  const SearchNames& found);
// Tags of assets (asset_tags.cpp). Writers of tags wait for each other until the end of the transaction; call
// it before lock_asset().
void lock_tags(DatabaseConnection& sql);
// Replaces the tags of the asset. Returns whether they have changed. Errors: invalid (too many).
Result<bool> set_tags(DatabaseConnection& sql, const AssetRecord& asset,
                      const std::vector<std::string>& names);
// Replaces the cover of the asset, and removes what the import has reported about the old one. Returns
// whether it has changed (cover.cpp).
bool set_cover(DatabaseConnection& sql, const AssetRecord& asset, const std::string& cover);
void remove_unused_tag(DatabaseConnection& sql, const std::string& key);
// Writes the notes of the asset into its row of the search (note_index.cpp).
inline constexpr char note_mark = '\x1d'; // before each
void index_notes(DatabaseConnection& sql, const std::string& asset);
// The words of the asset's names, for corrections.
void record_words(DatabaseConnection& sql, const std::string& name, const SearchNames& found);
// Replaces words of `q` that no asset has by the most similar ones that there are.
std::vector<Correction> correct_words(DatabaseConnection& sql, std::string& q);
// Empty without words in `q` of the query; otherwise of each asset.
std::vector<NameMatch> find_matches(DatabaseConnection& sql, const ListQuery& query,
                                    const std::vector<AssetRecord>& assets);
// The lease of a job that this transaction has claimed. Empty: the version was purged meanwhile, and the job
// is removed.
std::optional<Lease> lease_of(DatabaseConnection& sql, const std::string& id, long long claim);
// Returns whether `held` is still the job's lease, which nobody else changes in this transaction then.
bool holds(DatabaseConnection& sql, const Lease& held);
// Others wait with changes of the asset until the end of the transaction.
void lock_asset(DatabaseConnection& sql, const std::string& id);
// Finds an asset to change, and locks it. Errors: not_found, precondition_failed.
Result<AssetRecord> find_to_change(DatabaseConnection& sql, const std::string& id,
                                   const std::string& if_match);
// As those of Catalog, in a transaction of the caller.
Result<AssetRecord> change_asset(DatabaseConnection& sql, const std::string& id, const AssetChange& change);
std::vector<Created> create_assets(DatabaseConnection& sql, std::span<const NewAsset> assets,
                                   std::string_view priority);
Result<AssetRecord> trash_asset(DatabaseConnection& sql, const std::string& id, const std::string& if_match);
Result<AssetRecord> restore_asset(DatabaseConnection& sql, const std::string& id);
// Increments the revision and sets the time of the update.
void touch_asset(DatabaseConnection& sql, const std::string& id);
// Returns the turn of the first job of an upload: that of the job which is claimed next.
long long current_turn(DatabaseConnection& sql);
// Jobs are claimed in the order of their turns. Those of one upload have consecutive ones, so that uploads
// take turns: a single model does not wait for thousands that were uploaded before it. Returns the id.
std::string insert_job(DatabaseConnection& sql, const std::string& asset, long long version, long long turn,
                       std::string_view priority = interactive_priority);
struct VersionOrigin {
    std::string source_hash;
    std::string job;
    long long created = 0; // microseconds since 1970
};
void insert_version(DatabaseConnection& sql, const std::string& id, long long number, const NewAsset& asset,
                    const VersionOrigin& origin);
// The import of the version begins again.
void queue_version(DatabaseConnection& sql, const AssetRecord& version, long long turn);
void set_version_status(DatabaseConnection& sql, const std::string& asset, std::uint32_t number,
                        AssetStatus status, const ImportProblem& problem = {});
// The version is imported. Requests read it from now on if it is newer than the one that they read.
void promote_version(DatabaseConnection& sql, const std::string& asset, std::uint32_t number);
// The names by which the asset is found once the version is promoted.
void keep_search_names(DatabaseConnection& sql, const std::string& asset, std::uint32_t number,
                       const SearchNames& names);
// Those from number `first` to `last`, the newest first.
std::vector<api::Version> fetch_versions(DatabaseConnection& sql, const std::string& asset, long long first,
                                         long long last);
api::Version version_of(DatabaseConnection& sql, const std::string& asset, std::uint32_t number);
// Whether a newer version than this one is being imported.
bool has_running_versions(DatabaseConnection& sql, const AssetRecord& current);
void rename_asset(DatabaseConnection& sql, const std::string& id, const std::string& name);
void put_document(DatabaseConnection& sql, const std::string& asset, std::uint32_t number,
                  AssetDocument document, const std::string& json);
// Replaces the metadata of a version.
void put_metadata(DatabaseConnection& sql, const std::string& asset, std::uint32_t version,
                  const Metadata& found);
// Sets in the asset's row what lists filter by: that of the version which requests read.
void put_list_columns(DatabaseConnection& sql, const std::string& asset);
// The codes of the warnings of a version, each as often as it occurs.
void put_warnings(DatabaseConnection& sql, const std::string& asset, std::uint32_t number,
                  const std::vector<std::string>& codes);
void put_similarity(DatabaseConnection& sql, const std::string& asset, std::uint32_t number,
                    const std::vector<SimilarityKey>& keys);
// The job of the version ends without facts: this code does not try to refresh them again.
void mark_facts_tried(DatabaseConnection& sql, const JobRecord& job);
// Records an event in the transaction that causes it, as its last statements: others that record one wait
// from here until the end.
void record_event(DatabaseConnection& sql, std::string_view type, const AssetRecord& asset);
void record_event(DatabaseConnection& sql, const JobRecord& job);
void record_event(DatabaseConnection& sql, const AssetRecord& asset, const api::Version& version);
void record_event(DatabaseConnection& sql, std::string_view type, const std::string& json);
std::unexpected<ServiceError> no_asset(const std::string& id);

} // namespace vitrine::server
