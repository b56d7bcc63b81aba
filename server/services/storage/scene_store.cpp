#include "server/services/storage/scene_store.hpp"

#include <list>
#include <mutex>
#include <unordered_map>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "loaders/scene/blob.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/preview/bone_geometry.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "loaders/scene/variants.hpp"
#include "server/services/catalog/append_user_clips.hpp"
#include "server/services/storage/scene_changes.hpp"
#include "server/util/single_flight.hpp"

namespace vitrine::server {
namespace {

// Increment when the loaders produce a different Scene of the same file.
constexpr std::uint32_t loader_revision = 3;

DerivedKey key_of(const std::string& content_hash)
{
    return {content_hash, "scene", fmt::format("loaders {}", loader_revision), scene::blob_version};
}

} // namespace

LoadScene make_load_scene(const worker::ClientOptions& options)
{
    return [options](const std::vector<worker::BundleFile>& files, const std::string& main_name,
                     const std::stop_token& stop) {
        auto now = options;
        if (stop.stop_possible()) now.stop = stop;
        return worker::load_bundle(files, main_name, now);
    };
}

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
    SharedScene shown_of(const std::string& content_hash, const SharedScene& scene);
    SharedScene find_derived(const std::string& content_hash);
    void store_derived(const std::string& content_hash, const scene::Scene& scene);
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

SharedScene SceneStore::State::find_cached(const std::string& content_hash)
{
    std::lock_guard lock(mutex);
    const auto found = by_content_hash.find(content_hash);
    if (found == by_content_hash.end()) return nullptr;
    entries.splice(entries.begin(), entries, found->second);
    return found->second->scene;
}

void SceneStore::State::keep(const std::string& content_hash, const SharedScene& scene)
{
    const std::uint64_t bytes = memory_bytes(*scene);
    std::lock_guard lock(mutex);
    if (const auto found = by_content_hash.find(content_hash); found != by_content_hash.end()) {
        total -= found->second->bytes;
        entries.erase(found->second);
    }
    entries.push_front({content_hash, scene, bytes});
    by_content_hash[content_hash] = entries.begin();
    total += bytes;
    while (total > limit && entries.size() > 1) { // the newest entry is kept at any size
        total -= entries.back().bytes;
        by_content_hash.erase(entries.back().content_hash);
        entries.pop_back();
    }
    metrics.scene_bytes.Set(static_cast<double>(total));
}

// Two threads may both build it, which costs less than waiting, because a rig is small. All callers get the
// same one.
SharedScene SceneStore::State::shown_of(const std::string& content_hash, const SharedScene& scene)
{
    const auto cached_entry = [&]() -> CacheEntry* {
        const auto found = by_content_hash.find(content_hash);
        return found != by_content_hash.end() && found->second->scene == scene ? &*found->second : nullptr;
    };
    {
        std::lock_guard lock(mutex);
        if (const auto* entry = cached_entry(); entry != nullptr && entry->shown) return entry->shown;
    }
    auto bones = scene::with_bone_geometry(*scene);
    if (!bones) return scene;
    auto shown = std::make_shared<const scene::Scene>(std::move(*bones));
    std::lock_guard lock(mutex);
    auto* entry = cached_entry();
    if (entry == nullptr) return shown;
    if (!entry->shown) {
        entry->shown = shown;
        entry->bytes += memory_bytes(*shown);
        total += memory_bytes(*shown);
    }
    return entry->shown;
}

SharedScene SceneStore::State::find_derived(const std::string& content_hash)
{
    auto bytes = derived.find(key_of(content_hash));
    if (!bytes) return nullptr;
    const auto owner = std::make_shared<std::vector<std::byte>>(std::move(*bytes));
    auto scene = scene::decode_blob_in_place(*owner, owner);
    if (!scene || !scene::validate(*scene, scene::FlatMeshes::allowed)) {
        spdlog::warn("msg=\"cached scene not readable; loading the original files\" content_hash={}",
                     content_hash);
        return nullptr;
    }
    return std::make_shared<const scene::Scene>(std::move(*scene));
}

// Written from the arrays of the scene. The cache adds a checksum.
void SceneStore::State::store_derived(const std::string& content_hash, const scene::Scene& scene)
{
    const auto pieces = scene::encode_blob_pieces(scene);
    derived.store(key_of(content_hash), [&](const ContentSink& sink) -> Result<void> {
        pieces.each([&](std::span<const std::byte> piece) {
            sink({reinterpret_cast<const char*>(piece.data()), piece.size()});
        });
        return {};
    });
}

LoadResult<SharedScene> SceneStore::State::load_originals(const AssetRecord& asset,
                                                          const std::stop_token& stop)
{
    std::vector<worker::BundleFile> bundle;
    for (const auto& file : catalog.files(asset.id, asset.version)) {
        auto path = blobs.local_path(file.blob);
        if (!path)
            return vitrine::fail(LoadErrc::internal, file.name,
                                 "the bytes of the file are missing from the store");
        bundle.push_back({file.name, std::move(*path)});
    }
    auto loaded = load(bundle, asset.main_file, stop);
    if (!loaded) {
        auto error = std::move(loaded.error());
        if (error.where.empty()) error.where = asset.main_file; // for instance when the loader process died
        return std::unexpected(std::move(error));
    }
    append_user_clips(*loaded, api::parse_user_clips(asset.user_clips));
    store_derived(asset.content_hash, *loaded);
    return std::make_shared<const scene::Scene>(std::move(*loaded));
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

Result<SharedScene> SceneStore::load_changed(const AssetRecord& asset, const std::stop_token& stop)
{
    const auto& changes = *asset.changes;
    const auto build = [&](const auto& make) -> Result<SharedScene> {
        return state_->flights.run(asset.content_hash, [&]() -> Result<SharedScene> {
            if (auto cached = state_->find_cached(asset.content_hash)) return cached; // kept since
            auto changed = make();
            if (!changed) return std::unexpected(std::move(changed.error()));
            auto shared = std::make_shared<const scene::Scene>(std::move(*changed));
            state_->keep(asset.content_hash, shared);
            return shared;
        });
    };
    if (!changes.lineup.assets.empty())
        return build([&] { return make_lineup(changes.lineup, *this, state_->limit, stop); });
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
    return build([&] { return apply_changes(**base, changes, attached); });
}

Result<SharedScene> SceneStore::load(const AssetRecord& asset, const std::stop_token& stop)
{
    if (asset.format.empty()) {
        if (asset.status == AssetStatus::failed) return std::unexpected(why_failed(asset));
        return not_imported_error();
    }
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
    return state_->shown_of(asset.content_hash, *scene);
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
        auto shared = std::make_shared<scene::Scene>(**scene);
        scene::apply_variant(*shared, variant);
        state_->keep(key, shared);
        return shared;
    });
}

LoadResult<SharedScene> SceneStore::reload(const AssetRecord& asset, const std::stop_token& stop)
{
    auto loaded = state_->load_originals(asset, stop);
    if (loaded) state_->keep(asset.content_hash, *loaded);
    return loaded;
}

} // namespace vitrine::server
