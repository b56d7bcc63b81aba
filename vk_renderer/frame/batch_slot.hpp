#pragma once
// Host-side state of one submission.

#include <algorithm>
#include <chrono>
#include <memory>
#include <span>
#include <vector>

#include "vk_renderer/camera/camera.hpp"
#include "vk_renderer/frame/pose_evaluator.hpp"
#include "vk_renderer/frame/readback_pool.hpp"
#include "vk_renderer/gpu/buffer.hpp"
#include "vk_renderer/gpu/commands.hpp"
#include "vk_renderer/gpu/timestamps.hpp"
#include "vk_renderer/scene/gpu_scene.hpp"

namespace vitrine::render {

// A scene on the host and on the device.
struct Drawable {
    SharedScene scene;
    std::shared_ptr<GpuScene> gpu;
};

struct BatchImage {
    Drawable drawable;
    const View* view = nullptr;
    Framing framing{}; // relative to the origin of the packed scene
    ClipTime clip_time{};
    Frame* frame = nullptr; // output
    // Null: one at `clip_time`. Otherwise the ghosts follow the others.
    std::shared_ptr<const std::vector<SceneInstance>> instances{};
    scene::Aabb model{}; // of one instance, over its motion; set for crowds
    // Of `drawable.gpu`; null: all triangles.
    const SceneLod* lod = nullptr;

    std::uint32_t instance_count() const
    {
        return instances ? static_cast<std::uint32_t>(instances->size()) : 1;
    }
    std::span<const SceneInstance> ghosts() const
    {
        if (!instances) return {};
        const auto is_ghost = [](const SceneInstance& one) { return one.placement.is_ghost(); };
        return {std::ranges::find_if(*instances, is_ghost), instances->end()};
    }
    std::uint32_t solid_count() const
    {
        return instance_count() - static_cast<std::uint32_t>(ghosts().size());
    }
};

// The exact boxes of a scene, one per clip time.
struct Measurement {
    Drawable drawable;
    std::vector<ClipTime> clip_times;
    std::vector<scene::Aabb> boxes; // the result
};

// A request whose frames are collected later: owns what its images refer to.
struct AsyncRequest {
    std::vector<FrameRequest> frame_requests;
    std::vector<Frame> frames;            // one per request, written when its batch is delivered
    std::chrono::nanoseconds work_time{}; // of the delivered batches
};

// Estimates the device's work for an image in pixels; a vertex with its adjacent triangles counts as several
// pixels.
inline double cost_of(const GpuScene& scene, const View& view)
{
    constexpr double vertex_pixels = 16.0;
    return static_cast<double>(view.width) * view.height +
           vertex_pixels * scene.vertex_count() * static_cast<double>(instance_count(view));
}

// The clip times of one scene in a batch: each is posed and skinned once for any number of images.
struct PosedScene {
    Drawable drawable;
    std::vector<ClipTime> clip_times;
    std::vector<InstancePlacement> placements; // by clip time; empty: all as they are
    bool skeleton = false;                     // the lines and joints of its overlay are computed too
    bool tangents = false;                     // tangents are skinned too
    bool boxes = false;                        // the exact boxes are computed too
    PoseEvaluator pose_evaluator;
    Buffer palettes, dqs_palettes, values;
    VkDeviceSize segments_offset = 0; // in BatchSlot::frame_data
    VkDeviceSize boxes_offset = 0;    // in BatchSlot::readback

    std::uint32_t count() const { return static_cast<std::uint32_t>(clip_times.size()); }
};

// Offsets of an image's parts.
struct ImageOffsets {
    std::size_t posed = 0;                  // in BatchSlot::posed
    std::uint32_t pose = 0;                 // of the first instance
    VkDeviceSize pixels_offset = 0;         // in BatchSlot::readback
    VkDeviceSize sorted_indices_offset = 0; // in BatchSlot::sorted_indices
    Range shifts{};                         // in BatchSlot::run_shifts; empty: nothing is sorted
    Range lines{};                          // in BatchSlot::lines
};

// One batch in flight. Host-written and host-read buffers belong to it alone.
struct BatchSlot {
    BatchSlot(const Device& device, bool measures_passes)
        : commands(device), timestamps(device, measures_passes)
    {
    }

    Commands commands;
    Timestamps timestamps;               // of the commands
    std::uint64_t request = 0;           // of all images, see BatchRenderer::begin_request()
    std::shared_ptr<AsyncRequest> owner; // of the views and frames; empty: they outlive the request
    std::vector<BatchImage> images;
    std::vector<ImageOffsets> image_offsets; // by image
    std::vector<shared::ImageParams> params;
    std::vector<PosedScene> posed; // the first `scenes` are used; the rest keep their memory for reuse
    std::size_t scenes = 0;
    VkDeviceSize skinned_bytes = 0;
    VkDeviceSize pixel_bytes = 0;
    double cost = 0.0;                      // of all images, see cost_of()
    double seconds = 0.0;                   // expected duration
    std::uint64_t instance_pixels = 0;      // see instance_pixels()
    std::vector<shared::LineSegment> lines; // overlay lines of single images
    VkDeviceSize lines_offset = 0;          // in `frame_data`
    Buffer frame_data;                      // ImageParams by image, then overlay lines by scene, then `lines`
    ReadbackPool::Taken readback;       // boxes by scene, pixels by image, timestamps; until it is delivered
    bool is_imported = false;           // `readback` is ImportedMemory
    VkDeviceSize timestamps_offset = 0; // in `readback`
    Buffer sorted_indices; // indices of blended triangles, by image in the order of PackedScene::blended
    std::vector<std::uint32_t> host_sorted_indices;
    std::vector<glm::vec3> run_shifts; // by image: how far the pose moves the center of each run
    std::uint64_t done = 0;            // timeline value
    bool is_measured = true;           // its time of work is counted
    std::chrono::steady_clock::time_point submitted;

    // Returns null if the scene has no clip time in this batch.
    const PosedScene* find_posed(const GpuScene& scene) const
    {
        const auto used = std::span(posed).first(scenes);
        const auto found =
            std::ranges::find(used, &scene, [](const auto& p) { return p.drawable.gpu.get(); });
        return found != used.end() ? &*found : nullptr;
    }
};

// Appends the lines of the overlays `trails` and `joint_boxes` of an image in the pose of this palette,
// relative to PackedScene::origin. Throws RenderError if a joint does not exist. In joint_lines.cpp.
void append_joint_lines(const BatchImage& image, std::span<const scene::PaletteEntry> palette,
                        std::vector<shared::LineSegment>& lines);

} // namespace vitrine::render
