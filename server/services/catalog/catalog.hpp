#pragma once
// The catalog: assets, versions, files, documents, jobs. The only access to the SQL database, a file of
// SQLite, which one process opens, or a database of PostgreSQL, which several share. Any thread, blocking: a
// few connections write, a few read. A write is durable when the call returns, except for changes of leases
// (heartbeats, returns to the queue). Throws StorageError.

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "server/services/catalog/list_query.hpp"
#include "server/services/catalog/records.hpp"
#include "server/services/database/signals.hpp"
#include "server/util/clock.hpp"
#include "server/util/error.hpp"
#include "server/util/generations.hpp"

namespace vitrine::server {

class DatabaseConnections; // server/services/database/database_connections.hpp

struct NewAsset {
    std::string name;
    std::string main_file;
    std::vector<FileRecord> files;      // includes the main file; they and their names identify the content
    std::vector<FileRecord> attached{}; // stored with the asset, but not part of its identity
    std::string library{};              // id of that whose folder has the main file; empty: none
};

struct Created {
    AssetRecord asset;
    JobRecord job;
    bool existing = false; // the same content was known before
};

// New content of an asset.
struct NewVersion {
    NewAsset content{};     // without its name
    std::string name{};     // of the asset once the version is imported; empty: it stays
    std::string if_match{}; // etag(); empty: any revision
};

struct CreatedVersion {
    api::Version version;
    AssetRecord asset; // as requests without a version read it
    JobRecord job;
    bool existing = false; // the asset had a version with this content
};

// An asset and its import after the import has ended.
struct EndedImport {
    AssetRecord asset;
    JobRecord job;
};

struct AssetChange {
    std::optional<std::string> name;
    std::string if_match;                           // etag(); empty: any revision
    std::optional<std::vector<std::string>> tags{}; // instead of those that the asset has
    std::vector<std::string> added_tags{}, removed_tags{};
    std::optional<std::string> license{}, author{}, source_url{}; // empty text: none
    std::optional<std::string> cover{};                           // of cover_text()
    std::optional<std::string> up_axis{}; // for orient_asset(): a scene::is_axis_word(); empty text: none
};

// What lists filter clips by.
struct ClipFacet {
    bool loops = false;
    bool in_place = false;
    double speed = 0.0;    // meters per second
    double duration = 0.0; // seconds
};

// Names by which an asset is found beside its own, each followed by a line break.
struct SearchNames {
    std::string tags; // title and authors
    std::string clips;
    std::string joints;
    std::string materials; // and material variants
};

// Result of the first stage of an import.
struct Metadata : api::ImportedMembers {
    SearchNames search;
    std::vector<std::pair<AssetDocument, std::string>> documents;
    std::vector<ClipFacet> clip_facets{}; // of all clips
    std::vector<SimilarityKey> similarity{};
    std::vector<std::string> warning_codes{}; // of all warnings
};

struct UserClipsChange {
    std::string before; // AssetRecord::user_clips at the time it was read
    std::string after;
    std::string if_match; // etag(); empty: any revision
    Metadata found;       // metadata of the Scene with the new clips, including bounds
};

// A claimed job. It fences every write of the worker, who writes nothing once another has taken it over.
struct Lease {
    JobRecord job;          // its stage is where to start; results of earlier stages are in the catalog
    AssetRecord asset;      // what the import is made of
    std::int64_t claim = 0; // unique among the claims of the job
    std::string trace{};    // of the request that has made the job; empty: it had none
};

enum class LeaseState : std::uint8_t {
    held,
    lost,             // another worker has the job, or it has ended
    cancel_requested, // still held
    released,         // given back by its holder; not a result of heartbeat()
};

// Assets outside the trash whose stored facts are of older code than this program's.
struct StaleFacts {
    std::uint64_t assets = 0;
    std::uint64_t waiting = 0; // of these, those that this code has not tried to refresh yet
};

// The stored response to a request with an Idempotency-Key.
struct StoredResponse {
    int status = 0;
    std::string location{};
    std::string body{};
};
struct KeyClaim {
    bool reused_for_different_request = false; // the key was used by a different request
    std::optional<StoredResponse> response{};  // to an earlier, identical request
};

class Catalog {
public:
    // `location`: the path of a file of SQLite, created if it is absent, or
    // postgres://USER:PASSWORD@HOST/NAME, a database that exists. Brings its schema up to date. `readers`:
    // connections that read.
    explicit Catalog(const std::string& location, unsigned readers = 4);
    ~Catalog();
    Catalog(const Catalog&) = delete;
    Catalog& operator=(const Catalog&) = delete;

    // One transaction: each asset with version 1, its files and a queued import; or the existing asset with
    // this content (taken out of the trash if needed; imported again if the last import failed).
    // `priority`: of the imports; empty: bulk if there are more than max_interactive.
    std::vector<Created> create_assets(std::span<const NewAsset> assets, std::string_view priority = {});
    static constexpr std::size_t max_interactive = 16;
    static std::string source_hash(const NewAsset& asset);

    // A version with the content and a queued import, or the existing version (imported again if that has
    // failed). Requests without a version read it once it is imported. Two at once have different numbers.
    // Errors: not_found (also in the trash), precondition_failed, too_large (the asset has max_versions).
    Result<CreatedVersion> create_version(const std::string& id, const NewVersion& content);
    // A new version with the files of version `number`; existing: that is what requests read already, and no
    // newer one is being imported. Errors: also conflict ("not_imported", "import_failed").
    Result<CreatedVersion> restore_version(const std::string& id, std::uint32_t number,
                                           const std::string& if_match = {});
    // As change_asset(), and a new version with the files of the one that requests read and another up axis;
    // existing: it has this axis already. Errors: also not_ready, conflict ("import_running": a newer
    // version; "import_failed"), too_large.
    Result<CreatedVersion> orient_asset(const std::string& id, const AssetChange& change);
    // The newest first.
    std::vector<api::Version> versions(const std::string& id) const;
    static constexpr std::size_t max_versions = 1'000; // of one asset

    // In the version that requests read: the newest that is imported, else the first. Errors: not_found. Also
    // finds assets in the trash (see AssetRecord::deleted).
    Result<AssetRecord> find_asset(const std::string& id) const;
    Result<AssetRecord> find_version(const std::string& id, std::uint32_t number) const; // errors: not_found
    // The asset whose main file has this name, with or without its folders, of the newest upload that the
    // asset was part of. Errors: not_found, also if there are several.
    Result<AssetRecord> find_in_upload(const std::string& asset, const std::string& file) const;
    // `offset`, `at` and `count_all` scan one index. Errors: invalid (cursor, q too long, relevance without
    // q), not_found (`at`; by relevance also if its names do not have the words).
    Result<Page> list_assets(const ListQuery& query) const;
    std::vector<FileRecord> files(const std::string& asset, std::uint32_t version) const;
    bool names_blob(const std::string& blob) const; // an asset, also in the trash, or an upload in pieces
    // Returns an empty optional before the import.
    std::optional<std::string> find_document(const std::string& asset, std::uint32_t version,
                                             AssetDocument document) const;
    std::uint64_t asset_count() const; // excludes the trash
    // The rigs of at most `limit` (1 .. 1000) assets outside the trash, descending from before `before`.
    std::vector<RigRow> list_rigs(std::int64_t before, std::size_t limit) const;
    // The signatures of a version.
    std::vector<SimilarityKey> signatures(const std::string& asset, std::uint32_t version,
                                          SimilarityKind kind) const;
    // Signatures in one of the buckets of assets outside the trash but `except`; only the buckets are read
    // from the index.
    SimilarRows find_similar(SimilarityKind kind, std::vector<std::int64_t> buckets,
                             const std::string& except, std::size_t limit) const;
    // Assets that have this file now.
    SimilarRows find_same_file(const std::string& blob, const std::string& except, std::size_t limit) const;

    // Errors: not_found, precondition_failed, invalid (name empty or over max_name_bytes, too many tags).
    Result<AssetRecord> change_asset(const std::string& id, const AssetChange& change);
    // Errors: not_found, precondition_failed, conflict (the clips differ from `before`).
    Result<AssetRecord> set_user_clips(const std::string& id, const UserClipsChange& change);
    Result<AssetRecord> trash_asset(const std::string& id, const std::string& if_match = {});
    Result<AssetRecord> restore_asset(const std::string& id);
    void update_library(const std::string& id); // that which has the main file now
    // Queues another import of the version; its data stays available meanwhile. Errors: not_found (also in
    // the trash), conflict ("import_running").
    Result<Created> reimport_asset(const std::string& id);

    // A request claims its Idempotency-Key before its work and then stores its response, or releases the key
    // when it was rejected. `content`: hash of the request's content. Keys expire after a day.
    KeyClaim claim_key(const std::string& key, const std::string& content, Micros instant = now());
    // Returns the stored response: that of the first request.
    StoredResponse store_response(const std::string& key, const std::string& content,
                                  const StoredResponse& response);
    void release_key(const std::string& key, const std::string& content);

    Result<JobRecord> find_job(const std::string& id) const;
    std::vector<JobRecord> list_jobs(const JobQuery& query) const; // the newest first
    // A queued job is cancelled immediately; the worker of a running one sees it in LeaseState. Errors:
    // not_found, conflict (the job has ended).
    Result<JobRecord> cancel_job(const std::string& id);
    // Begins a failed or cancelled job again, as if it had no attempts. Errors: not_found (also if its asset
    // is in the trash), conflict ("job_not_failed", "job_superseded": by a newer one).
    Result<JobRecord> retry_job(const std::string& id);
    std::size_t queued_jobs() const; // imports

    // Refreshes are jobs of the kind `refresh`, which replace the facts of assets that were made by older
    // code. Their failure leaves the asset as it is. Queues those of the first `limit` of `wanted` (ids;
    // others are ignored) and then, while fewer than `limit` are queued or run, others: oldest facts first,
    // then small files first. Returns the new jobs.
    std::vector<JobRecord> queue_refreshes(std::span<const std::string> wanted, std::size_t limit);
    // As claim_job(), of a refresh; none is claimed while an import is due.
    std::optional<Lease> claim_refresh(const std::string& owner, std::chrono::milliseconds lease);
    bool has_assets_to_refresh() const; // that have no refresh
    StaleFacts count_stale_facts() const;

    // Claims a due import for `owner`: an interactive one before a bulk one, except in one of eight claims,
    // and the oldest of those whose turn it is (uploads take turns). Jobs that wait only for their thumbnail
    // come after all others, except in one of eight claims. Empty optional: no job is due.
    std::optional<Lease> claim_job(const std::string& owner, std::chrono::milliseconds lease);
    // Renews the lease and records stage and progress of the job.
    LeaseState heartbeat(const Lease& held, JobStage stage, double progress, std::chrono::milliseconds lease);
    // As heartbeat(), with an event.
    LeaseState enter_stage(const Lease& held, JobStage stage, double progress,
                           std::chrono::milliseconds lease);
    // Writes of a job; they return the asset afterwards. Empty optional: the lease is lost, nothing was
    // written. Metadata and documents are not written either if the user clips of the asset, which can change
    // during an import, are not those of `held.asset`.
    std::optional<AssetRecord> record_metadata(const Lease& held, const Metadata& metadata);
    std::optional<AssetRecord> record_document(const Lease& held, AssetDocument document,
                                               const std::string& json);
    std::optional<AssetRecord> record_thumbnail(const Lease& held, bool has_thumbnail);
    // Of a version that is not promoted yet: the user clips that it takes over.
    std::optional<AssetRecord> carry_user_clips(const Lease& held, const std::string& clips);
    std::optional<EndedImport> succeed(const Lease& held);
    std::optional<EndedImport> fail(const Lease& held, const ImportProblem& problem);
    std::optional<EndedImport> finish_cancelled(const Lease& held);
    // Returns a job to the queue; it keeps its stage and progress. requeue(): after a failure, to be retried
    // no earlier than `after` from now; the job shows `problem` until it is claimed. Empty optional: the
    // lease is lost.
    std::optional<JobRecord> requeue(const Lease& held, std::chrono::milliseconds after,
                                     const ImportProblem& problem);
    // As requeue(), without counting an attempt, for failures that the job did not cause.
    std::optional<JobRecord> defer(const Lease& held, std::chrono::milliseconds after,
                                   const ImportProblem& problem);
    // For a stop of the server: undoes the claim without counting an attempt.
    void release(const Lease& held);
    // As release(), at the stage `thumbnail`, if another job waits for an earlier stage. Empty optional: no
    // job waits or the lease is lost; nothing was written.
    std::optional<JobRecord> yield_stage(const Lease& held, double progress);
    // Queues running jobs again whose lease has expired or whose owner `is_dead`, at the stage they had
    // reached. Returns their number.
    std::size_t recover_jobs(const std::function<bool(const std::string& owner)>& is_dead);

    // Of everything that the API shows about assets; jobs are not part of it. Advanced before a write
    // returns.
    const Generations& generations() const;

    // Events of all writes above that change an asset or a job, in the order of the commits; a signal
    // "events" follows each commit. newest_events() ascends too.
    std::vector<Event> events_after(std::uint64_t id, std::size_t limit) const;
    std::vector<Event> newest_events(std::size_t limit) const;
    // Keeps the newest ones that are not older than `age`, and the newest of all.
    void remove_old_events(std::size_t kept, std::chrono::seconds age);

    // Signals of committed writes, of other processes too: "jobs" (a job is due or will be), "events".
    Signals& signals();

    // For tables that are not the catalog's, such as server/services/workers.
    DatabaseConnections& connections();

    // Throws StorageError when the catalog cannot be read or written; for /readyz.
    void check() const;

private:
    friend class BlobLedger; // blob_ledger.hpp
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace vitrine::server
