#pragma once
// Scenes on the device, least recently used first out, by bytes and by number. A scene that nobody holds any
// more goes too.

#include <memory>
#include <vector>

#include "vk_renderer/base/types.hpp"
#include "vk_renderer/scene/gpu_scene.hpp"

namespace vitrine::render {

class SceneCache {
public:
    // A scene is some twenty buffers; so many are looked through with each request.
    static constexpr std::size_t max_scenes = 128;

    SceneCache(const Device& device, Timeline& timeline, std::uint64_t limit_bytes);

    // Uploads the scene where it is not there yet, and puts others out to make room. Whoever submits work
    // with it holds it until that is done. Throws TooLargeForDevice.
    std::shared_ptr<GpuScene> get(const SharedScene& scene);
    // Null: it is not on the device.
    const GpuScene* find(const SharedScene& scene) const;
    // Brings the level of detail to the device where it is not there yet. `scene`: what get() gave.
    void add_lod(GpuScene& scene, const LodScene& lod);
    // Put out all, or the half that was not used for longest. Precondition: the device is through with them.
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
    std::shared_ptr<GpuScene> upload(const scene::Scene& scene);
    void drop_dead();
    // Until `more_bytes` have room too. Keeps `kept`, however large.
    void shrink(const GpuScene* kept, std::uint64_t more_bytes);

    const Device* device_;
    Timeline* timeline_;
    Uploader uploader_;
    std::uint64_t limit_bytes_;
    std::uint64_t clock_ = 0;
    std::vector<CachedScene> entries_;
};

} // namespace vitrine::render
