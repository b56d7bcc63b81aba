#pragma once
// Scenes of assets in memory: decoded from the derived cache, validated, shared; loaded from the original
// files if the cache has lost them. LRU eviction above a number of bytes; concurrent equal requests load
// once. Any thread, blocking.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "loaders/scene/scene.hpp"
#include "loaders/scene/shared_scene.hpp"
#include "loaders/worker/client/client.hpp"
#include "server/services/catalog/catalog.hpp"
#include "server/services/storage/blob_store.hpp"
#include "server/services/storage/derived_cache.hpp"
#include "server/util/metrics.hpp"

namespace vitrine::server {

using scene::SharedScene;

// worker::load_scene with its options, or a replacement for tests. A requested stop ends it immediately, with
// any error.
using LoadScene = std::function<LoadResult<scene::Scene>(
    const std::vector<worker::BundleFile>&, const std::string& main_name, const std::stop_token& stop)>;
LoadScene make_load_scene(const worker::ClientOptions& options);

// Returns an estimate of the Scene's size in memory.
std::uint64_t memory_bytes(const scene::Scene& scene);

// The model of a request that is not kept.
struct PostedModel {
    SharedScene scene;
    std::vector<AssetRecord> others; // further models of the request
};

struct Lineup;       // scene_changes.hpp
struct LineupModels; // likewise
struct SceneChanges; // likewise

class SceneStore {
public:
    SceneStore(const Catalog& catalog, const BlobStore& blobs, DerivedCache& derived, LoadScene load,
               std::uint64_t limit_bytes, Metrics& metrics);
    ~SceneStore();

    // Errors: not_ready (the import is in progress), conflict ("import_failed"), an error of the loader,
    // not_found, busy ("stopping"). With AssetRecord::changes the changed Scene, which is built once; then
    // also invalid ("attach": no such joint), too_large and unprocessable (more than one scene may hold,
    // nothing that is drawn, nothing_to_show: an asset of a lineup), busy ("no_memory": Scenes that were made
    // of others have twice the limit already). Throws Stopped (loaders/base/stop.hpp).
    Result<SharedScene> load(const AssetRecord& asset, const std::stop_token& stop = {});
    // Returns the scene that images show: the same, or for a rig without a mesh the Scene with its bones
    // (scene::with_bone_geometry), built once.
    Result<SharedScene> load_shown(const AssetRecord& asset, const std::stop_token& stop = {});
    // Returns load_shown() with a material variant applied, built once and cached like any other Scene.
    // scene::none: load_shown(). Additional error: invalid ("variant").
    Result<SharedScene> load_variant(const AssetRecord& asset, std::uint32_t variant,
                                     const std::stop_token& stop = {});
    // Loads the models of a lineup, within the limit of all Scenes. Errors: as of load() for the lineup.
    Result<LineupModels> load_lineup(const Lineup& lineup, const std::stop_token& stop = {});
    // Loads from the original files and replaces the cached scenes: the first stage of an import.
    LoadResult<SharedScene> reload(const AssetRecord& asset, const std::stop_token& stop = {});

    // Returns the Scene as load() does, but keeps nothing that it has loaded: work on many assets displaces
    // no Scene that requests use.
    LoadResult<SharedScene> load_unkept(const AssetRecord& asset, const std::stop_token& stop = {}) const;

    // Loads a model that is in no catalog from its files. Nothing is kept.
    LoadResult<SharedScene> load_files(std::span<const FileRecord> files, const std::string& main_file,
                                       const std::stop_token& stop = {}) const;
    // Counts the Scene of load_files(), as those that are made of others, as long as it exists. Errors: busy.
    Result<SharedScene> hold(const SharedScene& scene);
    // Returns the clip of `animation` as scene::fit_clip() plays it on `scene`, the Scene of `character`;
    // null: it does not fit. Computed once and kept as Scenes are, within their limit.
    struct Motion {
        const AssetRecord& asset;
        const scene::Scene& scene;
        std::uint32_t clip;
    };
    std::shared_ptr<const scene::Clip> fit_clip(const AssetRecord& character, const scene::Scene& scene,
                                                const Motion& animation);
    std::uint64_t limit_bytes() const; // of the Scenes in memory

    // Replaces the asset's Scene after a change of its user clips: load() returns it from now on.
    void adopt(const AssetRecord& asset, const SharedScene& scene);

private:
    Result<SharedScene> load_changed(const AssetRecord& asset, const std::stop_token& stop);
    Result<SharedScene> make_row(const SceneChanges& changes, const std::stop_token& stop);
    Result<SharedScene> make_changed(const SceneChanges& changes, const std::stop_token& stop);

    struct State;
    std::unique_ptr<State> state_;
};

} // namespace vitrine::server
