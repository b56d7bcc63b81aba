#pragma once
// Draws one frame into its render target: ghosts, opaque and masked surfaces of all instances, background,
// blended surfaces back to front, overlays.

#include <compare>
#include <cstdint>
#include <optional>
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
        const RasterFrame* all;              // its drawn instance is the first
        RasterFrame* frame;                  // the same with another drawn instance
        std::optional<std::uint32_t> pose{}; // of the bound vertices
        VkBuffer indices = VK_NULL_HANDLE;
        VkPipeline pipeline = VK_NULL_HANDLE;
        std::uint32_t material = scene::none;
        VkCullModeFlags cull = VK_CULL_MODE_NONE;
        bool mirrored = false;
    };

    // A part of an instance, or a ghost, in the order of drawing.
    struct BlendedDraw {
        float nearness;
        std::uint32_t instance;
        std::uint32_t item = 0;

        auto operator<=>(const BlendedDraw&) const = default;
    };

    void push_frame(VkCommandBuffer commands, const RasterFrame& frame) const;
    MeshVariant variant_of(const RasterFrame& frame, const DrawItem& item) const;
    void make_pipelines(const RasterFrame& frame);
    // Adds the variants of ghosts that have no pipeline.
    void add_ghost_variants(const RasterFrame& frame, std::vector<MeshVariant>& missing) const;
    void draw_opaque(State& state);
    void draw_opaque_item(State& state, const DrawItem& item, const MeshVariant& variant);
    static void select(State& state, std::uint32_t instance);
    void bind_vertices(State& state);
    void bind(State& state, const DrawItem& item, const MeshVariant& variant, VkCullModeFlags cull);
    void bind_indices(State& state, VkBuffer indices, VkDeviceSize offset);
    void draw_item(State& state, const DrawItem& item, const MeshVariant& variant, VkCullModeFlags cull);
    void draw_background(State& state);
    void draw_blended(State& state);
    void draw_blended_item(State& state, const DrawItem& item);
    void draw_ghosts(State& state);
    void draw_ghost(State& state, const glm::vec4& color);
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
    std::vector<BlendedDraw> blended_order_; // member to avoid an allocation per frame
};

} // namespace vitrine::render
