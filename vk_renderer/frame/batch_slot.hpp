#pragma once
// What one submission is made of, on the host's side.

#include <chrono>
#include <memory>
#include <vector>

#include "vk_renderer/camera/camera.hpp"
#include "vk_renderer/frame/pose_evaluator.hpp"
#include "vk_renderer/gpu/buffer.hpp"
#include "vk_renderer/gpu/commands.hpp"
#include "vk_renderer/scene/gpu_scene.hpp"

namespace vitrine::render {

// A scene on the host and on the device.
struct Drawable {
    SharedScene scene;
    std::shared_ptr<GpuScene> gpu;
};

struct BatchPicture {
    Drawable drawable;
    const View* view = nullptr;
    Framing framing{}; // from the origin of the scene as it was packed
    Moment moment{};
    Frame* frame = nullptr; // what it is drawn into
};

// What a device does for a picture, in pixels; a vertex with the triangles about it is worth some.
inline double cost_of(const GpuScene& scene, const View& view)
{
    constexpr double vertex_pixels = 16.0;
    return static_cast<double>(view.width) * view.height + vertex_pixels * scene.vertex_count();
}

// The moments of one scene in a batch: each is posed and skinned once, whatever number of pictures show it.
struct PosedScene {
    Drawable drawable;
    std::vector<Moment> moments;
    bool skeleton = false;
    bool tangents = false; // they are skinned too
    PoseEvaluator poser;
    Buffer palettes, dqs_palettes, values;
    VkDeviceSize segments_at = 0; // in BatchSlot::frames
    VkDeviceSize boxes_at = 0;    // in BatchSlot::readback

    std::uint32_t count() const { return static_cast<std::uint32_t>(moments.size()); }
};

// Where a picture's parts lie.
struct PictureSlot {
    std::size_t posed = 0; // in BatchSlot::posed
    std::uint32_t pose = 0;
    VkDeviceSize pixels_at = 0;  // in BatchSlot::readback
    VkDeviceSize ordered_at = 0; // in BatchSlot::ordered
    Range shifts{};              // in BatchSlot::run_shifts; empty: nothing is ordered
};

// One batch in flight. What the host writes and reads belongs to it alone.
struct BatchSlot {
    explicit BatchSlot(const Device& device) : commands(device) {}

    Commands commands;
    std::vector<BatchPicture> pictures;
    std::vector<PictureSlot> picture_slots; // by picture
    std::vector<shared::FrameParams> params;
    std::vector<PosedScene> posed; // the first `scenes` are used; the rest keep their memory
    std::size_t scenes = 0;
    VkDeviceSize skinned_bytes = 0;
    VkDeviceSize pixel_bytes = 0;
    double cost = 0.0;
    double seconds = 0.0; // that it is expected to take
    Buffer frames;        // FrameParams by picture, then overlay lines by scene
    Buffer readback;      // boxes by scene, then pixels by picture
    Buffer ordered;       // indices of blended triangles, by picture as PackedScene::blended has them
    std::vector<std::uint32_t> ordered_indices;
    std::vector<glm::vec3> run_shifts; // likewise: how far the pose carries the middle of each run
    std::uint64_t done = 0;
    std::chrono::steady_clock::time_point submitted;
};

} // namespace vitrine::render
