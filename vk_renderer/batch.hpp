#pragma once
// Batches of frames: pose, record, submit; while the device works on one batch the host copies the pixels of
// the one before. All scratch memory grows to what was needed once and is used again.

#include <array>
#include <chrono>

#include "vk_renderer/passes/bounds_pass.hpp"
#include "vk_renderer/passes/raster.hpp"
#include "vk_renderer/passes/resolve.hpp"
#include "vk_renderer/passes/shadow.hpp"
#include "vk_renderer/passes/skinning.hpp"
#include "vk_renderer/poser.hpp"

namespace vitrine::render {

// A scene on the host and on the device.
struct Drawable {
    const scene::Scene& scene;
    GpuScene& gpu;
};

class BatchRunner {
public:
    BatchRunner(Device& device, Timeline& timeline);

    void draw(Drawable drawable, const View& view, const scene::Aabb& framing,
              std::span<const Moment> moments, std::span<Frame> frames);
    void measure(Drawable drawable, std::span<const Moment> moments, std::span<scene::Aabb> boxes);
    std::vector<scene::SkinnedMesh> skin(Drawable drawable, Moment moment);
    // Makes what most scenes need, so that the first picture does not wait for it.
    void prepare();

private:
    // One batch in flight. What the host writes and reads belongs to it alone.
    struct Slot {
        explicit Slot(const Device& device) : commands(device) {}
        Commands commands;
        Poser poser;
        Buffer palettes, values, frames, readback;
        std::vector<shared::FrameParams> params;
        std::uint64_t done = 0;
        std::uint32_t first = 0; // moment
        std::uint32_t count = 0;
        std::chrono::steady_clock::time_point submitted;
    };

    Slot& next_slot();
    // Poses the moments and makes room for `pixel_bytes` a frame. Begins the slot's commands.
    VkCommandBuffer begin(Slot& slot, Drawable drawable, std::span<const Moment> moments, bool skeleton,
                          VkDeviceSize pixel_bytes);
    void record_skinning(Slot& slot, VkCommandBuffer commands, const GpuScene& scene);
    void record_shadows(Slot& slot, VkCommandBuffer commands, const GpuScene& scene);
    void record_frames(Slot& slot, VkCommandBuffer commands, const GpuScene& scene, const View& view);
    void submit(Slot& slot, VkCommandBuffer commands);
    void write_frame_data(Slot& slot, const View& view, const scene::Aabb& framing);
    void draw_batch(Slot& slot, Drawable drawable, const View& view, const scene::Aabb& framing,
                    std::span<const Moment> moments);
    void collect_pixels(Slot& slot, const View& view, std::span<Frame> frames);
    void ensure(Buffer& buffer, VkDeviceSize size, BufferUse use, std::string_view name);
    std::uint32_t frames_per_batch(const GpuScene& scene, VkDeviceSize bytes_per_frame,
                                   std::uint32_t most) const;
    VkDeviceSize params_stride() const;
    VkDeviceSize pixels_at(const Slot& slot, const View& view, std::uint32_t frame) const;

    Device* device_;
    Timeline* timeline_;
    SkinningPass skinning_;
    BoundsPass bounds_;
    Targets targets_;
    ShadowPass shadow_;
    RasterPass raster_;
    ResolvePass resolve_;
    Buffer skinned_, boxes_; // of the batch that the device is working on
    std::array<Slot, 2> slots_;
    std::uint32_t turn_ = 0;
};

} // namespace vitrine::render
