#include "server/services/storage/derived_cache.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <list>
#include <mutex>
#include <unordered_map>

#include <fcntl.h>
#include <sys/stat.h>

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <zlib.h>

#include "server/util/error.hpp"
#include "server/util/files.hpp"
#include "server/util/ids.hpp"
#include "server/util/sha256.hpp"

namespace fs = std::filesystem;

namespace vitrine::server {
namespace {

// At the end of each file, to detect files torn by a power failure. Host byte order: the cache is not
// portable.
struct Trailer {
    std::uint32_t magic = 0x43445456; // "VTDC"
    std::uint32_t crc = 0;
    std::uint64_t size = 0;
};
static_assert(sizeof(Trailer) == 16);

Trailer make_trailer(std::span<const std::byte> bytes)
{
    Trailer trailer;
    trailer.crc =
        static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
    trailer.size = bytes.size();
    return trailer;
}

// Returns the payload of a complete file; empty if it is torn.
std::optional<std::vector<std::byte>> take_payload(std::vector<std::byte> file)
{
    Trailer found;
    if (file.size() < sizeof found) return std::nullopt;
    std::memcpy(&found, file.data() + file.size() - sizeof found, sizeof found);
    file.resize(file.size() - sizeof found);
    const Trailer expected = make_trailer(file);
    if (std::memcmp(&found, &expected, sizeof found) != 0) return std::nullopt;
    return file;
}

} // namespace

std::string DerivedKey::digest() const
{
    return sha256_hex(fmt::format("{}\n{}\n{}\n{}", content_hash, kind, code, parameters));
}

struct DerivedCache::State {
    struct CachedFile {
        std::string digest;
        std::uint64_t bytes = 0;
    };
    using LruList = std::list<CachedFile>; // most recently used first

    fs::path folder;
    std::uint64_t limit = 0;
    Metrics* metrics = nullptr;
    mutable std::mutex mutex; // guards the members below; not held during file I/O
    LruList entries;
    std::unordered_map<std::string, LruList::iterator> by_digest;
    std::uint64_t total = 0;

    fs::path path_of(const std::string& digest) const { return folder / digest.substr(0, 2) / digest; }

    void scan();
    void note(const std::string& digest, std::uint64_t bytes);
    void forget(const std::string& digest);
    std::vector<std::string> evict();
};

// Indexes the files of an earlier process, by time of last use.
void DerivedCache::State::scan()
{
    struct ScannedFile {
        std::string digest;
        std::uint64_t bytes;
        fs::file_time_type used;
    };
    std::vector<ScannedFile> found;
    std::error_code error;
    for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        if (!at->is_regular_file(error)) continue;
        const auto name = at->path().filename().string();
        if (is_sha256(name))
            found.push_back({name, at->file_size(error), at->last_write_time(error)});
        else
            fs::remove(at->path(), error); // a temporary file of a killed process
    }
    std::ranges::sort(found, {}, &ScannedFile::used);
    for (const auto& file : found)
        note(file.digest, file.bytes);
}

void DerivedCache::State::note(const std::string& digest, std::uint64_t bytes)
{
    forget(digest);
    entries.push_front({digest, bytes});
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
        if (auto file = OpenFile::find(path)) payload = take_payload(file->read(0, ~std::size_t{0}, path));
    } catch (const StorageError& error) {
        spdlog::warn("msg=\"derived file not readable\" error={:?}", std::string_view(error.what()));
    }
    std::lock_guard lock(state_->mutex);
    if (!payload) {
        state_->forget(digest);
        state_->metrics->derived_misses.Increment();
        return std::nullopt;
    }
    utimensat(AT_FDCWD, path.c_str(), nullptr, 0); // keeps the order of use across restarts
    state_->note(digest, payload->size() + sizeof(Trailer));
    state_->metrics->derived_hits.Increment();
    return payload;
}

bool DerivedCache::contains(const DerivedKey& key) const
{
    std::error_code error;
    return fs::exists(state_->path_of(key.digest()), error);
}

bool DerivedCache::store(const DerivedKey& key, std::span<const std::byte> bytes)
{
    const auto digest = key.digest();
    const auto path = state_->path_of(digest);
    const auto temporary = path.parent_path() / (new_id("derived") + ".part");
    std::error_code ignored;
    try {
        make_folders(path.parent_path()); // each time, because the folder may be deleted at any time
        auto file = OpenFile::create(temporary);
        file.write(bytes, temporary);
        const Trailer trailer = make_trailer(bytes);
        file.write(std::as_bytes(std::span(&trailer, 1)), temporary);
        rename_file(temporary, path);
    } catch (const StorageError& error) {
        spdlog::warn("msg=\"derived file not stored\" error={:?}", std::string_view(error.what()));
        fs::remove(temporary, ignored);
        return false;
    }
    std::vector<std::string> out;
    {
        std::lock_guard lock(state_->mutex);
        state_->note(digest, bytes.size() + sizeof(Trailer));
        out = state_->evict();
    }
    for (const auto& old : out)
        fs::remove(state_->path_of(old), ignored);
    return true;
}

std::uint64_t DerivedCache::size_bytes() const
{
    std::lock_guard lock(state_->mutex);
    return state_->total;
}

} // namespace vitrine::server
