#pragma once
// The catalog: assets, versions, files, facts, jobs. SQL lives behind this door and nowhere else. Any thread,
// blocking: one guarded writer (BEGIN IMMEDIATE), a small pool of readers. What a call has returned from is
// on the disk, but for notes of leases (heartbeats, ways back to the queue). Throws StorageError.

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "server/services/catalog/records.hpp"
#include "server/util/clock.hpp"
#include "server/util/error.hpp"

namespace vitrine::server {

struct NewAsset {
    std::string name;
    std::string main_file;
    std::vector<FileRecord> files;      // the main one among them; with their names what it is known by
    std::vector<FileRecord> attached{}; // kept with it, and no part of what it is known by
};

struct Created {
    AssetRecord asset;
    JobRecord job;
    bool existing = false; // the same content was known
};

enum class Sort : std::uint8_t { created, name, triangles };

struct ListQuery {
    std::string q{}; // words, all of them parts of names: of asset, joint, clip or material; any case
    std::string format{};
    std::optional<AssetStatus> status{};
    std::optional<bool> rigged{};
    std::optional<bool> animated{};
    std::string joint{}; // the name of one, ASCII in any case
    std::string clip{};
    std::optional<std::uint64_t> triangles_min{};
    std::optional<std::uint64_t> triangles_max{};
    Sort sort = Sort::created;
    bool descending = true;
    std::size_t limit = 50; // clamped to 1..500
    std::string cursor{};   // Page::next of the page before, same sort
    bool trash = false;     // what is in the trash instead of what is not
};

struct Page {
    std::vector<AssetRecord> items;
    std::string next; // empty: the last page
};

struct AssetChange {
    std::optional<std::string> name;
    std::string if_match; // etag(); empty: whatever it is
};

// What the first stage of an import found.
struct Metadata {
    std::string format;
    std::string generator;
    Counts counts;
    std::string summary;
    std::string search; // names of joints, clips and materials, one a line
    std::vector<std::pair<AssetDocument, std::string>> facts;
};

struct UserClipsChange {
    std::string before; // AssetRecord::user_clips as it was read
    std::string after;
    std::string if_match; // etag(); empty: whatever it is
    Metadata found;       // of the Scene with the new clips, bounds among the facts
};

// A claimed job. Every write of the worker is fenced by it: a worker whose lease went to another, of the same
// process too, writes nothing.
struct Lease {
    JobRecord job; // its stage: where to begin, what comes before is in the catalog
    AssetRecord asset;
    std::int64_t claim = 0; // no other claim of the job has this number
};

enum class LeaseState : std::uint8_t { held, lost, cancel_requested };

// What was answered to a request with an Idempotency-Key.
struct StoredResponse {
    int status = 0;
    std::string location{};
    std::string body{};
};
struct KeyClaim {
    bool of_other_content = false;          // the key belongs to another request
    std::optional<StoredResponse> answer{}; // to the same request, before
};

class Catalog {
public:
    // Opens or creates `file` and brings its schema up to date.
    explicit Catalog(const std::filesystem::path& file, unsigned readers = 4);
    ~Catalog();
    Catalog(const Catalog&) = delete;
    Catalog& operator=(const Catalog&) = delete;

    // One transaction: each asset with version 1, its files and a queued import, or the asset that has this
    // content already (out of the trash if need be; with a fresh import if the last one failed).
    std::vector<Created> create_assets(std::span<const NewAsset> assets);
    static std::string content_hash(const NewAsset& asset);

    // Errors: not_found. An asset in the trash is found too (AssetRecord::deleted says so).
    Result<AssetRecord> find_asset(const std::string& id) const;
    // Errors: invalid (cursor, q too long).
    Result<Page> list_assets(const ListQuery& query) const;
    std::vector<FileRecord> files(const std::string& asset, std::uint32_t version) const;
    bool names_blob(const std::string& blob) const; // of any asset, in the trash too
    // Empty optional: not imported yet.
    std::optional<std::string> find_document(const std::string& asset, std::uint32_t version,
                                             AssetDocument fact) const;
    std::uint64_t asset_count() const; // without the trash

    // Errors: not_found, precondition_failed, invalid (name empty or over 255 bytes).
    Result<AssetRecord> change_asset(const std::string& id, const AssetChange& change);
    // Errors: not_found, precondition_failed, conflict (the clips are not `before` any more).
    Result<AssetRecord> set_user_clips(const std::string& id, const UserClipsChange& change);
    Result<AssetRecord> trash_asset(const std::string& id, const std::string& if_match = {});
    Result<AssetRecord> restore_asset(const std::string& id);

    // A request takes its Idempotency-Key before its work, leaves its answer or, when it was refused, the
    // key. `content`: what the request asks for, hashed. Keys are forgotten after a day.
    KeyClaim claim_key(const std::string& key, const std::string& content, Micros instant = now());
    // Returns what is kept: the first answer.
    StoredResponse store_response(const std::string& key, const std::string& content,
                                  const StoredResponse& answer);
    void release_key(const std::string& key, const std::string& content);

    Result<JobRecord> find_job(const std::string& id) const;
    // Queued: cancelled at once. Running: its worker is told (LeaseState). Errors: not_found, conflict
    // (over).
    Result<JobRecord> cancel_job(const std::string& id);
    std::size_t queued_jobs() const;

    // The oldest queued job whose time has come, those that wait for their thumbnail only after all others,
    // but for one claim in eight; leased to `owner`. Empty optional: none.
    std::optional<Lease> claim_job(const std::string& owner, std::chrono::milliseconds lease);
    // Renews the lease and records how far the job is.
    LeaseState heartbeat(const Lease& held, JobStage stage, double progress, std::chrono::milliseconds lease);
    // The writes of an import. Empty optional: the lease is lost, nothing was written.
    std::optional<AssetRecord> record_metadata(const Lease& held, const Metadata& metadata);
    std::optional<AssetRecord> record_document(const Lease& held, AssetDocument fact,
                                               const std::string& json);
    std::optional<AssetRecord> record_thumbnail(const Lease& held, bool there);
    std::optional<Created> succeed(const Lease& held);
    std::optional<Created> fail(const Lease& held, const ProblemRecord& problem);
    std::optional<Created> finish_cancelled(const Lease& held);
    // The ways back to the queue; the job keeps its stage and progress.
    // It failed and is tried again, not before `after` from now; the job says `problem` until it is claimed.
    // Empty optional: the lease is lost.
    std::optional<JobRecord> requeue(const Lease& held, std::chrono::milliseconds after,
                                     const ProblemRecord& problem);
    // The same where no attempt is lost: it is not the job's fault.
    std::optional<JobRecord> defer(const Lease& held, std::chrono::milliseconds after,
                                   const ProblemRecord& problem);
    // A stop: as if it had not been claimed, no attempt is lost.
    void release(const Lease& held);
    // As release, at the stage `thumbnail`, when another job waits for an earlier stage. Empty optional:
    // none does, or the lease is lost; nothing was written.
    std::optional<JobRecord> yield_stage(const Lease& held, double progress);
    // Running jobs whose lease has run out, or whose owner `is_dead`, are queued again at the stage they had
    // reached. Returns how many.
    std::size_t recover_jobs(const std::function<bool(const std::string& owner)>& is_dead);

    // Throws StorageError when the catalog cannot be read or written; for /readyz.
    void check() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace vitrine::server
