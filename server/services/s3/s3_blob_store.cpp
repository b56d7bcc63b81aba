#include "server/services/s3/s3_blob_store.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <random>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "loaders/base/stop.hpp"
#include "server/services/s3/blob_cache.hpp"
#include "server/services/s3/s3_client.hpp"
#include "server/services/s3/s3_ownership.hpp"
#include "server/util/sha256.hpp"
#include "server/util/single_flight.hpp"

namespace fs = std::filesystem;

namespace vitrine::server {
namespace {

using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr unsigned transfer_threads = 8;                     // of one upload or load
constexpr int max_uploads_of_a_blob = 4;                     // while others remove it
constexpr seconds longest_interval{6 * 3600};                // between two collections
constexpr seconds longest_young{3 * 3600};                   // half of the least --blob-grace-hours
constexpr std::chrono::milliseconds longest_removal{20'000}; // S3BlobsConfig::mark_life
constexpr int max_upload_passes = 3;

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
    options.deadline = std::min(options.deadline, longest_removal);
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
        : config_(config), young_(std::min(config.grace / 2, longest_young)), temporary_(data / "tmp"),
          client_(config.store, registry), remover_(for_removals(config.store), registry),
          ownership_(client_, config.take_over), cache_(data / "blob-cache", config.cache_bytes, registry)
    {
        std::error_code ignored;
        fs::remove_all(temporary_, ignored); // left by a killed process
        make_folders(temporary_);
    }

    std::unique_ptr<BlobWriter> create() override
    {
        return std::make_unique<S3BlobWriter>(cache_, temporary_);
    }

    void make_durable(std::span<const std::string> hashes) override;

    Result<LocalBlob> find_local(const std::string& hash) const override
    {
        if (!is_sha256(hash)) return missing_blob(hash);
        if (auto local = cache_.find(hash)) return std::move(*local);
        return flights_.run(hash, [&] { return fetch(hash); });
    }

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
    std::vector<std::string> wait_for_candidates(const std::stop_token& stop) override;
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
    std::vector<std::string> next_candidates();
    bool wait_until(steady_clock::time_point time, const std::stop_token& stop);
    bool is_removable(const std::string& hash, const std::function<bool()>& is_wanted);

    const S3BlobsConfig config_;
    const steady_clock::time_point started_ = steady_clock::now();
    const seconds young_; // age up to which an upload relies on a blob that is there
    const fs::path temporary_;
    mutable S3Client client_;
    S3Client remover_; // of blobs
    mutable S3Ownership ownership_;
    mutable BlobCache cache_;
    mutable SingleFlight<Result<LocalBlob>> flights_;
    std::string continuation_; // of the collection in progress; the garbage collector's thread
    std::mutex mutex_;         // of `stopped_`
    std::condition_variable_any stopped_;
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

// Bytes that were damaged on their way are fetched once more.
Result<LocalBlob> S3BlobStore::fetch(const std::string& hash) const
{
    if (auto local = cache_.find(hash)) return std::move(*local); // fetched since
    for (int attempt = 0; attempt < 2; ++attempt) {
        HashedFile file(temporary_);
        if (!client_.get(blob_key(hash), [&](std::span<const std::byte> bytes) { file.write(bytes); }))
            return missing_blob(hash);
        if (file.finish() == hash) return cache_.adopt(hash, file);
    }
    spdlog::error("msg=\"an object of the store has other bytes than were uploaded\" blob={}", hash);
    ownership_.set_damaged(hash, true);
    return make_error(Errc::unavailable, "blob_corrupt",
                      "The store has other bytes than were uploaded; upload the file again to repair it.");
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

// The next page of old blobs; empty if the collection has ended or the store gives no answer.
std::vector<std::string> S3BlobStore::next_candidates()
{
    try {
        if (!ownership_.confirm()) return {};
        if (continuation_.empty()) remove_leftovers(client_, config_.grace, config_.mark_life);
        do {
            const auto page = client_.list(std::string(blobs_folder), continuation_);
            continuation_ = page.continuation;
            if (auto hashes = list_old_blobs(page, config_.grace); !hashes.empty()) return hashes;
        } while (!continuation_.empty());
    } catch (const StorageError& error) {
        continuation_.clear();
        spdlog::warn("msg=\"unused blobs not listed\" error={:?}", std::string_view(error.what()));
    }
    return {};
}

// Returns whether a stop was requested.
bool S3BlobStore::wait_until(steady_clock::time_point time, const std::stop_token& stop)
{
    std::unique_lock lock(mutex_);
    stopped_.wait_until(lock, stop, time, [] { return false; });
    return stop.stop_requested();
}

std::vector<std::string> S3BlobStore::wait_for_candidates(const std::stop_token& stop)
{
    std::minstd_rand random{std::random_device{}()};
    const auto interval = std::clamp(config_.grace / 4, seconds(1), longest_interval);
    if (continuation_.empty() && wait_until(started_ + config_.first_collection, stop)) return {};
    while (!stop.stop_requested()) {
        if (continuation_.empty()) { // servers that were started together do not list together
            std::uniform_int_distribution<seconds::rep> wait(interval.count() * 500, interval.count() * 1000);
            if (wait_until(steady_clock::now() + std::chrono::milliseconds(wait(random)), stop)) break;
        }
        if (auto hashes = next_candidates(); !hashes.empty()) return hashes;
    }
    return {};
}

} // namespace

std::unique_ptr<BlobStore> make_s3_blob_store(const fs::path& data, const S3BlobsConfig& config,
                                              prometheus::Registry& registry)
{
    return std::make_unique<S3BlobStore>(data, config, registry);
}

} // namespace vitrine::server
