#pragma once
// The caches of a SceneStore. Private to this folder.

#include <list>
#include <mutex>
#include <unordered_map>

#include "server/services/storage/scene_store.hpp"
#include "server/util/byte_budget.hpp"
#include "server/util/single_flight.hpp"

namespace vitrine::server {

struct SceneStore::State {
    struct CacheEntry {
        std::string content_hash;
        SharedScene scene;
        std::uint64_t bytes = 0;
        bool is_made = false; // of other scenes, for requests: changed scenes, variants, bound clips
        SharedScene shown{};  // differs from `scene`; set on the first request
    };
    using LruList = std::list<CacheEntry>; // most recently used first

    State(const Catalog& catalog_, const BlobStore& blobs_, DerivedCache& derived_, LoadScene load_,
          std::uint64_t limit_, Metrics& metrics_)
        : catalog(catalog_), blobs(blobs_), derived(derived_), load(std::move(load_)), limit(limit_),
          metrics(metrics_), made_bytes(std::make_shared<ByteBudget>(2 * limit_, metrics_.scene_copy_bytes))
    {
    }

    SharedScene find_cached(const std::string& content_hash);
    void keep(const std::string& content_hash, const SharedScene& scene, bool is_made = false);
    // Keeps what was made of other scenes, in at most half of the limit, so that requests with many changes
    // do not displace the scenes of assets; not what the request of `asset` holds itself.
    void keep_made(const AssetRecord& asset, const std::string& key, const SharedScene& scene)
    {
        if (!asset.posted) keep(key, scene, true);
    }
    // Removes the least recently used Scene that was made of others; returns false if there is none.
    bool evict_made();
    // Memory for a Scene that a request makes; what the cache has makes room. Errors: busy ("no_memory").
    Result<std::shared_ptr<ByteReservation>> reserve(std::uint64_t bytes);
    // Makes a Scene of about `bytes`, which are reserved before, and counted as long as the Scene exists.
    Result<SharedScene> make_counted(std::uint64_t bytes, const std::function<Result<scene::Scene>()>& make);
    // With the mutex held.
    void count(const CacheEntry& entry, std::uint64_t more_bytes);
    void remove(LruList::iterator entry);
    // The bones of a rig without a mesh, of the nodes that the asset's look leaves. Errors: unprocessable.
    Result<SharedScene> shown_of(const AssetRecord& asset, const SharedScene& scene);
    SharedScene find_derived(const std::string& content_hash);
    void store_derived(const std::string& content_hash, const scene::Scene& scene);
    LoadResult<scene::Scene> load_bundle(std::span<const FileRecord> files, const std::string& main_file,
                                         const std::stop_token& stop) const;
    LoadResult<SharedScene> load_unstored(const AssetRecord& asset, const std::stop_token& stop) const;
    LoadResult<SharedScene> load_originals(const AssetRecord& asset, const std::stop_token& stop);

    const Catalog& catalog;
    const BlobStore& blobs;
    DerivedCache& derived;
    const LoadScene load;
    const std::uint64_t limit;
    Metrics& metrics;
    // One row of the largest size: the changed models, and as much again for their row.
    const std::shared_ptr<ByteBudget> made_bytes;
    SingleFlight<Result<SharedScene>> flights;
    std::mutex mutex; // guards the members below
    LruList entries;
    std::unordered_map<std::string, LruList::iterator> by_content_hash;
    std::uint64_t total = 0, made = 0; // bytes, of all entries and of those that were made
};

} // namespace vitrine::server
