#pragma once
// The files of a DerivedCache and their index. Private to this folder.

#include <chrono>
#include <list>
#include <mutex>
#include <unordered_map>

#include "server/services/storage/derived_cache.hpp"
#include "server/services/storage/shared_derived.hpp"
#include "server/util/single_flight.hpp"

namespace vitrine::server {

struct DerivedCache::State {
    struct CachedFile {
        std::string digest;
        std::uint64_t bytes = 0;
        std::optional<FileState> checked{}; // a later open() of the unchanged file reads none of it
        std::chrono::steady_clock::time_point offered{}; // to the shared store; none: not yet
    };
    using LruList = std::list<CachedFile>; // most recently used first

    std::filesystem::path folder;
    std::uint64_t limit = 0;
    Metrics* metrics = nullptr;
    mutable std::mutex mutex; // guards the members below; not held during file I/O
    LruList entries;
    std::unordered_map<std::string, LruList::iterator> by_digest;
    std::uint64_t total = 0;
    SingleFlight<Result<std::optional<DerivedFile>>> flights;
    std::unique_ptr<SharedDerived> shared; // null: none; last: its threads use the members above

    std::filesystem::path path_of(const std::string& digest) const
    {
        return folder / digest.substr(0, 2) / digest;
    }

    void scan();
    void count_lookup(const std::string& digest, std::optional<std::uint64_t> payload_bytes,
                      std::optional<FileState> checked = std::nullopt);
    void note(const std::string& digest, std::uint64_t bytes,
              std::optional<FileState> checked = std::nullopt);
    std::optional<FileState> checked_state(const std::string& digest) const;
    // `found`: the state of the file.
    std::optional<DerivedFile> open_checked(OpenFile file, const FileState& found,
                                            const std::filesystem::path& path, const std::string& digest);
    std::optional<std::vector<std::byte>> read(const std::string& digest);
    std::optional<std::vector<std::byte>> find(const std::string& digest, SharedDerived::Ask ask);
    std::optional<DerivedFile> open_local(const std::string& digest, std::optional<FileState>& checked);
    void forget(const std::string& digest);
    std::vector<std::string> evict();
    void keep(const std::string& digest, std::uint64_t bytes);
    bool adopt(const std::string& digest, const std::filesystem::path& temporary);
    bool fetch(const std::string& digest, SharedDerived::Ask ask)
    {
        return shared && shared->fetch(digest, ask);
    }
    void offer(const std::string& digest);
    Result<bool> store(const std::string& digest, const WriteContent& write);
};

} // namespace vitrine::server
