#include "tests/bench/renderer/skinning_passes.hpp"

#include <algorithm>
#include <cstring>

#include "vk_renderer/frame/pose_evaluator.hpp"
#include "vk_renderer/gpu/physical_device.hpp"

namespace vitrine::bench {
namespace {

constexpr std::uint64_t bytes_per_skinned_vertex = 16;
constexpr std::uint64_t max_output_bytes = 1u << 30;

} // namespace

std::vector<render::ClipTime> clip_times_of(std::uint32_t count)
{
    std::vector<render::ClipTime> all;
    for (std::uint32_t i = 0; i < count; ++i)
        all.push_back({0, 2.0 * i / count});
    return all;
}

std::uint32_t SkinningPasses::poses_at_once(const VkPhysicalDeviceLimits& limits, std::uint64_t vertices)
{
    const auto bytes = std::min<std::uint64_t>(limits.maxStorageBufferRange, max_output_bytes);
    return static_cast<std::uint32_t>(
        std::max<std::uint64_t>(1, bytes / (vertices * bytes_per_skinned_vertex)));
}

SkinningPasses::SkinningPasses(const render::Options& options, const scene::Scene& scene, std::uint32_t poses)
    : instance_(options.validation, options.on_log_message),
      device_(instance_, choose_device(instance_, options.device), options),
      timeline_(device_, options.submit_timeout), uploader_(device_, timeline_),
      scene_(device_, scene, render::PreparedScene(scene), uploader_), skinning_(device_), bounds_(device_),
      slots_{Slot{render::Commands(device_)}, Slot{render::Commands(device_)}},
      poses_(std::min(poses, poses_at_once(device_.limits, scene_.vertex_count())))
{
    uploader_.finish();
    render::PoseEvaluator pose_evaluator;
    pose_evaluator.begin(scene, scene_.packed, false);
    pose_evaluator.add(clip_times_of(poses_), 1);
    constexpr auto storage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    constexpr auto texels = VK_FORMAT_R32G32B32A32_UINT;
    palettes_ =
        filled(std::as_bytes(pose_evaluator.palettes()), {render::MemoryDomain::upload, storage, texels});
    duals_ =
        filled(std::as_bytes(pose_evaluator.dqs_palettes()), {render::MemoryDomain::upload, storage, texels});
    values_ = filled(std::as_bytes(pose_evaluator.values()),
                     {render::MemoryDomain::upload, storage, VK_FORMAT_R32_UINT});
    stretched_ = pose_evaluator.non_rigid();
    skinned_ =
        render::Buffer(device_, VkDeviceSize{poses_} * scene_.vertex_count() * bytes_per_skinned_vertex,
                       {render::MemoryDomain::device, storage, texels}, "skinned vertices");
    boxes_ =
        render::Buffer(device_, poses_ * sizeof(render::EncodedBounds),
                       {render::MemoryDomain::device, storage | VK_BUFFER_USAGE_TRANSFER_DST_BIT}, "bounds");
}

void SkinningPasses::run(std::uint32_t batches, bool with_bounds)
{
    for (std::uint32_t batch = 0; batch < batches; ++batch)
        submit(slots_[batch % slots_.size()], with_bounds);
    for (const Slot& slot : slots_)
        timeline_.wait(slot.submitted);
}

void SkinningPasses::run_together(std::uint32_t batches, bool with_bounds)
{
    auto& slot = slots_[0];
    timeline_.wait(slot.submitted);
    auto* const commands = slot.commands.begin();
    for (std::uint32_t batch = 0; batch < batches; ++batch)
        record(commands, with_bounds);
    slot.submitted = timeline_.submit(slot.commands.end());
    timeline_.wait(slot.submitted);
}

void SkinningPasses::record(VkCommandBuffer commands, bool with_bounds)
{
    // Both slots use the same buffers.
    memory_barrier(device_, commands, render::compute, render::compute);
    memory_barrier(device_, commands, render::compute, render::transfer);
    if (with_bounds) bounds_.clear(commands, boxes_.get(), poses_);
    skinning_.record(commands, scene_,
                     {.palettes = &palettes_,
                      .dqs_palettes = &duals_,
                      .values = &values_,
                      .skinned = &skinned_,
                      .pose_count = poses_,
                      .non_rigid = stretched_});
    if (!with_bounds) return;
    memory_barrier(device_, commands, render::compute, render::compute);
    memory_barrier(device_, commands, render::transfer, render::compute);
    bounds_.record(commands, scene_, skinned_, boxes_.get(), poses_);
}

void SkinningPasses::submit(Slot& slot, bool with_bounds)
{
    timeline_.wait(slot.submitted);
    record(slot.commands.begin(), with_bounds);
    slot.submitted = timeline_.submit(slot.commands.end());
}

render::Buffer SkinningPasses::filled(std::span<const std::byte> bytes, render::BufferDesc use)
{
    render::Buffer buffer(device_, bytes.size(), use, "input");
    if (!bytes.empty()) std::memcpy(buffer.mapped(), bytes.data(), bytes.size());
    return buffer;
}

} // namespace vitrine::bench
