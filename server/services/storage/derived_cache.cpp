#include "server/services/storage/derived_cache.hpp"

#include <algorithm>
#include <array>
#include <list>
#include <mutex>
#include <unordered_map>

#include <fcntl.h>
#include <sys/stat.h>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "server/services/storage/checked_file.hpp"
#include "server/util/error.hpp"
#include "server/util/files.hpp"
#include "server/util/ids.hpp"
#include "server/util/sha256.hpp"
#include "server/util/single_flight.hpp"

namespace fs = std::filesystem;

namespace vitrine::server {
std::string DerivedKey::digest() const
{
    return sha256_hex(fmt::format("{}\n{}\n{}\n{}", content_hash, kind, revision, parameters));
}

struct DerivedCache::State {
    struct CachedFile {
        std::string digest;
        std::uint64_t bytes = 0;
        std::optional<FileState> checked{}; // a later open() of the unchanged file reads none of it
    };
    using LruList = std::list<CachedFile>; // most recently used first

    fs::path folder;
    std::uint64_t limit = 0;
    Metrics* metrics = nullptr;
    mutable std::mutex mutex; // guards the members below; not held during file I/O
    LruList entries;
    std::unordered_map<std::string, LruList::iterator> by_digest;
    std::uint64_t total = 0;
    SingleFlight<Result<std::optional<DerivedFile>>> flights;

    fs::path path_of(const std::string& digest) const { return folder / digest.substr(0, 2) / digest; }

    void scan();
    void count_lookup(const std::string& digest, std::optional<std::uint64_t> payload_bytes,
                      std::optional<FileState> checked = std::nullopt);
    void note(const std::string& digest, std::uint64_t bytes,
              std::optional<FileState> checked = std::nullopt);
    std::optional<FileState> checked_state(const std::string& digest) const;
    // `found`: the state of the file.
    std::optional<DerivedFile> open_checked(OpenFile file, const FileState& found, const fs::path& path,
                                            const std::string& digest);
    void forget(const std::string& digest);
    std::vector<std::string> evict();
    Result<bool> store(const std::string& digest, const WriteContent& write);
};

// Indexes the files of an earlier process, by time of last use.
void DerivedCache::State::scan()
{
    struct ScannedFile {
        std::string digest;
        std::uint64_t bytes;
        std::int64_t used_ns; // since 1970
    };
    std::vector<ScannedFile> found;
    std::error_code error;
    for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        if (!at->is_regular_file(error)) continue;
        const auto name = at->path().filename().string();
        struct stat status{};
        if (is_sha256(name) && ::stat(at->path().c_str(), &status) == 0)
            found.push_back({name, static_cast<std::uint64_t>(status.st_size),
                             status.st_atim.tv_sec * 1'000'000'000 + status.st_atim.tv_nsec});
        else
            fs::remove(at->path(), error); // a temporary file of a killed process
    }
    std::ranges::sort(found, {}, &ScannedFile::used_ns);
    for (const auto& file : found)
        note(file.digest, file.bytes);
}

void DerivedCache::State::note(const std::string& digest, std::uint64_t bytes,
                               std::optional<FileState> checked)
{
    forget(digest);
    entries.push_front({digest, bytes, checked});
    by_digest[digest] = entries.begin();
    total += bytes;
    metrics->derived_bytes.Set(static_cast<double>(total));
}

void DerivedCache::State::forget(const std::string& digest)
{
    const auto found = by_digest.find(digest);
    if (found == by_digest.end()) return;
    total -= found->second->bytes;
    entries.erase(found->second);
    by_digest.erase(found);
    metrics->derived_bytes.Set(static_cast<double>(total));
}

// Removes the least recently used entries from the index until nine tenths of the limit are left; the caller
// removes the files.
std::vector<std::string> DerivedCache::State::evict()
{
    std::vector<std::string> out;
    if (total <= limit) return out;
    while (total > limit - limit / 10 && entries.size() > 1) {
        out.push_back(entries.back().digest);
        forget(out.back());
    }
    metrics->derived_evictions.Increment(static_cast<double>(out.size()));
    return out;
}

// Counts a hit or a miss (no payload) and updates the order of use; for the next process it is the file's
// access time.
void DerivedCache::State::count_lookup(const std::string& digest, std::optional<std::uint64_t> payload_bytes,
                                       std::optional<FileState> checked)
{
    const std::lock_guard lock(mutex);
    if (!payload_bytes) {
        forget(digest);
        metrics->derived_misses.Increment();
        return;
    }
    const std::array<timespec, 2> times{timespec{0, UTIME_NOW}, timespec{0, UTIME_OMIT}};
    utimensat(AT_FDCWD, path_of(digest).c_str(), times.data(), 0);
    if (!checked) checked = checked_state(digest);
    note(digest, *payload_bytes + trailer_bytes, checked);
    metrics->derived_hits.Increment();
}

DerivedCache::DerivedCache(const fs::path& folder, std::uint64_t limit_bytes, Metrics& metrics)
    : state_(std::make_unique<State>())
{
    state_->folder = folder;
    state_->limit = limit_bytes;
    state_->metrics = &metrics;
    state_->scan();
}

DerivedCache::~DerivedCache() = default;

std::optional<std::vector<std::byte>> DerivedCache::find(const DerivedKey& key)
{
    const auto digest = key.digest();
    const auto path = state_->path_of(digest);
    std::optional<std::vector<std::byte>> payload;
    try {
        if (auto file = OpenFile::find(path)) payload = read_checked(*file, path);
    } catch (const StorageError& error) {
        spdlog::warn("msg=\"derived file not readable\" error={:?}", std::string_view(error.what()));
    }
    state_->count_lookup(digest, payload ? std::optional<std::uint64_t>(payload->size()) : std::nullopt);
    return payload;
}

bool DerivedCache::contains(const DerivedKey& key) const
{
    const auto digest = key.digest();
    const std::lock_guard lock(state_->mutex);
    return state_->by_digest.contains(digest);
}

std::optional<DerivedFile> DerivedCache::open(const DerivedKey& key)
{
    const auto digest = key.digest();
    const auto path = state_->path_of(digest);
    std::optional<DerivedFile> opened;
    std::optional<FileState> checked;
    try {
        if (auto file = OpenFile::find(path)) {
            checked = file->state();
            opened = state_->open_checked(std::move(*file), *checked, path, digest);
        }
    } catch (const StorageError& error) {
        spdlog::warn("msg=\"derived file not readable\" error={:?}", std::string_view(error.what()));
    }
    state_->count_lookup(digest, opened ? std::optional(opened->size_bytes) : std::nullopt, checked);
    return opened;
}

std::optional<DerivedFile> DerivedCache::State::open_checked(OpenFile file, const FileState& found,
                                                             const fs::path& path, const std::string& digest)
{
    bool is_checked = false;
    {
        const std::lock_guard lock(mutex);
        is_checked = checked_state(digest) == found;
    }
    const auto size = is_checked ? std::optional(found.size_bytes - trailer_bytes) : content_size(file, path);
    if (!size) return std::nullopt;
    return DerivedFile{std::make_shared<const OpenFile>(std::move(file)), *size};
}

// Requires the mutex.
std::optional<FileState> DerivedCache::State::checked_state(const std::string& digest) const
{
    const auto found = by_digest.find(digest);
    return found == by_digest.end() ? std::nullopt : found->second->checked;
}

bool DerivedCache::store(const DerivedKey& key, std::span<const std::byte> bytes)
{
    return store(key, [&](const ContentSink& sink) -> Result<void> {
        sink({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        return {};
    });
}

bool DerivedCache::store(const DerivedKey& key, const WriteContent& write)
{
    return state_->store(key.digest(), write).value();
}

Result<std::optional<DerivedFile>> DerivedCache::open_or_store(const DerivedKey& key,
                                                               const WriteContent& write)
{
    if (auto file = open(key)) return file;
    return state_->flights.run(key.digest(), [&]() -> Result<std::optional<DerivedFile>> {
        if (contains(key)) // stored since, by a call that has just ended
            if (auto file = open(key)) return file;
        const auto stored = state_->store(key.digest(), write);
        if (!stored) return std::unexpected(stored.error());
        if (!*stored) return std::nullopt;
        return open(key);
    });
}

// Returns false if the disk cannot store the file; passes on the error and the exceptions of `write`.
Result<bool> DerivedCache::State::store(const std::string& digest, const WriteContent& write)
{
    const auto path = path_of(digest);
    const auto temporary = path.parent_path() / (new_id("derived") + ".part");
    std::uint64_t bytes = 0;
    try {
        make_folders(path.parent_path()); // each time, because the folder may be deleted at any time
        auto written = write_checked(temporary, write);
        if (!written) return std::unexpected(written.error());
        bytes = *written;
        rename_file(temporary, path);
    } catch (const StorageError& error) {
        spdlog::warn("msg=\"derived file not stored\" error={:?}", std::string_view(error.what()));
        return false;
    }
    std::vector<std::string> out;
    {
        const std::lock_guard lock(mutex);
        note(digest, bytes);
        out = evict();
    }
    std::error_code ignored;
    for (const auto& old : out)
        fs::remove(path_of(old), ignored);
    return true;
}

} // namespace vitrine::server
