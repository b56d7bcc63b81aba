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
#include "server/util/single_flight.hpp"

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

void add_to(Trailer& trailer, std::span<const std::byte> bytes)
{
    trailer.crc = static_cast<std::uint32_t>(
        crc32_z(trailer.crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
    trailer.size += bytes.size();
}

Trailer make_trailer(std::span<const std::byte> bytes)
{
    Trailer trailer;
    add_to(trailer, bytes);
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

// Returns the size of the payload of a complete file; empty if it is torn. Reads the file in pieces.
std::optional<std::uint64_t> payload_size(const OpenFile& file, const fs::path& path)
{
    constexpr std::size_t piece_bytes = 1 << 20;
    const std::uint64_t size = file.size_bytes();
    if (size < sizeof(Trailer)) return std::nullopt;
    const std::uint64_t payload = size - sizeof(Trailer);
    Trailer expected;
    while (expected.size < payload) {
        const auto want =
            static_cast<std::size_t>(std::min<std::uint64_t>(piece_bytes, payload - expected.size));
        const auto piece = file.read(expected.size, want, path);
        if (piece.empty()) return std::nullopt;
        add_to(expected, piece);
    }
    const auto found = file.read(payload, sizeof expected, path);
    const bool complete =
        found.size() == sizeof expected && std::memcmp(found.data(), &expected, sizeof expected) == 0;
    return complete ? std::optional(payload) : std::nullopt;
}

// Writes content and trailer. Returns the size of the file; without success the file is removed.
Result<std::uint64_t> write_file(const fs::path& path,
                                 const std::function<Result<void>(const DerivedCache::Sink&)>& write)
{
    struct Remover {
        const fs::path& path;
        bool armed = true;
        ~Remover()
        {
            std::error_code ignored;
            if (armed) fs::remove(path, ignored);
        }
    } remover{path};
    auto file = OpenFile::create(path);
    Trailer trailer;
    const auto written = write([&](std::string_view piece) {
        const auto bytes = std::as_bytes(std::span(piece));
        file.write(bytes, path);
        add_to(trailer, bytes);
    });
    if (!written) return std::unexpected(written.error());
    file.write(std::as_bytes(std::span(&trailer, 1)), path);
    remover.armed = false;
    return trailer.size + sizeof(Trailer);
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
    SingleFlight<Result<std::optional<DerivedFile>>> flights;

    fs::path path_of(const std::string& digest) const { return folder / digest.substr(0, 2) / digest; }

    void scan();
    void count_lookup(const std::string& digest, std::optional<std::uint64_t> payload_bytes);
    void note(const std::string& digest, std::uint64_t bytes);
    void forget(const std::string& digest);
    std::vector<std::string> evict();
    Result<bool> store(const std::string& digest, const std::function<Result<void>(const Sink&)>& write);
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

// Counts a hit or a miss (no payload) and updates the order of use, also of the file's time for the next
// process.
void DerivedCache::State::count_lookup(const std::string& digest, std::optional<std::uint64_t> payload_bytes)
{
    const std::lock_guard lock(mutex);
    if (!payload_bytes) {
        forget(digest);
        metrics->derived_misses.Increment();
        return;
    }
    utimensat(AT_FDCWD, path_of(digest).c_str(), nullptr, 0);
    note(digest, *payload_bytes + sizeof(Trailer));
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
        if (auto file = OpenFile::find(path)) payload = take_payload(file->read(0, ~std::size_t{0}, path));
    } catch (const StorageError& error) {
        spdlog::warn("msg=\"derived file not readable\" error={:?}", std::string_view(error.what()));
    }
    state_->count_lookup(digest, payload ? std::optional<std::uint64_t>(payload->size()) : std::nullopt);
    return payload;
}

std::optional<DerivedFile> DerivedCache::open(const DerivedKey& key)
{
    const auto digest = key.digest();
    const auto path = state_->path_of(digest);
    std::optional<DerivedFile> opened;
    try {
        if (auto file = OpenFile::find(path))
            if (const auto size = payload_size(*file, path))
                opened = {std::make_shared<const OpenFile>(std::move(*file)), *size};
    } catch (const StorageError& error) {
        spdlog::warn("msg=\"derived file not readable\" error={:?}", std::string_view(error.what()));
    }
    state_->count_lookup(digest, opened ? std::optional(opened->size_bytes) : std::nullopt);
    return opened;
}

bool DerivedCache::contains(const DerivedKey& key) const
{
    std::error_code error;
    return fs::exists(state_->path_of(key.digest()), error);
}

bool DerivedCache::store(const DerivedKey& key, std::span<const std::byte> bytes)
{
    const auto stored = state_->store(key.digest(), [&](const Sink& sink) -> Result<void> {
        sink({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        return {};
    });
    return stored.value();
}

Result<std::optional<DerivedFile>>
DerivedCache::open_or_store(const DerivedKey& key, const std::function<Result<void>(const Sink&)>& write)
{
    if (auto file = open(key)) return file;
    return state_->flights.run(key.digest(), [&]() -> Result<std::optional<DerivedFile>> {
        const auto stored = state_->store(key.digest(), write);
        if (!stored) return std::unexpected(stored.error());
        if (!*stored) return std::nullopt;
        return open(key);
    });
}

// Returns false if the disk cannot store the file; passes on the error and the exceptions of `write`.
Result<bool> DerivedCache::State::store(const std::string& digest,
                                        const std::function<Result<void>(const Sink&)>& write)
{
    const auto path = path_of(digest);
    const auto temporary = path.parent_path() / (new_id("derived") + ".part");
    std::uint64_t bytes = 0;
    try {
        make_folders(path.parent_path()); // each time, because the folder may be deleted at any time
        auto written = write_file(temporary, write);
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

std::uint64_t DerivedCache::size_bytes() const
{
    std::lock_guard lock(state_->mutex);
    return state_->total;
}

} // namespace vitrine::server
