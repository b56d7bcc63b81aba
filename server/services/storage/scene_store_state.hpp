#pragma once
// The caches of a SceneStore. Private to this folder.

#include <list>
#include <mutex>
#include <unordered_map>

#include "server/services/storage/scene_store.hpp"
#include "server/util/single_flight.hpp"

namespace vitrine::server {

struct SceneStore::State {
    struct CacheEntry {
        std::string content_hash;
        SharedScene scene;
        std::uint64_t bytes = 0;
        SharedScene shown{}; // differs from `scene`; set on the first request
    };
    using LruList = std::list<CacheEntry>; // most recently used first

    State(const Catalog& catalog_, const BlobStore& blobs_, DerivedCache& derived_, LoadScene load_,
          std::uint64_t limit_, Metrics& metrics_)
        : catalog(catalog_), blobs(blobs_), derived(derived_), load(std::move(load_)), limit(limit_),
          metrics(metrics_)
    {
    }

    SharedScene find_cached(const std::string& content_hash);
    void keep(const std::string& content_hash, const SharedScene& scene);
    // As keep(), but not what the request of `asset` holds itself.
    void keep_for(const AssetRecord& asset, const std::string& content_hash, const SharedScene& scene)
    {
        if (!asset.posted) keep(content_hash, scene);
    }
    SharedScene shown_of(const std::string& content_hash, const SharedScene& scene);
    SharedScene find_derived(const std::string& content_hash);
    void store_derived(const std::string& content_hash, const scene::Scene& scene);
    LoadResult<scene::Scene> load_bundle(std::span<const FileRecord> files, const std::string& main_file,
                                         const std::stop_token& stop) const;
    LoadResult<SharedScene> load_originals(const AssetRecord& asset, const std::stop_token& stop);

    const Catalog& catalog;
    const BlobStore& blobs;
    DerivedCache& derived;
    const LoadScene load;
    const std::uint64_t limit;
    Metrics& metrics;
    SingleFlight<Result<SharedScene>> flights;
    std::mutex mutex; // guards the members below
    LruList entries;
    std::unordered_map<std::string, LruList::iterator> by_content_hash;
    std::uint64_t total = 0;
};

} // namespace vitrine::server
