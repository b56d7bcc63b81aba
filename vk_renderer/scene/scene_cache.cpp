#include "vk_renderer/scene/scene_cache.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>

namespace vitrine::render {
namespace {

// Of triangles by the level of detail of a crowd, whose triangles take most of the time of an image.
constexpr double min_crowd_reduction = 1.5;

// Compares owners, because an address may be reused by a later scene.
bool same(const std::weak_ptr<const scene::Scene>& a, const SharedScene& b)
{
    return !a.owner_before(b) && !b.owner_before(a);
}

} // namespace

SceneCache::SceneCache(const Device& device, Timeline& timeline, std::uint64_t limit_bytes)
    : device_(&device), timeline_(&timeline), uploader_(device, timeline), limit_bytes_(limit_bytes)
{
}

const GpuScene* SceneCache::find(const SharedScene& scene) const
{
    const auto found =
        std::ranges::find_if(entries_, [&](const CachedScene& e) { return same(e.key, scene); });
    return found != entries_.end() ? found->scene.get() : nullptr;
}

std::shared_ptr<GpuScene> SceneCache::get(const SharedScene& scene)
{
    evict_expired();
    auto found = std::ranges::find_if(entries_, [&](const CachedScene& e) { return same(e.key, scene); });
    if (found == entries_.end()) {
        add(scene, PreparedScene(*scene));
        found = std::prev(entries_.end());
    }
    found->last_use = ++clock_;
    auto result = found->scene;
    shrink(result.get(), 0);
    return result;
}

void SceneCache::add(const SharedScene& scene, PreparedScene prepared)
{
    entries_.reserve(entries_.size() + 1); // nothing may fail once the device uses the scene
    auto uploaded = upload(*scene, std::move(prepared));
    entries_.push_back({scene, std::move(uploaded), ++clock_});
}

std::shared_ptr<GpuScene> SceneCache::upload(const scene::Scene& scene, PreparedScene prepared)
{
    const auto bytes = upload_bytes(*device_, scene, prepared.packed);
    if (const auto budget = device_->memory().use().budget; bytes > budget)
        throw TooLargeForDevice(fmt::format("the model needs {} MiB of device memory; the device has {} MiB",
                                            bytes >> 20, budget >> 20));
    shrink(nullptr, bytes);
    try {
        return std::make_shared<GpuScene>(*device_, scene, std::move(prepared), uploader_);
    } catch (...) {
        uploader_.discard();
        throw;
    }
}

void SceneCache::upload_lod(const GpuScene& scene, SceneLod& lod, const LodIndices& indices)
{
    try {
        scene.upload_lod(*device_, lod, indices, uploader_);
    } catch (...) {
        uploader_.discard();
        throw;
    }
}

const SceneLod* SceneCache::find_crowd_lod(GpuScene& gpu, const scene::Scene& scene, std::uint32_t triangles)
{
    auto found = gpu.crowd_lods.find(triangles);
    if (found == gpu.crowd_lods.end()) {
        SceneLod lod;
        if (const auto indices = build_lod(scene, triangles, min_crowd_reduction))
            upload_lod(gpu, lod, *indices);
        found = gpu.crowd_lods.emplace(triangles, std::move(lod)).first;
    }
    return found->second.indices ? &found->second : nullptr;
}

std::uint64_t SceneCache::size_bytes() const
{
    std::uint64_t sum = 0;
    for (const auto& entry : entries_)
        sum += entry.scene->size_bytes();
    return sum;
}

void SceneCache::evict_expired()
{
    for (auto& entry : entries_)
        if (entry.key.expired()) timeline_->defer_destroy(std::move(entry.scene));
    std::erase_if(entries_, [](const CachedScene& e) { return e.scene == nullptr; });
    timeline_->destroy_expired();
}

void SceneCache::clear()
{
    entries_.clear();
    timeline_->destroy_expired();
}

void SceneCache::evict_half()
{
    std::ranges::sort(entries_, std::ranges::greater(), &CachedScene::last_use);
    entries_.resize(entries_.size() / 2);
    timeline_->destroy_expired();
}

void SceneCache::shrink(const GpuScene* in_use, std::uint64_t more_bytes)
{
    // The remaining third is for images and skinned vertices.
    const auto limit = std::min(limit_bytes_, device_->memory().budget() / 3 * 2);
    while (!entries_.empty() && (entries_.size() > max_scenes || size_bytes() + more_bytes > limit)) {
        const auto oldest = std::ranges::min_element(entries_, {}, &CachedScene::last_use);
        if (oldest->scene.get() == in_use) return;
        timeline_->defer_destroy(std::move(oldest->scene));
        entries_.erase(oldest);
    }
}

} // namespace vitrine::render
