#pragma once
// Compute skinning of every (pose, vertex) of a batch, with at most one dispatch per vertex kind, or one per
// kind and part of the output if a pose has more vertices than one binding can hold.

#include <map>

#include "vk_renderer/gpu/pipeline.hpp"
#include "vk_renderer/scene/gpu_scene.hpp"
#include "vk_renderer/shaders/shaders.hpp"

namespace vitrine::render {

// Inputs and outputs of one batch. palettes: pose_count * palette_count entries; dqs_palettes: five texels
// per entry if the scene has dual quaternion skins; values: pose_count * value_count floats; skinned:
// pose_count * vertex_count of 16 bytes; tangents: the same number of 4 bytes.
struct SkinBatch {
    const Buffer* palettes = nullptr;
    const Buffer* dqs_palettes = nullptr;
    const Buffer* values = nullptr;
    const Buffer* skinned = nullptr;
    const Buffer* tangents = nullptr; // null: not requested
    std::uint32_t pose_count = 0;
    bool non_rigid = false; // a joint of dqs_palettes is not rigid
};

// How many of a batch's poses one invocation computes, for that many vertices of a dispatch.
std::uint32_t poses_of_invocation(const DeviceTraits& traits, std::uint32_t vertices, std::uint32_t poses);

class SkinningPass {
public:
    explicit SkinningPass(const Device& device);
    void record(VkCommandBuffer commands, const GpuScene& scene, const SkinBatch& batch);
    // Creates the pipelines that most scenes need.
    void prepare();

private:
    // Code for unused features is removed by specialization constants.
    struct Variant {
        shaders::SkinKind kind;
        bool morphs = false, frames = false, positions = false, non_rigid = false, tangents = false;

        auto operator<=>(const Variant&) const = default;
    };
    static Variant variant_of(const PackedScene& scene, const SkinBatch& batch, shaders::SkinKind kind);
    VkPipeline pipeline(const Variant& variant);
    void bind(VkCommandBuffer commands, const GpuScene& scene, const SkinBatch& batch, shaders::SkinKind kind,
              const Range& output) const;
    void dispatch(VkCommandBuffer commands, const GpuScene& scene, const SkinBatch& batch,
                  shared::SkinPushConstants constants) const;

    const Device* device_;
    PipelineLayout layout_;
    std::map<Variant, PipelineHandle> pipelines_; // created on first use
};

} // namespace vitrine::render
