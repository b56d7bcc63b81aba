#pragma once
// Files that can be recreated: scene blobs, thumbnails, sprites, renders. Keyed by their inputs (content
// hash, kind, parameters, code version); at most `limit` bytes, evicted in LRU order; the folder may be
// deleted at any time. Files are checked on reading: a torn one counts as absent. Any thread.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/util/metrics.hpp"

namespace vitrine::server {

struct DerivedKey {
    std::string content_hash; // AssetRecord::content_hash
    std::string kind;         // "scene", "render", "sprite", ...
    std::string parameters;   // canonical text
    std::uint32_t code =
        1; // version of the code that creates the result; a change makes older entries unused

    std::string digest() const; // 64 hexadecimal digits
};

class DerivedCache {
public:
    DerivedCache(const std::filesystem::path& folder, std::uint64_t limit_bytes, Metrics& metrics);
    ~DerivedCache();

    std::optional<std::vector<std::byte>> find(const DerivedKey& key);
    bool contains(const DerivedKey& key) const;
    // Best effort: returns false when the disk is full or unavailable; the file is recreated later then.
    bool store(const DerivedKey& key, std::span<const std::byte> bytes);
    std::uint64_t size_bytes() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace vitrine::server
