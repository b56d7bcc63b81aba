#pragma once
// Scenes on the device, least recently used first out, by bytes and by number. A scene that nobody holds any
// more goes too.

#include <memory>
#include <vector>

#include "vk_renderer/renderer.hpp"
#include "vk_renderer/scene/gpu_scene.hpp"

namespace vitrine::render {

class SceneCache {
public:
    // A scene takes some twenty allocations of memory, which drivers round up to pages; many of them grant
    // 4096 in all (maxMemoryAllocationCount).
    static constexpr std::size_t max_scenes = 128;

    SceneCache(const Device& device, Timeline& timeline, std::uint64_t limit_bytes);

    // Uploads the scene where it is not there yet. Whoever submits work with it holds it until that is done.
    std::shared_ptr<GpuScene> get(const SharedScene& scene);
    // Brings the level of detail to the device where it is not there yet. `scene`: what get() gave.
    void add_coarse(GpuScene& scene, const CoarseScene& coarse);
    std::uint64_t size_bytes() const;
    std::size_t size() const { return entries_.size(); }

private:
    struct Entry {
        std::weak_ptr<const scene::Scene> key;
        std::shared_ptr<GpuScene> scene;
        std::uint64_t last_use;
    };
    std::shared_ptr<GpuScene> upload(const scene::Scene& scene);
    void drop_dead();
    // Keeps `kept`, however large.
    void shrink(const GpuScene* kept);

    const Device* device_;
    Timeline* timeline_;
    Uploader uploader_;
    std::uint64_t limit_bytes_;
    std::uint64_t clock_ = 0;
    std::vector<Entry> entries_;
};

} // namespace vitrine::render
