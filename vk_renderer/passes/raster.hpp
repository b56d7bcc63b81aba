#pragma once
// One frame into its layer: opaque and masked surfaces, what is behind them, blended surfaces back to front,
// overlays.

#include "vk_renderer/passes/behind.hpp"
#include "vk_renderer/passes/raster_pipelines.hpp"
#include "vk_renderer/passes/targets.hpp"
#include "vk_renderer/scene/gpu_scene.hpp"

namespace vitrine::render {

struct RasterFrame {
    const GpuScene* scene = nullptr;
    const View* view = nullptr;
    const shared::FrameParams* params = nullptr;
    std::span<const scene::PaletteEntry> palette; // this frame's, on the host
    const Layer* layer = nullptr;
    const Buffer* skinned = nullptr;
    const Buffer* tangents = nullptr;   // none: no normal map needs them
    std::uint32_t frame = 0;            // in the batch
    VkBuffer uniforms = VK_NULL_HANDLE; // FrameParams at uniform_offset
    VkDeviceSize uniform_offset = 0;
    VkBuffer segments = VK_NULL_HANDLE; // overlay lines at segment_offset
    VkDeviceSize segment_offset = 0;    // of the batch
    std::uint32_t first_segment = 0;
    std::uint32_t segment_count = 0;
    VkBuffer bounds = VK_NULL_HANDLE; // EncodedBounds by frame
    VkBuffer ordered =
        VK_NULL_HANDLE; // indices of PackedScene::blended at ordered_offset, the farthest first
    VkDeviceSize ordered_offset = 0;
    // By PackedScene::blended_runs: how far the pose carries their middles; empty: nothing is ordered.
    std::span<const glm::vec3> run_shifts;
};

class RasterPass {
public:
    RasterPass(const Device& device, VkSampleCountFlagBits samples);
    void record(VkCommandBuffer commands, const RasterFrame& frame);
    // Makes the pipelines that most scenes need, so that the first picture does not wait for them.
    void prepare();

private:
    struct State; // what is bound while one frame is recorded
    void push_frame(VkCommandBuffer commands, const RasterFrame& frame) const;
    MeshVariant variant_of(const RasterFrame& frame, const DrawItem& item) const;
    void make_pipelines(const RasterFrame& frame);
    void draw_opaque(State& state);
    void bind(State& state, const DrawItem& item, const MeshVariant& variant, VkCullModeFlags cull);
    void bind_indices(State& state, VkBuffer indices, VkDeviceSize offset);
    void draw_item(State& state, const DrawItem& item, const MeshVariant& variant, VkCullModeFlags cull);
    void draw_behind(State& state);
    void draw_blended(State& state);
    void draw_ordered(State& state, const DrawItem& item, const MeshVariant& variant);
    void draw_wire(State& state);
    void draw_tangents(State& state);
    void draw_overlays(State& state);
    void draw_segments(State& state, VkPipeline pipeline, VkBuffer data, VkDeviceSize offset,
                       const shared::DrawPush& push, std::uint32_t count);

    const Device* device_;
    RasterPipelines pipelines_;
    BehindPass behind_;
    std::vector<std::pair<float, std::uint32_t>> blended_order_; // kept: no allocation per frame
};

} // namespace vitrine::render
