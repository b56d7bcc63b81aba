#pragma once
// Cache of scenes on the device, limited by bytes and count; evicts the least recently used. Scenes that are
// no longer owned elsewhere are evicted too.

#include <memory>
#include <vector>

#include "vk_renderer/base/options.hpp"
#include "vk_renderer/scene/gpu_scene.hpp"

namespace vitrine::render {

class SceneCache {
public:
    // A scene has about twenty buffers; each request searches this many scenes.
    static constexpr std::size_t max_scenes = 128;

    SceneCache(const Device& device, Timeline& timeline, std::uint64_t limit_bytes);

    // Uploads the scene if it is not cached, evicting others to make room. The caller must hold the result
    // until work that uses it has completed. Throws TooLargeForDevice.
    std::shared_ptr<GpuScene> get(const SharedScene& scene);
    // Uploads what was computed of the scene. Precondition: find() returns null. Throws as get().
    void add(const SharedScene& scene, PreparedScene prepared);
    // Returns null if the scene is not on the device.
    const GpuScene* find(const SharedScene& scene) const;
    // Uploads the level of detail if it is missing. `lod`: of `scene`, the result of get().
    void upload_lod(const GpuScene& scene, SceneLod& lod, const LodIndices& indices);
    // Returns the level of detail of that many triangles for crowds, which is made at its first use; null:
    // all triangles are hardly more. `gpu`: the result of get() for `scene`.
    const SceneLod* find_crowd_lod(GpuScene& gpu, const scene::Scene& scene, std::uint32_t triangles);
    // Evicts all scenes, or the less recently used half. Precondition: the device has finished using them.
    void clear();
    void evict_half();
    std::uint64_t size_bytes() const;
    std::size_t size() const { return entries_.size(); }

private:
    struct CachedScene {
        std::weak_ptr<const scene::Scene> key;
        std::shared_ptr<GpuScene> scene;
        std::uint64_t last_use;
    };
    std::shared_ptr<GpuScene> upload(const scene::Scene& scene, PreparedScene prepared);
    void evict_expired();
    // Evicts scenes until `more_bytes` fit. Never evicts `in_use`.
    void shrink(const GpuScene* in_use, std::uint64_t more_bytes);

    const Device* device_;
    Timeline* timeline_;
    Uploader uploader_;
    std::uint64_t limit_bytes_;
    std::uint64_t clock_ = 0;
    std::vector<CachedScene> entries_;
};

} // namespace vitrine::render
