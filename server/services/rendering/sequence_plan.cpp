#include "server/services/rendering/sequence_plan.hpp"

#include <algorithm>
#include <utility>

#include "vk_renderer/camera/best_view.hpp"

namespace vitrine::server {
namespace {

constexpr double orbit_duration_s = 4.0;
constexpr double min_clip_duration_s = 0.1; // a clip of one key lasts 0 s

} // namespace

FrameSequencePlan plan_clip(const render::SharedScene& scene, const render::View& view,
                            const render::ClipTime& shown, std::uint32_t count)
{
    const double duration = render::duration_of(*scene, shown);
    std::vector<render::ClipTime> clip_times;
    for (std::uint32_t i = 0; i < count; ++i)
        clip_times.push_back({shown.clip, duration * i / count, shown.layers});
    const auto chosen = render::with_best_view(*scene, view, shown, clip_times);
    std::vector<render::FrameRequest> frames;
    for (const auto& clip_time : clip_times)
        frames.push_back({scene, chosen, clip_time});
    return {std::move(frames), std::max(duration, min_clip_duration_s)};
}

FrameSequencePlan plan_orbit(const render::SharedScene& scene, const render::View& view,
                             render::ClipTime clip_time, std::uint32_t count)
{
    std::vector<render::FrameRequest> frames(
        count, {scene, render::with_best_orbit(*scene, view, clip_time), clip_time});
    for (std::uint32_t i = 0; i < count; ++i)
        frames[i].view.camera.yaw += 360.0f * static_cast<float>(i) / static_cast<float>(count);
    return {std::move(frames), orbit_duration_s};
}

} // namespace vitrine::server
