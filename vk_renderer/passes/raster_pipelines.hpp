#pragma once
// The pipelines that draw into the color image. Variants are made when first needed and kept.

#include <map>

#include "vk_renderer/base/view.hpp"
#include "vk_renderer/gpu/pipeline.hpp"
#include "vk_renderer/scene/pack_scene.hpp"
#include "vk_renderer/textures/textures.hpp"

namespace vitrine::render {

// Pixels, of a model's own lines.
constexpr float line_width = 1.5f;

// Everything that tells one mesh pipeline from another.
struct MeshVariant {
    LightingPreset light = LightingPreset::studio;
    TextureUse textures = TextureUse::none;
    scene::AlphaMode alpha = scene::AlphaMode::opaque;
    scene::Topology topology = scene::Topology::triangles;
    bool unlit = false;
    bool lit = false; // lines and points that are shaded as surfaces are
    bool layered = false;
    bool transmits = false; // layered, and drawn over what is behind
    bool hides = false;     // blended, and what lies behind it and is drawn later is not seen
    bool tints = false;     // each color of that by itself; takes a device with dualSrcBlend
    bool tangents = false;  // the normal map lies in the mesh's own; a stream more
    bool wire = false;
    bool discs = false; // points that are round
    DebugView surface = DebugView::material;

    auto operator<=>(const MeshVariant&) const = default;
};

// The attributes of the skinned stream (position, octahedral normal), of the static one and of the tangents.
std::span<const VertexStream> mesh_streams();

class RasterPipelines {
public:
    RasterPipelines(const Device& device, VkSampleCountFlagBits samples);

    const Layout& layout() const { return layout_; }
    VkPipeline mesh(const MeshVariant& variant);
    bool has(const MeshVariant& variant) const { return meshes_.contains(variant); }
    // Several at once on threads of their own: compiling is most of a first picture. `variants`: without
    // repetition; those that are there already are made again.
    void make(std::span<const MeshVariant> variants);
    VkPipeline segments(); // over everything
    VkPipeline normals();
    VkPipeline tangents();
    VkPipeline bounds_box();

private:
    PipelineHandle create_mesh(const MeshVariant& variant) const;
    VkPipeline overlay(PipelineHandle& made, Spirv vertex, VkCompareOp compare) const;

    const Device* device_;
    VkSampleCountFlagBits samples_;
    bool shades_samples_; // of a pixel, each by itself
    Layout layout_;
    PipelineHandle segments_, normals_, tangents_, bounds_box_; // made when first needed
    std::map<MeshVariant, PipelineHandle> meshes_;
};

} // namespace vitrine::render
