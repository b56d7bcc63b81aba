#include "server/services/storage/scene_store.hpp"

#include <fmt/format.h>

#include "loaders/base/stop.hpp"
#include "loaders/scene/humanoid/retarget.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/variants.hpp"
#include "server/services/storage/scene_changes.hpp"
#include "server/services/storage/scene_store_state.hpp"

namespace vitrine::server {

LoadScene make_load_scene(const worker::ClientOptions& options)
{
    return [options](const std::vector<worker::BundleFile>& files, const std::string& main_name,
                     const std::stop_token& stop) {
        auto now = options;
        if (stop.stop_possible()) now.stop = stop;
        return worker::load_bundle(files, main_name, now);
    };
}

namespace {

ServiceError why_failed(const AssetRecord& asset)
{
    if (!asset.problem) return {Errc::conflict, "import_failed", "", "the asset could not be imported"};
    return {Errc::conflict, "import_failed", asset.problem->where,
            "The import failed: " + asset.problem->detail};
}

} // namespace

SceneStore::SceneStore(const Catalog& catalog, const BlobStore& blobs, DerivedCache& derived, LoadScene load,
                       std::uint64_t limit_bytes, Metrics& metrics)
    : state_(std::make_unique<State>(catalog, blobs, derived, std::move(load), limit_bytes, metrics))
{
}

SceneStore::~SceneStore() = default;

Result<LineupModels> SceneStore::load_lineup(const Lineup& lineup, const std::stop_token& stop)
{
    return server::load_lineup(lineup, *this, state_->limit, stop);
}

Result<SharedScene> SceneStore::make_row(const SceneChanges& changes, const std::stop_token& stop)
{
    const auto models = load_lineup(changes.lineup, stop);
    if (!models) return std::unexpected(models.error());
    return state_->make_counted(models->bytes, [&] { return make_lineup(*models, changes.lineup.sizes); });
}

Result<SharedScene> SceneStore::make_changed(const SceneChanges& changes, const std::stop_token& stop)
{
    const auto base = load(changes.base, stop);
    if (!base) return base;
    std::uint64_t bytes = memory_bytes(**base);
    std::vector<SharedScene> attached;
    for (const auto& other : changes.attached) {
        auto scene = load(other.asset, stop);
        if (!scene) return scene;
        bytes += memory_bytes(**scene);
        attached.push_back(std::move(*scene));
    }
    if (!attached.empty() && bytes > state_->limit)
        return make_error(Errc::too_large, "limit_exceeded",
                          "The model and what is attached to it are too large together.");
    return state_->make_counted(bytes, [&] { return apply_changes(**base, changes, attached); });
}

Result<SharedScene> SceneStore::load_changed(const AssetRecord& asset, const std::stop_token& stop)
{
    return state_->flights.run(asset.content_hash, [&]() -> Result<SharedScene> {
        if (auto cached = state_->find_cached(asset.content_hash)) return cached; // kept since
        const auto& changes = *asset.changes;
        auto made = changes.lineup.assets.empty() ? make_changed(changes, stop) : make_row(changes, stop);
        if (made) state_->keep_made(asset, asset.content_hash, *made);
        return made;
    });
}

Result<SharedScene> SceneStore::load(const AssetRecord& asset, const std::stop_token& stop)
{
    if (asset.format.empty()) {
        if (asset.status == AssetStatus::failed) return std::unexpected(why_failed(asset));
        return not_imported_error();
    }
    if (asset.posted && !asset.changes) return asset.posted->scene;
    if (auto cached = state_->find_cached(asset.content_hash)) {
        state_->metrics.scene_hits.Increment();
        return cached;
    }
    if (asset.changes) return load_changed(asset, stop);
    return state_->flights.run(asset.content_hash, [&]() -> Result<SharedScene> {
        if (auto cached = state_->find_cached(asset.content_hash)) return cached; // kept since
        state_->metrics.scene_misses.Increment();
        auto scene = state_->find_derived(asset.content_hash);
        if (!scene) {
            auto loaded = state_->load_originals(asset, stop);
            if (!loaded) check_stop();
            if (!loaded && stop.stop_requested())
                return make_error(Errc::busy, "stopping", "the server is stopping", 5);
            if (!loaded) return std::unexpected(to_service_error(loaded.error()));
            scene = std::move(*loaded);
        }
        state_->keep(asset.content_hash, scene);
        return scene;
    });
}

void SceneStore::adopt(const AssetRecord& asset, const SharedScene& scene)
{
    state_->store_derived(asset.content_hash, *scene);
    state_->keep(asset.content_hash, scene);
}

Result<SharedScene> SceneStore::load_shown(const AssetRecord& asset, const std::stop_token& stop)
{
    auto scene = load(asset, stop);
    if (!scene || scene::draws_anything(**scene)) return scene;
    return state_->shown_of(asset, *scene);
}

Result<SharedScene> SceneStore::load_variant(const AssetRecord& asset, std::uint32_t variant,
                                             const std::stop_token& stop)
{
    auto scene = load_shown(asset, stop);
    if (!scene || variant == scene::none) return scene;
    if (variant >= (*scene)->variants.size())
        return std::unexpected(
            ServiceError{Errc::invalid, "bad_parameter", "variant", "there is no such material variant"});
    const auto key = fmt::format("{} variant {}", asset.content_hash, variant);
    if (auto cached = state_->find_cached(key)) return cached;
    return state_->flights.run(key, [&]() -> Result<SharedScene> {
        if (auto cached = state_->find_cached(key)) return cached; // kept since
        auto made = state_->make_counted(memory_bytes(**scene), [&]() -> Result<scene::Scene> {
            auto copy = **scene;
            scene::apply_variant(copy, variant);
            return copy;
        });
        if (made) state_->keep_made(asset, key, *made);
        return made;
    });
}

LoadResult<SharedScene> SceneStore::reload(const AssetRecord& asset, const std::stop_token& stop)
{
    auto loaded = state_->load_originals(asset, stop);
    if (loaded) state_->keep(asset.content_hash, *loaded);
    return loaded;
}

LoadResult<SharedScene> SceneStore::load_unkept(const AssetRecord& asset, const std::stop_token& stop) const
{
    if (auto cached = state_->find_cached(asset.content_hash)) return cached;
    if (auto scene = state_->find_derived(asset.content_hash)) return scene;
    return state_->load_unstored(asset, stop);
}

LoadResult<SharedScene> SceneStore::load_files(std::span<const FileRecord> files,
                                               const std::string& main_file,
                                               const std::stop_token& stop) const
{
    auto loaded = state_->load_bundle(files, main_file, stop);
    if (!loaded) check_stop();
    if (!loaded) return std::unexpected(std::move(loaded.error()));
    return std::make_shared<const scene::Scene>(std::move(*loaded));
}

Result<SharedScene> SceneStore::hold(const SharedScene& scene)
{
    auto held = state_->reserve(memory_bytes(*scene));
    if (!held) return std::unexpected(held.error());
    struct Counted {
        std::shared_ptr<ByteReservation> bytes;
        SharedScene scene;
    };
    const auto counted = std::make_shared<const Counted>(std::move(*held), scene);
    return SharedScene(counted, scene.get());
}

// Kept as a Scene that has nothing but the clip, if it fits, so that it counts like any other. Images may
// show a Scene with more nodes than the character's.
std::shared_ptr<const scene::Clip> SceneStore::fit_clip(const AssetRecord& character,
                                                        const scene::Scene& scene, const Motion& animation)
{
    const auto key = fmt::format("fit{} {} {} {}:{}", scene::fit_revision, character.content_hash,
                                 scene.nodes.size(), animation.asset.content_hash, animation.clip);
    const auto clip_of = [](const SharedScene& holder) {
        return holder->clips.empty() ? nullptr
                                     : std::shared_ptr<const scene::Clip>(holder, &holder->clips.front());
    };
    if (const auto cached = state_->find_cached(key)) return clip_of(cached);
    const auto holder = state_->flights.run(key, [&]() -> Result<SharedScene> {
        if (auto cached = state_->find_cached(key)) return cached; // kept since
        scene::Scene made;
        if (auto clip = scene::fit_clip(scene, animation.scene, animation.clip))
            made.clips.push_back(std::move(*clip));
        auto shared = std::make_shared<const scene::Scene>(std::move(made));
        if (!animation.asset.posted) state_->keep_made(character, key, shared);
        return shared;
    });
    return clip_of(*holder);
}

std::uint64_t SceneStore::limit_bytes() const
{
    return state_->limit;
}

} // namespace vitrine::server
