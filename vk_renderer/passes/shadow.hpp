#pragma once
// The soft ground shadow: the model is projected along the key light onto the floor as a height map, then
// blurred in proportion to the height of the caster.

#include <array>

#include "vk_renderer/gpu/async_lazy.hpp"
#include "vk_renderer/gpu/pipeline.hpp"
#include "vk_renderer/passes/render_targets.hpp"
#include "vk_renderer/scene/gpu_scene.hpp"

namespace vitrine::render {

class ShadowPass {
public:
    explicit ShadowPass(const Device& device);

    // One frame. `uniforms`: its ImageParams at `uniform_offset`.
    struct ShadowInputs {
        const RenderTargets& target;
        const Buffer& skinned;
        std::uint32_t first_vertex; // of the first instance in `skinned`
        std::uint32_t instances;    // whose vertices follow each other
        VkBuffer uniforms;
        VkDeviceSize uniform_offset;
        const shared::ImageParams& params;
        bool is_reduced;                              // drawn with a level of detail: fewer vertices cast
        std::span<const scene::PaletteEntry> palette; // of all instances, on the host
    };
    void clear(VkCommandBuffer commands, const RenderTargets& target) const;
    void record_heights(VkCommandBuffer commands, const GpuScene& scene, const ShadowInputs& frame);
    // Horizontal, then (after a barrier by the caller) vertical.
    void record_blur(VkCommandBuffer commands, const RenderTargets& target, bool vertical);

private:
    // Consecutive instances whose front faces have the same winding.
    struct CastingInstances {
        std::uint32_t first = 0, count = 1;
        float front = 0.0f; // CastPushConstants::front
    };
    static CastingInstances next_instances(const GpuScene& scene, const ShadowInputs& frame,
                                           std::uint32_t first, std::uint32_t front_face_entry);
    // Records a dispatch for `constants.count` elements of all instances; sets the members that depend on
    // those.
    void dispatch(VkCommandBuffer commands, const GpuScene& scene, const ShadowInputs& frame,
                  const PipelineLayout& layout, shared::CastPushConstants constants,
                  std::uint32_t front_face_entry) const;

    const Device* device_;
    PipelineLayout cast_layout_, translucent_layout_, blur_layout_;
    void record_run(VkCommandBuffer commands, const GpuScene& scene, const ShadowInputs& frame,
                    const Caster& run, std::uint32_t stride) const;
    void record_vertices(VkCommandBuffer commands, const GpuScene& scene, const ShadowInputs& frame,
                         const Caster& run, std::uint32_t stride) const;
    void record_translucent(VkCommandBuffer commands, const GpuScene& scene, const ShadowInputs& frame,
                            const TranslucentRun& run, std::uint32_t stride);

    // Pipelines that every shadow needs.
    struct Common {
        PipelineHandle cast;                // triangles and lines
        std::array<PipelineHandle, 2> blur; // horizontal, vertical
    };
    Common create_common() const;
    PipelineHandle create_cast(bool vertices) const;
    VkPipeline cast_of(const Caster& run);

    PipelineHandle cast_vertices_, cast_translucent_; // created for the first scene that needs them
    AsyncLazy<Common> common_;
};

} // namespace vitrine::render
