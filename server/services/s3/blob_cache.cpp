#include "server/services/s3/blob_cache.hpp"

#include <algorithm>
#include <array>
#include <list>
#include <mutex>
#include <unordered_map>
#include <vector>

#include <fcntl.h>
#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>

#include "server/util/files.hpp"
#include "server/util/sha256.hpp"

namespace fs = std::filesystem;

namespace vitrine::server {
namespace {

constexpr std::size_t read_bytes = 1u << 20;

struct CachedBlob {
    std::string hash;
    std::uint64_t size_bytes = 0;
    std::size_t users = 0;
    bool checked = false; // its bytes have its hash
};

struct FoundFile {
    CachedBlob blob;
    std::int64_t used_ns = 0;
};

bool has_hash(const fs::path& path, const std::string& hash)
{
    const auto file = OpenFile::find(path);
    if (!file) return false;
    Sha256 found;
    std::uint64_t at = 0;
    for (auto bytes = file->read(0, read_bytes, path); !bytes.empty();
         bytes = file->read(at, read_bytes, path)) {
        found.update(bytes);
        at += bytes.size();
    }
    return found.finish() == hash;
}

// Removes what is not a blob, such as files of an interrupted removal. Most recently used last.
std::vector<FoundFile> scan(const fs::path& folder)
{
    std::vector<FoundFile> found;
    for (const auto& entry : fs::directory_iterator(folder)) {
        auto name = entry.path().filename().string();
        struct stat status{};
        std::error_code ignored;
        if (is_sha256(name) && ::stat(entry.path().c_str(), &status) == 0 && S_ISREG(status.st_mode))
            found.push_back(
                {{.hash = std::move(name), .size_bytes = static_cast<std::uint64_t>(status.st_size)},
                 std::int64_t{status.st_atim.tv_sec} * 1'000'000'000 + status.st_atim.tv_nsec});
        else
            fs::remove_all(entry.path(), ignored);
    }
    std::ranges::sort(found, {}, &FoundFile::used_ns);
    return found;
}

} // namespace

struct BlobCache::State : std::enable_shared_from_this<State> {
    State(const fs::path& folder_, std::uint64_t limit_, prometheus::Registry& registry)
        : folder(folder_), limit(limit_), hits(prometheus::BuildCounter()
                                                   .Name("vitrine_blob_cache_hits_total")
                                                   .Help("Blobs of the object store found on the disk")
                                                   .Register(registry)
                                                   .Add({})),
          misses(prometheus::BuildCounter()
                     .Name("vitrine_blob_cache_misses_total")
                     .Help("Blobs that were not on the disk")
                     .Register(registry)
                     .Add({})),
          bytes(prometheus::BuildGauge()
                    .Name("vitrine_blob_cache_bytes")
                    .Help("Disk space of the copies of blobs")
                    .Register(registry)
                    .Add({}))
    {
        make_folders(folder);
        for (auto& file : scan(folder))
            add(std::make_shared<CachedBlob>(std::move(file.blob)));
        evict();
    }

    // The following functions require the mutex.
    void add(std::shared_ptr<CachedBlob> blob)
    {
        total += blob->size_bytes;
        blobs.push_front(std::move(blob));
        by_hash[blobs.front()->hash] = blobs.begin();
        bytes.Set(static_cast<double>(total));
    }

    void forget(const std::string& hash)
    {
        const auto at = by_hash.find(hash);
        if (at == by_hash.end()) return;
        total -= (*at->second)->size_bytes;
        blobs.erase(at->second);
        by_hash.erase(at);
        bytes.Set(static_cast<double>(total));
    }

    void evict()
    {
        for (auto at = blobs.end(); total > limit && at != blobs.begin();) {
            --at;
            if ((*at)->users > 0) continue;
            const auto hash = (*at)->hash;
            ++at; // before the element is erased
            std::error_code ignored;
            fs::remove(folder / hash, ignored);
            forget(hash);
        }
    }

    LocalBlob use(const std::shared_ptr<CachedBlob>& blob)
    {
        ++blob->users;
        return {folder / blob->hash, {blob.get(), [state = shared_from_this(), blob](const void*) {
                                          const std::lock_guard lock(state->mutex);
                                          if (--blob->users == 0) state->evict();
                                      }}};
    }

    const fs::path folder;
    const std::uint64_t limit;
    prometheus::Counter& hits;
    prometheus::Counter& misses;
    prometheus::Gauge& bytes;
    mutable std::mutex mutex;                     // guards the members below and the users of blobs
    std::list<std::shared_ptr<CachedBlob>> blobs; // most recently used first
    std::unordered_map<std::string, std::list<std::shared_ptr<CachedBlob>>::iterator> by_hash;
    std::uint64_t total = 0;
};

BlobCache::BlobCache(const fs::path& folder, std::uint64_t limit_bytes, prometheus::Registry& registry)
    : state_(std::make_shared<State>(folder, limit_bytes, registry))
{
}

BlobCache::~BlobCache() = default;

std::optional<LocalBlob> BlobCache::find(const std::string& hash)
{
    std::shared_ptr<CachedBlob> blob;
    LocalBlob local;
    bool checked = false;
    {
        const std::lock_guard lock(state_->mutex);
        if (const auto at = state_->by_hash.find(hash); at != state_->by_hash.end()) {
            blob = *at->second;
            state_->blobs.splice(state_->blobs.begin(), state_->blobs, at->second);
            local = state_->use(blob);
            checked = blob->checked;
        }
    }
    const bool usable =
        blob && (checked ? OpenFile::find(local.path).has_value() : has_hash(local.path, hash));
    const std::lock_guard lock(state_->mutex);
    if (!usable) {
        state_->misses.Increment();
        const auto at = state_->by_hash.find(hash); // not one that was adopted since
        if (blob && at != state_->by_hash.end() && *at->second == blob) state_->forget(hash);
        if (blob && !checked)
            spdlog::warn("msg=\"damaged copy of a blob; it is fetched again\" blob={}", hash);
        return std::nullopt;
    }
    blob->checked = true;
    state_->hits.Increment();
    const std::array<timespec, 2> times{timespec{0, UTIME_NOW}, timespec{0, UTIME_OMIT}};
    utimensat(AT_FDCWD, local.path.c_str(), times.data(), 0); // the order of use for the next process
    return local;
}

LocalBlob BlobCache::adopt(const std::string& hash, HashedFile& file)
{
    const std::lock_guard lock(state_->mutex);
    file.move_to(state_->folder / hash); // replaces a file with the same bytes
    auto& by_hash = state_->by_hash;
    if (const auto at = by_hash.find(hash); at != by_hash.end()) {
        (*at->second)->checked = true;
        return state_->use(*at->second);
    }
    state_->add(std::make_shared<CachedBlob>(CachedBlob{hash, file.size_bytes(), 0, true}));
    auto local = state_->use(state_->blobs.front());
    state_->evict();
    return local;
}

bool BlobCache::contains(const std::string& hash) const
{
    const std::lock_guard lock(state_->mutex);
    return state_->by_hash.contains(hash);
}

bool BlobCache::is_in_use(const std::string& hash) const
{
    const std::lock_guard lock(state_->mutex);
    const auto at = state_->by_hash.find(hash);
    return at != state_->by_hash.end() && (*at->second)->users > 0;
}

std::uint64_t BlobCache::size_bytes() const
{
    const std::lock_guard lock(state_->mutex);
    return state_->total;
}

} // namespace vitrine::server
