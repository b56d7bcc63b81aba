#pragma once
// Compute skinning: every (frame, vertex) of a batch, at most one dispatch per kind of vertex.

#include "vk_renderer/gpu/pipeline.hpp"
#include "vk_renderer/scene/gpu_scene.hpp"

namespace vitrine::render {

// What one batch is skinned from and into. palettes: frame_count * palette_count entries; values: frame_count
// * value_count floats; skinned: frame_count * vertex_count of 16 bytes.
struct SkinBatch {
    const Buffer* palettes = nullptr;
    const Buffer* values = nullptr;
    const Buffer* skinned = nullptr;
    std::uint32_t frame_count = 0;
};

class SkinningPass {
public:
    explicit SkinningPass(const Device& device);
    void record(VkCommandBuffer commands, const GpuScene& scene, const SkinBatch& batch);
    // Makes all pipelines now.
    void prepare();

private:
    VkPipeline pipeline(std::size_t kind);
    void bind(VkCommandBuffer commands, const GpuScene& scene, const SkinBatch& batch,
              std::size_t kind) const;

    const Device* device_;
    Layout layout_;
    std::array<PipelineHandle, 4> pipelines_; // by shaders::SkinKind, made when first needed
};

} // namespace vitrine::render
