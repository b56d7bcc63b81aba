#pragma once
// Compute skinning: every (frame, vertex) of a batch, at most one dispatch per kind of vertex.

#include <map>

#include "vk_renderer/gpu/pipeline.hpp"
#include "vk_renderer/scene/gpu_scene.hpp"
#include "vk_renderer/shaders/shaders.hpp"

namespace vitrine::render {

// What one batch is skinned from and into. palettes: frame_count * palette_count entries; dqs_palettes: five
// texels for each of them where the scene has dqsN quaternions; values: frame_count * value_count floats;
// skinned: frame_count * vertex_count of 16 bytes; tangents: the same number of 4 bytes.
struct SkinBatch {
    const Buffer* palettes = nullptr;
    const Buffer* dqs_palettes = nullptr;
    const Buffer* values = nullptr;
    const Buffer* skinned = nullptr;
    const Buffer* tangents = nullptr; // none: not asked for
    std::uint32_t frame_count = 0;
    bool non_rigid = false; // a joint of dqs_palettes is not skin1
};

class SkinningPass {
public:
    explicit SkinningPass(const Device& device);
    void record(VkCommandBuffer commands, const GpuScene& scene, const SkinBatch& batch);
    // Makes now what most scenes need.
    void prepare();

private:
    // What a pipeline does without is compiled out.
    struct Variant {
        shaders::SkinKind kind;
        bool morphs = false, frames = false, positions = false, non_rigid = false, tangents = false;

        auto operator<=>(const Variant&) const = default;
    };
    static Variant variant_of(const PackedScene& scene, const SkinBatch& batch, shaders::SkinKind kind);
    VkPipeline pipeline(const Variant& variant);
    void bind(VkCommandBuffer commands, const GpuScene& scene, const SkinBatch& batch,
              shaders::SkinKind kind) const;

    const Device* device_;
    Layout layout_;
    std::map<Variant, PipelineHandle> pipelines_; // made when first needed
};

} // namespace vitrine::render
