#pragma once
// Files that can be recreated: scene blobs, thumbnails, frame sequences, renders, bounds, exports. Keyed by
// their inputs (content hash, kind, parameters, code version); at most `limit_bytes`, evicted in LRU order;
// the folder may be deleted at any time. Files are checked on reading, those of open() once while they are
// unchanged: a torn one counts as absent. Any thread.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/services/storage/checked_file.hpp"
#include "server/util/error.hpp"
#include "server/util/files.hpp"
#include "server/util/metrics.hpp"

namespace vitrine::server {

struct DerivedKey {
    std::string content_hash; // AssetRecord::content_hash
    std::string kind;       // of the result, named by the code that creates it: "scene", "render", "sequence"
    std::string parameters; // canonical text
    std::uint32_t revision = 1; // of the code that creates the result; a change makes older entries unused

    std::string digest() const; // 64 hexadecimal digits
};

// An open file of the cache; readable also after its entry was evicted.
struct DerivedFile {
    std::shared_ptr<const OpenFile> file;
    std::uint64_t size_bytes = 0; // without the trailer; the content begins at offset 0
};

class DerivedCache {
public:
    DerivedCache(const std::filesystem::path& folder, std::uint64_t limit_bytes, Metrics& metrics);
    ~DerivedCache();

    std::optional<std::vector<std::byte>> find(const DerivedKey& key);
    // Whether there is a file of the key as far as this process knows. Reads no disk, counts no lookup.
    bool contains(const DerivedKey& key) const;
    // As find(), without reading the content into memory.
    std::optional<DerivedFile> open(const DerivedKey& key);
    // Best effort: returns false when the disk is full or unavailable; the file is recreated later then.
    bool store(const DerivedKey& key, std::span<const std::byte> bytes);
    // The same with content that is written in pieces. Precondition: `write` returns no error.
    bool store(const DerivedKey& key, const WriteContent& write);
    // Returns the file of the key. If there is none, `write` makes its content, once for equal concurrent
    // calls; the error of `write` is returned. Empty: the content cannot be stored.
    Result<std::optional<DerivedFile>> open_or_store(const DerivedKey& key, const WriteContent& write);

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace vitrine::server
