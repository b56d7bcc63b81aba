#pragma once
// The pipelines that draw into the color image. Variants are created on first use and cached.

#include <map>

#include "vk_renderer/base/view.hpp"
#include "vk_renderer/gpu/pipeline.hpp"
#include "vk_renderer/scene/pack_scene.hpp"
#include "vk_renderer/textures/textures.hpp"

namespace vitrine::render {

// Width of a model's own lines in pixels.
constexpr float line_width = 1.5f;

// The parameters that distinguish mesh pipelines.
struct MeshVariant {
    LightingPreset light = LightingPreset::studio;
    TextureUse textures = TextureUse::none;
    scene::AlphaMode alpha = scene::AlphaMode::opaque;
    scene::Topology topology = scene::Topology::triangles;
    bool flat = false; // see DrawItem::flat
    bool unlit = false;
    bool lit_like_surface = false; // lines and points shaded like surfaces
    bool has_extensions = false;   // of the material; see textures/material_extensions.hpp
    bool transmissive = false;     // with extensions, and blended over the background
    bool writes_depth = false;     // blended, but writes depth
    bool dual_source = false;      // tints the background per color channel; requires dualSrcBlend
    bool uses_tangents = false;    // the mesh has tangents for the normal map; one more vertex stream
    bool more_uvs = false;         // the textures use more than two UV sets
    bool wireframe = false;
    bool discs = false;             // round points
    bool shader_anisotropy = false; // see DeviceTraits
    DebugView debug_view = DebugView::material;

    auto operator<=>(const MeshVariant&) const = default;
};

// Attributes of the skinned stream (position, octahedral normal), the static stream and the tangent stream.
std::span<const VertexStream> mesh_streams();

class RasterPipelines {
public:
    // Binding of the overlay segments, or the skinned vertices of normals and tangents, followed by the
    // indices that flat normals and tangents need and the attributes that tangents need.
    static constexpr std::uint32_t data_binding = 7;
    static constexpr std::uint32_t more_uvs_binding = 9; // GpuScene::more_uvs

    RasterPipelines(const Device& device, VkSampleCountFlagBits samples);

    const PipelineLayout& layout() const { return layout_; }
    VkPipeline mesh(const MeshVariant& variant);
    bool has(const MeshVariant& variant) const { return meshes_.contains(variant); }
    // Creates several pipelines in parallel, because compilation dominates the time of a first image.
    // `variants`: without duplicates; existing pipelines are created again.
    void make(std::span<const MeshVariant> variants);
    VkPipeline segments();         // drawn over everything
    VkPipeline normals(bool flat); // `flat`: see DrawItem::flat
    VkPipeline tangents();
    VkPipeline bounds_box();

private:
    PipelineHandle create_mesh(const MeshVariant& variant) const;
    VkPipeline overlay(PipelineHandle& made, Spirv vertex, VkCompareOp compare) const;

    const Device* device_;
    VkSampleCountFlagBits samples_;
    bool masks_samples_; // several per pixel, and fragments can interpolate at each
    PipelineLayout layout_;
    PipelineHandle segments_, normals_, flat_normals_, tangents_, bounds_box_; // created on first use
    std::map<MeshVariant, PipelineHandle> meshes_;
};

} // namespace vitrine::render
