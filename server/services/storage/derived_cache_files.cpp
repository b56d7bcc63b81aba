// The index of the files, and reading and writing them.
#include <algorithm>
#include <array>

#include <fcntl.h>
#include <sys/stat.h>

#include <spdlog/spdlog.h>

#include "server/services/storage/derived_cache_state.hpp"
#include "server/util/ids.hpp"
#include "server/util/sha256.hpp"

namespace fs = std::filesystem;

namespace vitrine::server {

using std::chrono::steady_clock;

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
    const auto known = by_digest.find(digest);
    const auto offered = known == by_digest.end() ? steady_clock::time_point() : known->second->offered;
    forget(digest);
    entries.push_front({digest, bytes, checked, offered});
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
    offer(digest);
}

// A file that is used stays young in the shared store.
void DerivedCache::State::offer(const std::string& digest)
{
    if (!shared) return;
    {
        const std::lock_guard lock(mutex);
        const auto found = by_digest.find(digest);
        const auto now = steady_clock::now();
        if (found == by_digest.end()) return;
        auto& offered = found->second->offered;
        if (offered != steady_clock::time_point() && now - offered < shared->options().refresh_age) return;
        offered = now;
    }
    shared->offer(digest);
}

std::optional<std::vector<std::byte>> DerivedCache::State::read(const std::string& digest)
{
    const auto path = path_of(digest);
    try {
        if (auto file = OpenFile::find(path)) return read_checked(*file, path);
    } catch (const StorageError& error) {
        spdlog::warn("msg=\"derived file not readable\" error={:?}", std::string_view(error.what()));
    }
    return std::nullopt;
}

std::optional<std::vector<std::byte>> DerivedCache::State::find(const std::string& digest, Ask ask)
{
    auto payload = read(digest);
    if (!payload && fetch(digest, ask)) payload = read(digest);
    count_lookup(digest, payload ? std::optional<std::uint64_t>(payload->size()) : std::nullopt);
    return payload;
}

std::optional<DerivedFile> DerivedCache::State::open_local(const std::string& digest,
                                                           std::optional<FileState>& checked)
{
    const auto path = path_of(digest);
    try {
        if (auto file = OpenFile::find(path)) {
            checked = file->state();
            return open_checked(std::move(*file), *checked, path, digest);
        }
    } catch (const StorageError& error) {
        spdlog::warn("msg=\"derived file not readable\" error={:?}", std::string_view(error.what()));
    }
    return std::nullopt;
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
    keep(digest, bytes);
    if (shared) shared->offer(digest);
    return true;
}

// A new file is in its place.
void DerivedCache::State::keep(const std::string& digest, std::uint64_t bytes)
{
    std::vector<std::string> out;
    {
        const std::lock_guard lock(mutex);
        note(digest, bytes);
        if (shared) entries.front().offered = steady_clock::now();
        out = evict();
    }
    std::error_code ignored;
    for (const auto& old : out)
        fs::remove(path_of(old), ignored);
}

bool DerivedCache::State::adopt(const std::string& digest, const fs::path& temporary)
{
    const auto file = OpenFile::find(temporary);
    const auto size = file ? content_size(*file, temporary) : std::nullopt;
    if (!size) return false;
    rename_file(temporary, path_of(digest));
    keep(digest, *size + trailer_bytes);
    shared->offer(digest); // its age begins anew if it is old
    return true;
}

} // namespace vitrine::server
