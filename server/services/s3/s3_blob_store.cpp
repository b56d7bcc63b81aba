#include "server/services/s3/s3_blob_store.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "loaders/base/stop.hpp"
#include "server/services/s3/blob_cache.hpp"
#include "server/services/s3/blob_fetcher.hpp"
#include "server/services/s3/s3_client.hpp"
#include "server/services/s3/s3_collection.hpp"
#include "server/services/s3/s3_hand_over.hpp"
#include "server/services/s3/s3_ownership.hpp"
#include "server/util/sha256.hpp"

namespace fs = std::filesystem;

namespace vitrine::server {
namespace {

using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr unsigned transfer_threads = 8;                      // of one upload or load
constexpr int max_uploads_of_a_blob = 4;                      // while others remove it
constexpr seconds max_young_age{3 * 3600};                    // half of the least --blob-grace-hours
constexpr std::chrono::milliseconds max_removal_time{20'000}; // S3BlobsConfig::mark_life
constexpr int max_upload_passes = 3;
constexpr std::uint64_t max_whole_bytes = 16ull << 20; // smaller blobs are copied whole
constexpr std::uint64_t max_part_bytes = 256ull << 20; // larger parts are read from a whole copy

std::string blob_key(const std::string& hash)
{
    return std::string(blobs_folder) + hash;
}

std::string mark_key(const std::string& hash)
{
    return std::string(marks_folder) + hash;
}

// Whatever the options of this server are, a removal ends while its mark counts on all servers.
S3Options for_removals(S3Options options)
{
    options.deadline = std::min(options.deadline, max_removal_time);
    return options;
}

class S3BlobWriter final : public BlobWriter {
public:
    S3BlobWriter(BlobCache& cache, const fs::path& temporary) : cache_(cache), file_(temporary) {}

    void write(std::span<const std::byte> bytes) override { file_.write(bytes); }
    std::uint64_t size_bytes() const override { return file_.size_bytes(); }
    BlobRef commit() override
    {
        BlobRef blob{file_.finish(), file_.size_bytes()};
        blob.pin = cache_.adopt(blob.hash, file_).in_use;
        return blob;
    }

private:
    BlobCache& cache_;
    HashedFile file_;
};

class S3BlobStore final : public BlobStore {
public:
    S3BlobStore(const fs::path& data, const S3BlobsConfig& config, prometheus::Registry& registry)
        : config_(config), young_(std::min(config.grace / 2, max_young_age)), temporary_(data / "tmp"),
          client_(config.store, registry), remover_(for_removals(config.store), registry),
          ownership_(client_, config.take_over), cache_(data / "blob-cache", config.cache_bytes, registry),
          fetcher_(client_, cache_, temporary_), collection_(config_, client_, ownership_),
          hand_over_(client_, remover_)
    {
        make_empty_folder(temporary_);
    }

    std::unique_ptr<BlobWriter> create() override
    {
        return std::make_unique<S3BlobWriter>(cache_, temporary_);
    }

    void make_durable(std::span<const std::string> hashes) override;

    Result<BlobRef> pin(const std::string& hash) override
    {
        auto local = find_local(hash);
        if (!local) return std::unexpected(local.error());
        return BlobRef{hash, fs::file_size(local->path), std::move(local->in_use)};
    }

    Result<LocalBlob> find_local(const std::string& hash) const override
    {
        if (!is_sha256(hash)) return missing_blob(hash);
        if (auto local = cache_.find(hash)) return std::move(*local);
        return fetch(hash);
    }

    bool read_part(const std::string& hash, const BlobPart& part,
                   const std::function<void(std::span<const std::byte>)>& sink) const override;
    BlobHandOver hand_over(std::span<const std::string> hashes) override;
    Result<std::vector<LocalBlob>> receive(const std::string& place,
                                           std::span<const std::string> hashes) const override;

    void prefetch(std::span<const std::string> hashes) const override
    {
        for_each_parallel(hashes.size(), transfer_threads,
                          [&](std::size_t i) { (void)find_local(hashes[i]); });
    }

    std::optional<std::string> download_url(const std::string& hash,
                                            const std::string& disposition) const override
    {
        if (config_.redirect_seconds == 0 || !is_sha256(hash)) return std::nullopt;
        return client_.presign(blob_key(hash), config_.redirect_seconds,
                               {{"response-content-type", "application/octet-stream"},
                                {"response-content-disposition", disposition}});
    }

    void visit(const std::function<bool(const std::string& hash)>& visit) const override
    {
        std::string continuation;
        do {
            const auto page = client_.list(std::string(blobs_folder), continuation);
            for (const auto& hash : list_old_blobs(page, config_.grace))
                if (!visit(hash)) return;
            continuation = page.continuation;
        } while (!continuation.empty());
    }

    bool remove_unless(const std::string& hash, const std::function<bool()>& is_wanted) override;
    std::vector<std::string> wait_for_candidates(const std::stop_token& stop) override
    {
        return collection_.wait_for_candidates(stop);
    }
    bool is_shared() const override { return true; }
    void join(BlobLedger& ledger) override { ownership_.join(ledger); }
    void interrupt() override
    {
        client_.interrupt();
        remover_.interrupt();
    }

private:
    void upload(const std::string& hash);
    bool wait_for_removal(const std::string& hash);
    Result<LocalBlob> fetch(const std::string& hash) const;
    bool is_removable(const std::string& hash, const std::function<bool()>& is_wanted);

    const S3BlobsConfig config_;
    const seconds young_; // age up to which an upload relies on a blob that is there
    const fs::path temporary_;
    mutable S3Client client_;
    S3Client remover_; // of blobs
    mutable S3Ownership ownership_;
    mutable BlobCache cache_;
    mutable BlobFetcher fetcher_;
    S3Collection collection_;
    S3HandOver hand_over_;
};

// The blobs that were sent first must still be young when the last one is.
void S3BlobStore::make_durable(std::span<const std::string> hashes)
{
    ownership_.require();
    for (int pass = 0; pass < max_upload_passes; ++pass) {
        const auto begun = steady_clock::now();
        for_each_parallel(hashes.size(), transfer_threads, [&](std::size_t i) { upload(hashes[i]); });
        if (2 * (steady_clock::now() - begun) < young_) return;
    }
    throw StorageError(StorageError::Kind::unavailable, "the object store is too slow for the upload");
}

// The mark is looked at even if the blob is young: an upload may have written it after who removes it has
// looked at its age.
void S3BlobStore::upload(const std::string& hash)
{
    const auto local = cache_.find(hash);
    if (!local) throw StorageError(StorageError::Kind::failed, "the copy of an upload is missing");
    const auto size = fs::file_size(local->path);
    const auto key = blob_key(hash);
    const bool damaged = ownership_.is_damaged(hash);
    for (int i = 0; i < max_uploads_of_a_blob; ++i) {
        const auto there = client_.find(key);
        const bool is_young = there && there->size_bytes == size && there->age < young_;
        if (!is_young || damaged) client_.put_file(key, local->path, hash);
        const bool was_marked = wait_for_removal(hash);
        if (is_young && !was_marked && !damaged) return;
        const auto stored = client_.find(key);
        if (!stored || stored->age >= young_) continue; // removed since, or old after the wait
        if (stored->size_bytes != size)
            throw StorageError(
                StorageError::Kind::failed,
                fmt::format("the object store keeps {} bytes of {}, not {}", stored->size_bytes, key, size));
        if (damaged) ownership_.set_damaged(hash, false);
        return;
    }
    throw StorageError(StorageError::Kind::unavailable, "the object store does not keep " + key);
}

// Another server, or this one, may be about to remove the blob. Returns whether one was, now or earlier.
bool S3BlobStore::wait_for_removal(const std::string& hash)
{
    const auto until = steady_clock::now() + config_.store.deadline;
    for (;;) {
        const auto mark = client_.find(mark_key(hash));
        if (!mark || mark->age >= config_.mark_life) return mark.has_value();
        if (steady_clock::now() > until)
            throw StorageError(StorageError::Kind::unavailable, "a server is removing the same blob");
        check_stop();
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
}

Result<LocalBlob> S3BlobStore::fetch(const std::string& hash) const
{
    auto fetched = fetcher_.fetch(blob_key(hash), hash);
    if (!fetched && fetched.error().code == blob_corrupt) ownership_.set_damaged(hash, true);
    return fetched;
}

// The bytes are those that the store has compared with the hash of their part or whole when they arrived, if
// the object has the size of the blob and is not known to be damaged.
bool S3BlobStore::read_part(const std::string& hash, const BlobPart& part,
                            const std::function<void(std::span<const std::byte>)>& sink) const
{
    if (part.blob_bytes <= max_whole_bytes || part.length > std::min(part.blob_bytes / 2, max_part_bytes))
        return false;
    if (!is_sha256(hash) || cache_.contains(hash) || ownership_.is_damaged(hash)) return false;
    const auto key = blob_key(hash);
    const auto there = client_.find(key);
    if (!there || there->size_bytes != part.blob_bytes || there->etag.empty()) return false;
    return client_.get_range(key, {part.offset, part.length, there->etag}, sink);
}

BlobHandOver S3BlobStore::hand_over(std::span<const std::string> hashes)
{
    ownership_.require();
    return hand_over_.send(hashes, cache_);
}

Result<std::vector<LocalBlob>> S3BlobStore::receive(const std::string& place,
                                                    std::span<const std::string> hashes) const
{
    std::vector<Result<LocalBlob>> received(hashes.size(), Result<LocalBlob>(LocalBlob{}));
    for_each_parallel(hashes.size(), transfer_threads, [&](std::size_t i) {
        const auto& hash = hashes[i];
        auto local = is_sha256(hash) ? cache_.find(hash) : std::nullopt;
        if (local)
            received[i] = std::move(*local);
        else
            received[i] =
                is_sha256(hash) ? fetcher_.fetch(handed_over_key(place, hash), hash) : missing_blob(hash);
    });
    std::vector<LocalBlob> files;
    for (auto& file : received) {
        if (!file) return std::unexpected(file.error());
        files.push_back(std::move(*file));
    }
    return files;
}

bool S3BlobStore::is_removable(const std::string& hash, const std::function<bool()>& is_wanted)
{
    if (cache_.is_in_use(hash)) return false;
    const auto there = remover_.find(blob_key(hash));
    return there && there->age >= config_.grace && !is_wanted();
}

bool S3BlobStore::remove_unless(const std::string& hash, const std::function<bool()>& is_wanted)
{
    if (!is_sha256(hash) || !is_removable(hash, is_wanted)) return false;
    const auto begun = steady_clock::now();
    remover_.put_text(mark_key(hash), "");
    if (!is_removable(hash, is_wanted)) return false;
    // Otherwise the removal might not end while the mark counts.
    if (steady_clock::now() - begun > config_.mark_life / 2) return false;
    remover_.remove(blob_key(hash));
    return true;
}

} // namespace

std::unique_ptr<BlobStore> make_s3_blob_store(const fs::path& data, const S3BlobsConfig& config,
                                              prometheus::Registry& registry)
{
    return std::make_unique<S3BlobStore>(data, config, registry);
}

} // namespace vitrine::server
