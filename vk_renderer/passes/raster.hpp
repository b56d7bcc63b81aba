#pragma once
// Draws one frame into its render target: opaque and masked surfaces, background, blended surfaces back to
// front, overlays.

#include <cstdint>
#include <utility>
#include <vector>

#include "vk_renderer/passes/raster_frame.hpp"
#include "vk_renderer/passes/raster_pipelines.hpp"
#include "vk_renderer/passes/resolve.hpp"

namespace vitrine::render {

class RasterPass {
public:
    RasterPass(const Device& device, VkSampleCountFlagBits samples);
    void record(VkCommandBuffer commands, const RasterFrame& frame);
    // Creates the pipelines that most scenes need, so that the first image does not wait for them.
    void prepare();

private:
    // Bindings while one frame is recorded.
    struct State {
        VkCommandBuffer commands;
        const RasterFrame* frame;
        bool lod = false;
        VkBuffer indices = VK_NULL_HANDLE;
        VkPipeline pipeline = VK_NULL_HANDLE;
        std::uint32_t material = scene::none;
        VkCullModeFlags cull = VK_CULL_MODE_NONE;
        bool mirrored = false;
    };

    void push_frame(VkCommandBuffer commands, const RasterFrame& frame) const;
    MeshVariant variant_of(const RasterFrame& frame, const DrawItem& item) const;
    void make_pipelines(const RasterFrame& frame);
    void draw_opaque(State& state);
    void bind(State& state, const DrawItem& item, const MeshVariant& variant, VkCullModeFlags cull);
    void bind_indices(State& state, VkBuffer indices, VkDeviceSize offset);
    void draw_item(State& state, const DrawItem& item, const MeshVariant& variant, VkCullModeFlags cull);
    void draw_background(State& state);
    void draw_blended(State& state);
    void draw_ordered(State& state, const DrawItem& item, const MeshVariant& variant);
    void draw_wire(State& state);
    void draw_normals(State& state);
    void draw_flat_normals(State& state, const DrawItem& item, std::uint32_t shift);
    void draw_tangents(State& state);
    void draw_overlays(State& state);
    void draw_segments(State& state, VkPipeline pipeline, VkBuffer data, VkDeviceSize offset,
                       const shared::DrawPushConstants& push, std::uint32_t count);

    const Device* device_;
    RasterPipelines pipelines_;
    BackgroundPass background_pass_;
    std::vector<std::pair<float, std::uint32_t>> blended_order_; // member to avoid an allocation per frame
};

} // namespace vitrine::render
