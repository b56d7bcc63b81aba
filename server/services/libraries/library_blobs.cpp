// Files of libraries as blobs.

#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <sys/stat.h>

#include "loaders/base/stop.hpp"
#include "server/services/libraries/file_hash.hpp"
#include "server/services/libraries/library_index.hpp"
#include "server/services/libraries/library_scanner.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t max_known_files = 100'000;

// Why the file is no blob.
enum class PlaceFault : std::uint8_t { none, no_root, unreachable, missing, changed };

std::unexpected<ServiceError> place_error(const FilePlace& place, PlaceFault fault)
{
    switch (fault) {
    case PlaceFault::no_root:
        return make_error(Errc::not_found, "library_file_missing",
                          "The file is in a library that this process cannot read (--library-root).");
    case PlaceFault::unreachable:
        return make_error(Errc::unavailable, "library_unavailable",
                          fmt::format("The library's folder cannot be read: {}", place.root));
    case PlaceFault::changed:
        return make_error(
            Errc::not_found, "library_file_changed",
            fmt::format("{} has changed in its library; the next scan makes a version of it.", place.path));
    case PlaceFault::missing:
    case PlaceFault::none: break;
    }
    return make_error(Errc::not_found, "library_file_missing",
                      fmt::format("{} is no longer in its library.", place.path));
}

class LibraryBlobStore final : public BlobStore {
public:
    LibraryBlobStore(std::unique_ptr<BlobStore> other, Catalog& catalog, LibraryOptions options)
        : other_(std::move(other)), catalog_(catalog), options_(std::move(options))
    {
    }

    std::unique_ptr<BlobWriter> create() override { return other_->create(); }
    void make_durable(std::span<const std::string> hashes) override { other_->make_durable(hashes); }
    Result<BlobRef> pin(const std::string& hash) override { return other_->pin(hash); }
    void release(std::span<const std::string> hashes) override { other_->release(hashes); }
    bool stores(const std::string& hash) const override { return other_->stores(hash); }
    void prefetch(std::span<const std::string> hashes) const override { other_->prefetch(hashes); }
    bool read_part(const std::string& hash, const BlobPart& part,
                   const std::function<void(std::span<const std::byte>)>& sink) const override
    {
        return other_->read_part(hash, part, sink);
    }
    BlobHandOver hand_over(std::span<const std::string> hashes) override { return other_->hand_over(hashes); }
    Result<std::vector<LocalBlob>> receive(const std::string& place,
                                           std::span<const std::string> hashes) const override
    {
        return other_->receive(place, hashes);
    }
    std::optional<std::string> download_url(const std::string& hash,
                                            const std::string& disposition) const override
    {
        auto url = other_->download_url(hash, disposition);
        if (url && !places_of(hash).empty()) return std::nullopt; // the object store may not have it
        return url;
    }
    void visit(const std::function<bool(const std::string& hash)>& visit) const override
    {
        other_->visit(visit);
    }
    bool remove_unless(const std::string& hash, const std::function<bool()>& is_wanted) override
    {
        return other_->remove_unless(hash, is_wanted);
    }
    std::vector<std::string> wait_for_candidates(const std::stop_token& stop) override
    {
        return other_->wait_for_candidates(stop);
    }
    void join(BlobLedger& ledger) override { other_->join(ledger); }
    bool is_shared() const override { return other_->is_shared(); }
    void interrupt() override
    {
        is_interrupted_ = true;
        other_->interrupt();
    }

    Result<LocalBlob> find_local(const std::string& hash) const override
    {
        const auto places = places_of(hash);
        auto error = missing_blob(hash);
        for (const auto& place : places) {
            auto file = std::make_shared<OpenFile>();
            auto fault = open(place, *file);
            if (fault == PlaceFault::none && !has_hash(*file, hash)) fault = PlaceFault::changed;
            if (fault == PlaceFault::none)
                return LocalBlob{std::filesystem::path(place.root) / place.path, file, file->descriptor()};
            error = place_error(place, fault);
        }
        auto stored = other_->find_local(hash);
        if (stored || places.empty()) return stored;
        return error;
    }
    // Compares sizes and times only.
    Result<void> check(const std::string& hash) const override
    {
        const auto places = places_of(hash);
        auto error = missing_blob(hash);
        for (const auto& place : places) {
            OpenFile file;
            const auto fault = open(place, file);
            if (fault == PlaceFault::none) return {};
            error = place_error(place, fault);
        }
        auto stored = other_->check(hash);
        if (stored || places.empty()) return stored;
        return error;
    }

private:
    std::vector<FilePlace> places_of(const std::string& hash) const
    {
        if (!is_sha256(hash)) return {};
        return find_places(catalog_.connections(), hash);
    }

    PlaceFault open(const FilePlace& place, OpenFile& file) const
    {
        if (!is_below_roots(options_, place.root)) return PlaceFault::no_root;
        auto found = open_below(place.root, place.path);
        if (!found) return is_reachable(place.root) ? PlaceFault::missing : PlaceFault::unreachable;
        const auto state = found->state();
        if (state.size_bytes != place.size_bytes || state.modified_ns != place.modified_ns)
            return PlaceFault::changed;
        file = std::move(*found);
        return PlaceFault::none;
    }

    static bool is_reachable(const std::string& root)
    {
        struct stat status{};
        return ::stat(root.c_str(), &status) == 0;
    }

    // Reads a file that this process has not compared yet, on one thread at a time.
    bool has_hash(const OpenFile& file, const std::string& hash) const
    {
        const auto key = file_status(file.descriptor());
        {
            std::unique_lock lock(mutex_);
            hashed_.wait(lock, thread_stop_token(), [&] { return !hashing_.contains(key); });
            check_stop();
            if (const auto known = known_.find(key); known != known_.end()) return known->second == hash;
            hashing_.insert(key);
        }
        std::optional<std::string> found;
        try {
            found = hash_of(file, key);
        } catch (...) {
            end_hashing(key, std::nullopt);
            throw;
        }
        end_hashing(key, found);
        check_stop();
        if (is_interrupted_ && !found)
            throw StorageError(StorageError::Kind::unavailable, "the server stops");
        return found == hash;
    }

    void end_hashing(const FileStatus& key, const std::optional<std::string>& found) const
    {
        const std::lock_guard lock(mutex_);
        hashing_.erase(key);
        hashed_.notify_all();
        if (!found) return;
        if (known_.size() >= max_known_files) known_.clear();
        known_[key] = *found;
    }

    // Empty: the file has changed or cannot be read, or the work was stopped.
    std::optional<std::string> hash_of(const OpenFile& file, const FileStatus& key) const
    {
        auto found = hash_file(file, [this, stop = thread_stop_token()](std::uint64_t) {
            return !is_interrupted_ && !stop.stop_requested();
        });
        if (file_status(file.descriptor()) != key) found.reset();
        return found;
    }

    std::unique_ptr<BlobStore> other_;
    Catalog& catalog_;
    const LibraryOptions options_;
    std::atomic<bool> is_interrupted_ = false;
    mutable std::mutex mutex_; // guards known_ and hashing_
    mutable std::condition_variable_any hashed_;
    mutable std::map<FileStatus, std::string> known_;
    mutable std::set<FileStatus> hashing_;
};

} // namespace

std::unique_ptr<BlobStore> make_library_blob_store(std::unique_ptr<BlobStore> other, Catalog& catalog,
                                                   LibraryOptions options)
{
    return std::make_unique<LibraryBlobStore>(std::move(other), catalog, std::move(options));
}

} // namespace vitrine::server
