#pragma once
// The inputs of one frame.

#include "vk_renderer/passes/render_targets.hpp"
#include "vk_renderer/scene/gpu_scene.hpp"

namespace vitrine::render {

struct RasterFrame {
    const GpuScene* scene = nullptr;
    const View* view = nullptr;
    const shared::FrameParams* params = nullptr;
    std::span<const scene::PaletteEntry> palette; // this frame's, on the host
    const RenderTargets* layer = nullptr;
    glm::vec3 size{}; // of the model's framed box
    const Buffer* skinned = nullptr;
    const Buffer* tangents = nullptr;   // null: no normal map needs them
    std::uint32_t frame = 0;            // index in the batch
    VkBuffer uniforms = VK_NULL_HANDLE; // FrameParams at uniform_offset
    VkDeviceSize uniform_offset = 0;
    VkBuffer segments = VK_NULL_HANDLE; // overlay lines at segment_offset
    VkDeviceSize segment_offset = 0;    // of the batch
    std::uint32_t first_segment = 0;
    std::uint32_t segment_count = 0;
    VkBuffer bounds = VK_NULL_HANDLE;  // EncodedBounds by frame
    VkBuffer ordered = VK_NULL_HANDLE; // indices of PackedScene::blended at ordered_offset, farthest first
    VkDeviceSize ordered_offset = 0;
    // By PackedScene::blended_runs: how far the pose moves their centers; empty: nothing is sorted.
    std::span<const glm::vec3> run_shifts;
};

} // namespace vitrine::render
