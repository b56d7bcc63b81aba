#pragma once
// Files that can be recreated: scene blobs, thumbnails, frame sequences, renders, bounds, exports. Keyed by
// their inputs (content hash, kind, parameters, code version); at most `limit_bytes`, evicted in LRU order;
// the folder may be deleted at any time. Files are checked on reading, those of open() once while they are
// unchanged: a torn one counts as absent. With a DerivedStore, which other processes use too, files are
// looked for in it before they count as absent, and stored in it soon after they were made
// (shared_derived.hpp). Any thread.

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
#include "server/services/storage/derived_store.hpp"
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
    // Only one process may use a folder. `shared`: null if no other process uses derived files of this one.
    DerivedCache(const std::filesystem::path& folder, std::uint64_t limit_bytes, Metrics& metrics,
                 std::unique_ptr<DerivedStore> shared = nullptr, const SharedDerivedOptions& options = {});
    ~DerivedCache();

    std::optional<std::vector<std::byte>> find(const DerivedKey& key);
    // Whether there is a file of the key as far as this process knows. Reads no disk, asks no store, counts
    // no lookup.
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

    // The file of this process; files that are open stay readable, and a DerivedStore may have its copy.
    void remove(const DerivedKey& key);

    // Whether there is a DerivedStore.
    bool is_shared() const;
    // What this process has stored is found by find_published() of the others when the call returns. Errors:
    // unavailable ("storage_unavailable"): no DerivedStore, it does not answer, or the file is gone.
    Result<void> publish(const DerivedKey& key);
    // As find(), for what another process has published: also asks the DerivedStore if it had no such object
    // a moment ago.
    std::optional<std::vector<std::byte>> find_published(const DerivedKey& key);
    // Ends calls of the DerivedStore, which is not used any more; for the stop of the server.
    void interrupt();

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace vitrine::server
