#pragma once
// Assets as Scenes in memory: decoded from the derived cache, validated, shared; loaded anew from the
// originals when the cache has lost them. Least recently used out beyond a number of bytes; equal requests
// load once. Any thread, blocking.

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "loaders/scene/scene.hpp"
#include "loaders/worker/client/client.hpp"
#include "server/services/catalog/catalog.hpp"
#include "server/services/storage/blob_store.hpp"
#include "server/services/storage/derived_cache.hpp"
#include "server/util/metrics.hpp"

namespace vitrine::server {

using SharedScene = std::shared_ptr<const scene::Scene>;
// worker::load_scene with its options, or what stands in for it.
// A requested stop ends it at once, with whatever error.
using LoadScene = std::function<LoadResult<scene::Scene>(
    const std::vector<worker::BundleFile>&, const std::string& main_name, const std::stop_token& stop)>;
LoadScene make_load_scene(const worker::ClientOptions& options);

// Roughly what a Scene takes in memory.
std::uint64_t memory_bytes(const scene::Scene& scene);

class SceneStore {
public:
    SceneStore(const Catalog& catalog, const BlobStore& blobs, DerivedCache& derived, LoadScene load,
               std::uint64_t limit_bytes, Metrics& metrics);
    ~SceneStore();

    // Errors: conflict ("not_imported": still importing; "import_failed"), a loader's refusal, not_found,
    // busy ("stopping").
    Result<SharedScene> find(const AssetRecord& asset, const std::stop_token& stop = {});
    // What pictures are drawn of: the same, or of a rig without a mesh the Scene with its bones
    // (scene::with_bone_geometry), made once.
    Result<SharedScene> find_shown(const AssetRecord& asset, const std::stop_token& stop = {});
    // What pictures of a material variant are drawn of: find_shown() with that set of materials, made once
    // and kept as any other Scene. scene::none: find_shown(). Error besides: invalid ("variant").
    Result<SharedScene> find_variant(const AssetRecord& asset, std::uint32_t variant,
                                     const std::stop_token& stop = {});
    // Loads from the originals whatever the caches hold, and fills them: the first stage of an import.
    LoadResult<SharedScene> load(const AssetRecord& asset, const std::stop_token& stop = {});

    // A Scene made of the asset's by what the asset now says (user clips): find() gives it from here on.
    void adopt(const AssetRecord& asset, const SharedScene& scene);

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace vitrine::server
