// The buffers of a batch: what the host writes before the submission, and the room for what it reads.
#include <algorithm>
#include <array>
#include <cmath>
#include <thread>

#include <fmt/format.h>
#include <glm/gtc/packing.hpp>

#include "loaders/scene/lookup.hpp"
#include "loaders/scene/motion/file_nodes.hpp"
#include "vk_renderer/base/options.hpp"
#include "vk_renderer/camera/camera.hpp"
#include "vk_renderer/camera/view_parser.hpp"
#include "vk_renderer/frame/batch_renderer.hpp"
#include "vk_renderer/frame/batch_sizes.hpp"
#include "vk_renderer/frame/overlay_colors.hpp"
#include "vk_renderer/passes/point_size.hpp"

namespace vitrine::render {
namespace {

// In samples.
float max_point_diameter(const Device& device)
{
    return device.features.largePoints == VK_TRUE ? device.limits.pointSizeRange[1] : 1.0f;
}

// A software device uses the processors itself.
unsigned pose_threads(const Device& device)
{
    constexpr unsigned max_threads = 4; // others encode at the same time
    return device.traits.software ? 1 : std::clamp(std::thread::hardware_concurrency(), 1u, max_threads);
}

constexpr glm::vec3 unskinned_color{0.25f, 0.25f, 0.27f};

glm::vec3 color_at(const scene::Scene& scene, const scene::Instance& instance, std::size_t vertex,
                   std::uint32_t joint)
{
    const auto& influences = scene.meshes[instance.mesh].influences;
    const auto& skin = scene.skins[instance.skin];
    glm::vec3 mixed(0.0f);
    float weight = 0.0f;
    for (auto i = influences.first[vertex]; i < influences.first[vertex + 1]; ++i) {
        const auto node = scene::file_node(scene, skin.joints[influences.joints[i]]);
        mixed += influences.weights[i] * joint_hue(node);
        if (node == joint) weight += influences.weights[i];
    }
    if (influences.first[vertex] == influences.first[vertex + 1]) return unskinned_color;
    return joint == scene::none ? glm::max(mixed, 0.0f) : heat_of(weight);
}

// Returns the attributes of each vertex of a frame in the order of `packed`, with colors that show joint
// weights. `joint`: as for find_joint(), or empty for all joints; throws RenderError if it names no joint.
std::vector<shared::VertexAttributes> weight_colors(const scene::Scene& scene, const PackedScene& packed,
                                                    std::string_view joint)
{
    const auto found = joint.empty() ? std::optional(scene::none) : scene::find_joint(scene, joint);
    if (!found) throw RenderError(fmt::format("the scene has no joint '{}'", joint));
    const auto node = *found;
    std::vector<shared::VertexAttributes> out;
    for (std::size_t i = 0; i < packed.instances.size(); ++i) {
        const auto& instance = packed.instances[i];
        const auto& mesh = scene.meshes[instance.mesh];
        const bool skinned = instance.skin != scene::none && !mesh.influences.first.empty();
        out.resize(std::max(out.size(), packed.first_vertex[i] + mesh.positions.size()));
        for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
            const auto color = skinned ? color_at(scene, instance, v, node) : unskinned_color;
            out[packed.first_vertex[i] + v].color = {glm::packHalf2x16({color.x, color.y}),
                                                     glm::packHalf2x16({color.z, 1.0f})};
        }
    }
    return out;
}

} // namespace

void BatchRenderer::ensure(Buffer& buffer, VkDeviceSize size, BufferDesc use, std::string_view name)
{
    if (buffer && buffer.size() >= size) return;
    timeline_->defer_destroy(std::exchange(buffer, {}));
    // Allocates with a reserve, but not beyond maxStorageBufferRange.
    const VkDeviceSize range = device_->limits.maxStorageBufferRange;
    buffer = Buffer(*device_, std::max(size, std::min(size + size / 4, range)), use, name);
}

// Evaluates the poses of all scenes on the host and allocates their vertices on the device.
void BatchRenderer::upload_poses(BatchSlot& slot)
{
    constexpr VkBufferUsageFlags storage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    constexpr VkFormat texel_format = VK_FORMAT_R32G32B32A32_UINT;
    constexpr VkFormat word_format = VK_FORMAT_R32_UINT;
    if (skinned_.size() < slot.scenes) skinned_.resize(slot.scenes);
    for (std::size_t i = 0; i < slot.scenes; ++i) {
        auto& posed = slot.posed[i];
        const auto& gpu = *posed.drawable.gpu;
        posed.pose_evaluator.begin(*posed.drawable.scene, gpu.packed, posed.skeleton, posed.placements);
        posed.pose_evaluator.add(posed.clip_times, pose_threads(*device_));
        ensure(posed.palettes, posed.pose_evaluator.palettes().size_bytes(),
               {MemoryDomain::upload, storage, texel_format}, "palettes");
        ensure(posed.dqs_palettes, posed.pose_evaluator.dqs_palettes().size_bytes(),
               {MemoryDomain::upload, storage, texel_format}, "dual quaternions");
        ensure(posed.values, posed.pose_evaluator.values().size_bytes(),
               {MemoryDomain::upload, storage, word_format}, "morph weights");
        copy_to(posed.palettes, 0, posed.pose_evaluator.palettes());
        copy_to(posed.dqs_palettes, 0, posed.pose_evaluator.dqs_palettes());
        copy_to(posed.values, 0, posed.pose_evaluator.values());
        const VkDeviceSize vertices = VkDeviceSize{posed.count()} * gpu.vertex_count();
        if (!is_current(skinned_[i], posed)) skinned_[i].scene.reset(); // its buffers may be replaced
        if (posed.tangents)
            ensure(skinned_[i].tangents, vertices * tangent_bytes,
                   {MemoryDomain::device,
                    storage | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT},
                   "skinned tangents");
        ensure(skinned_[i].vertices, vertices * vertex_bytes,
               {MemoryDomain::device,
                storage | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT, texel_format},
               "skinned vertices");
        ensure(skinned_[i].boxes, posed.count() * sizeof(EncodedBounds),
               {MemoryDomain::device,
                storage | VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT},
               "bounds");
    }
}

void BatchRenderer::ensure_weight_colors(const BatchImage& image)
{
    auto& gpu = *image.drawable.gpu;
    const auto& overlays = image.view->overlays;
    if (overlays.debug_view != DebugView::weights) return;
    if (gpu.weight_colors && gpu.weight_colors_joint == overlays.joint) return;
    const auto colors = weight_colors(*image.drawable.scene, gpu.packed, overlays.joint);
    if (open_slot_ != nullptr) render_batch();
    timeline_->defer_destroy(std::exchange(gpu.weight_colors, {}));
    gpu.weight_colors = Buffer(*device_, std::span(colors).size_bytes(),
                               {MemoryDomain::upload, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT}, "weight colors");
    copy_to<shared::VertexAttributes>(gpu.weight_colors, 0, colors);
    gpu.weight_colors_joint = overlays.joint;
}

void BatchRenderer::add_image_lines(BatchSlot& slot)
{
    slot.lines.clear();
    for (std::size_t i = 0; i < slot.images.size(); ++i) {
        auto& offsets = slot.image_offsets[i];
        const auto first = static_cast<std::uint32_t>(slot.lines.size());
        append_joint_lines(slot.images[i], slot.posed[offsets.posed].pose_evaluator.palette(offsets.pose),
                           slot.lines);
        offsets.lines = {first, static_cast<std::uint32_t>(slot.lines.size()) - first};
    }
}

void BatchRenderer::write_frame_data(BatchSlot& slot)
{
    const auto scale = static_cast<float>(target_pool_.scale());
    slot.params.clear();
    for (const auto& image : slot.images) {
        auto& params = slot.params.emplace_back(
            image_params(*image.view, image.framing, image.drawable.gpu->packed.origin));
        const auto width = static_cast<float>(image.view->width) * scale;
        const auto height = static_cast<float>(image.view->height) * scale;
        params.viewport = {width, height, 1.0f / width, 1.0f / height};
        params.center_ray.w = scale;
        if (!image.model.empty()) params.ground.z = 1.0f / model_radius(image, params);
        const auto diameter =
            point_diameter(image.drawable.gpu->packed.point_count, image.view->width, image.view->height);
        params.ray_x.w = std::min(point_width(diameter, scale), max_point_diameter(*device_) / scale);
    }
    auto at = aligned(slot.params.size() * params_stride());
    for (auto& posed : std::span(slot.posed).first(slot.scenes)) {
        posed.segments_offset = at;
        at += aligned(std::max<VkDeviceSize>(posed.pose_evaluator.segments().size_bytes(),
                                             sizeof(shared::LineSegment)));
    }
    add_image_lines(slot);
    slot.lines_offset = at;
    at += aligned(slot.lines.size() * sizeof(shared::LineSegment));
    ensure(slot.frame_data, at,
           {MemoryDomain::upload, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT},
           "frames");
    for (std::size_t i = 0; i < slot.params.size(); ++i)
        copy_to<shared::ImageParams>(slot.frame_data, i * params_stride(), {&slot.params[i], 1});
    for (const auto& posed : std::span(slot.posed).first(slot.scenes))
        copy_to(slot.frame_data, posed.segments_offset, posed.pose_evaluator.segments());
    copy_to<shared::LineSegment>(slot.frame_data, slot.lines_offset, slot.lines);
}

VkDeviceSize BatchRenderer::lay_out_readback(BatchSlot& slot, VkDeviceSize more_bytes)
{
    VkDeviceSize at = 0;
    for (auto& posed : std::span(slot.posed).first(slot.scenes)) {
        posed.boxes_offset = at;
        at += aligned(posed.count() * sizeof(EncodedBounds));
    }
    slot.timestamps_offset = aligned(at + more_bytes);
    const auto bytes = slot.timestamps_offset + slot.timestamps.size_bytes();
    slot.readback = {};
    if (pixel_memory_ && !slot.images.empty()) slot.readback = pixel_memory_->take(bytes);
    slot.is_imported = static_cast<bool>(slot.readback);
    if (!slot.is_imported) slot.readback = readback_pool_->take(bytes);
    return at;
}

VkDeviceSize BatchRenderer::params_stride() const
{
    const auto alignment = std::max<VkDeviceSize>(device_->limits.minUniformBufferOffsetAlignment, 1);
    return (sizeof(shared::ImageParams) + alignment - 1) / alignment * alignment;
}

} // namespace vitrine::render
