#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "api/facts_version.hpp"
#include "loaders/base/stop.hpp"
#include "loaders/scene/blob.hpp"
#include "loaders/scene/geometry/up_axis.hpp"
#include "loaders/scene/preview/bone_geometry.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "server/services/catalog/append_user_clips.hpp"
#include "server/services/storage/scene_changes.hpp"
#include "server/services/storage/scene_store_state.hpp"

namespace vitrine::server {
namespace {

DerivedKey key_of(const std::string& content_hash)
{
    return {content_hash, "scene", fmt::format("loaders {}", api::loader_revision), scene::blob_version};
}

} // namespace

SharedScene SceneStore::State::find_cached(const std::string& content_hash)
{
    std::lock_guard lock(mutex);
    const auto found = by_content_hash.find(content_hash);
    if (found == by_content_hash.end()) return nullptr;
    entries.splice(entries.begin(), entries, found->second);
    return found->second->scene;
}

void SceneStore::State::count(const CacheEntry& entry, std::uint64_t more_bytes)
{
    total += more_bytes;
    if (entry.is_made) made += more_bytes;
}

void SceneStore::State::remove(LruList::iterator entry)
{
    total -= entry->bytes;
    if (entry->is_made) made -= entry->bytes;
    by_content_hash.erase(entry->content_hash);
    entries.erase(entry);
}

void SceneStore::State::keep(const std::string& content_hash, const SharedScene& scene, bool is_made)
{
    const std::uint64_t bytes = memory_bytes(*scene);
    std::lock_guard lock(mutex);
    if (const auto found = by_content_hash.find(content_hash); found != by_content_hash.end())
        remove(found->second);
    entries.push_front({.content_hash = content_hash, .scene = scene, .bytes = bytes, .is_made = is_made});
    by_content_hash[content_hash] = entries.begin();
    count(entries.front(), bytes);
    // The newest entry is kept at any size.
    for (auto last = std::prev(entries.end()); made > limit / 2 && last != entries.begin();) {
        const auto entry = last--;
        if (entry->is_made) remove(entry);
    }
    while (total > limit && entries.size() > 1)
        remove(std::prev(entries.end()));
    metrics.scene_bytes.Set(static_cast<double>(total));
}

bool SceneStore::State::evict_made()
{
    SharedScene removed; // destroyed without the mutex
    std::lock_guard lock(mutex);
    const auto last = std::find_if(entries.rbegin(), entries.rend(), [](const auto& e) { return e.is_made; });
    if (last == entries.rend()) return false;
    removed = last->scene;
    remove(std::prev(last.base()));
    metrics.scene_bytes.Set(static_cast<double>(total));
    return true;
}

Result<std::shared_ptr<ByteReservation>> SceneStore::State::reserve(std::uint64_t bytes)
{
    auto held = std::make_shared<ByteReservation>(made_bytes);
    while (!held->grow_alone_to(bytes))
        if (!evict_made())
            return make_error(Errc::busy, "no_memory",
                              "Other requests need the memory for changed models; try again later.", 5);
    return held;
}

Result<SharedScene> SceneStore::State::make_counted(std::uint64_t bytes,
                                                    const std::function<Result<scene::Scene>()>& make)
{
    struct Counted {
        std::shared_ptr<ByteReservation> bytes;
        scene::Scene scene;
    };
    auto held = reserve(bytes);
    if (!held) return std::unexpected(held.error());
    auto scene = make();
    if (!scene) return std::unexpected(scene.error());
    if (!(*held)->grow_alone_to(memory_bytes(*scene))) // for instance by the keys of a motion
        return make_error(Errc::busy, "no_memory",
                          "Other requests need the memory for changed models; try again later.", 5);
    const auto counted = std::make_shared<const Counted>(std::move(*held), std::move(*scene));
    return SharedScene(counted, &counted->scene);
}

// Two threads may both build it, which costs less than waiting, because a rig is small. All callers get the
// same one.
Result<SharedScene> SceneStore::State::shown_of(const AssetRecord& asset, const SharedScene& scene)
{
    const auto cached_entry = [&]() -> CacheEntry* {
        const auto found = by_content_hash.find(asset.content_hash);
        return found != by_content_hash.end() && found->second->scene == scene ? &*found->second : nullptr;
    };
    {
        std::lock_guard lock(mutex);
        if (const auto* entry = cached_entry(); entry != nullptr && entry->shown) return entry->shown;
    }
    auto bones = scene::with_bone_geometry(*scene);
    if (!bones) return scene;
    if (const auto done = show_look(*bones, look_of(asset)); !done) return std::unexpected(done.error());
    auto shown = std::make_shared<const scene::Scene>(std::move(*bones));
    std::lock_guard lock(mutex);
    auto* entry = cached_entry();
    if (entry == nullptr) return shown;
    if (!entry->shown) {
        entry->shown = shown;
        entry->bytes += memory_bytes(*shown);
        count(*entry, memory_bytes(*shown));
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

LoadResult<scene::Scene> SceneStore::State::load_bundle(std::span<const FileRecord> files,
                                                        const std::string& main_file,
                                                        const std::stop_token& stop) const
{
    std::vector<worker::BundleFile> bundle;
    std::vector<std::string> hashes;
    for (const auto& file : files)
        if (file.descriptor < 0) hashes.push_back(file.blob);
    blobs.prefetch(hashes);
    std::vector<LocalBlob> in_use;
    for (const auto& file : files) {
        if (file.descriptor >= 0) {
            bundle.push_back({file.name, {}, file.descriptor});
            continue;
        }
        auto blob = blobs.find_local(file.blob);
        if (!blob && blob.error().kind == Errc::unavailable)
            throw StorageError(StorageError::Kind::unavailable,
                               fmt::format("{}: {}", file.name, blob.error().detail));
        if (!blob)
            return vitrine::fail(LoadErrc::internal, file.name,
                                 blob.error().code == "blob_missing"
                                     ? "the bytes of the file are missing from the store"
                                     : blob.error().detail);
        bundle.push_back({file.name, blob->path, blob->descriptor});
        in_use.push_back(std::move(*blob));
    }
    auto loaded = load(bundle, main_file, stop.stop_possible() ? stop : thread_stop_token());
    if (!loaded && loaded.error().where.empty())
        loaded.error().where = main_file; // for instance when the loader process died
    return loaded;
}

LoadResult<SharedScene> SceneStore::State::load_unstored(const AssetRecord& asset,
                                                         const std::stop_token& stop) const
{
    auto loaded = load_bundle(catalog.files(asset.id, asset.version), asset.main_file, stop);
    if (!loaded) return std::unexpected(std::move(loaded.error()));
    if (!asset.up_axis.empty()) scene::set_up_axis(*loaded, asset.up_axis);
    append_user_clips(*loaded, api::parse_user_clips(asset.user_clips));
    return std::make_shared<const scene::Scene>(std::move(*loaded));
}

LoadResult<SharedScene> SceneStore::State::load_originals(const AssetRecord& asset,
                                                          const std::stop_token& stop)
{
    auto loaded = load_unstored(asset, stop);
    if (loaded) store_derived(asset.content_hash, **loaded);
    return loaded;
}

} // namespace vitrine::server
