#pragma once
// The compute passes of skinning alone, on a device of their own: palettes are prepared, and nothing is read
// back.

#include <array>
#include <span>

#include "vk_renderer/gpu/commands.hpp"
#include "vk_renderer/gpu/timeline.hpp"
#include "vk_renderer/passes/bounds_pass.hpp"
#include "vk_renderer/passes/skinning.hpp"

namespace vitrine::bench {

// `count` times spread over the first two seconds of the first clip.
std::vector<render::ClipTime> clip_times_of(std::uint32_t count);

class SkinningPasses {
public:
    // Validates if `options` ask for it.
    SkinningPasses(const render::Options& options, const scene::Scene& scene, std::uint32_t poses);

    // Number of poses that run() skins at once at most: as many as one binding of the output can hold, and at
    // most 1 GiB of them.
    static std::uint32_t poses_at_once(const VkPhysicalDeviceLimits& limits, std::uint64_t vertices);

    std::uint32_t poses() const { return poses_; }
    std::uint32_t vertex_count() const { return scene_.vertex_count(); }

    // Skins all poses `batches` times; submits the next batch while the device works, as when rendering
    // images one after the other.
    void run(std::uint32_t batches, bool with_bounds);
    // The same in one submission.
    void run_together(std::uint32_t batches, bool with_bounds);

private:
    struct Slot {
        render::Commands commands;
        std::uint64_t submitted = 0;
    };

    void record(VkCommandBuffer commands, bool with_bounds);
    void submit(Slot& slot, bool with_bounds);
    render::Buffer filled(std::span<const std::byte> bytes, render::BufferDesc use);

    render::VulkanInstance instance_;
    render::Device device_;
    render::Timeline timeline_;
    render::Uploader uploader_;
    render::GpuScene scene_;
    render::SkinningPass skinning_;
    render::BoundsPass bounds_;
    std::array<Slot, 2> slots_;
    render::Buffer palettes_, duals_, values_, skinned_, boxes_;
    std::uint32_t poses_ = 0;
    bool stretched_ = false;
};

} // namespace vitrine::bench
