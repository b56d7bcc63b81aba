#include "server/services/rendering/image_sequences.hpp"

#include <algorithm>
#include <iterator>

#include "vk_renderer/encode/sheet.hpp"

namespace vitrine::server {
namespace {

// `layers` may be null.
bool is_moving(const scene::Scene& scene, const scene::SharedLayers& layers)
{
    return layers && scene::duration_of(scene, *layers) > 0.0;
}

// An orbit around the pose of the thumbnail, or the start of the selected clip.
FrameSequencePlan plan_turntable(const SharedScene& scene, const SequenceParams& params,
                                 scene::CandidateClips candidates)
{
    auto thumbnail = thumbnail_still(*scene, params.size, candidates);
    thumbnail.view.overlays = params.overlays;
    thumbnail.view.crowd = params.crowd;
    thumbnail.view.ghosts = params.ghosts;
    const bool posed = params.clip != scene::none || params.layers;
    const auto clip_time = posed ? render::ClipTime{params.clip, 0.0, params.layers} : thumbnail.clip_time();
    return plan_orbit(scene, thumbnail.view, clip_time, params.frames);
}

// `shown`: the pose that the camera is chosen for.
FrameSequencePlan plan_animation(const SharedScene& scene, const SequenceParams& params,
                                 const render::ClipTime& shown, const render::Camera& camera,
                                 std::uint32_t count)
{
    const render::View view{.width = params.size,
                            .height = params.size,
                            .camera = camera,
                            .overlays = params.overlays,
                            .crowd = params.crowd,
                            .ghosts = params.ghosts};
    return plan_clip(scene, view, shown, count);
}

// The motion of a sequence at the pose that its camera is chosen for; empty: an orbit around a static pose.
std::optional<render::ClipTime> shown_motion(const scene::Scene& scene, const SequenceParams& params,
                                             scene::CandidateClips candidates)
{
    if (params.kind == SequenceParams::Kind::turntable) return std::nullopt;
    if (params.layers && !is_moving(scene, params.layers)) return std::nullopt;
    const bool chosen = params.clip != scene::none;
    if (params.layers && !chosen) return render::ClipTime{scene::none, 0.0, params.layers};
    const auto pose = chosen ? scene::select_representative_pose(scene, params.clip)
                             : scene::select_representative_motion(scene, candidates);
    if (pose.clip == scene::none) return std::nullopt;
    return render::ClipTime{pose.clip, pose.time, params.layers};
}

// Frames of a row: a pose without motion is shown once.
std::uint32_t columns_of(const SequenceParams& params, bool moves)
{
    return moves ? params.frames : 1;
}

// A row for each camera. `shown`: empty for a model without motion.
FrameSequencePlan plan_views(const SharedScene& scene, const SequenceParams& params,
                             const std::optional<render::ClipTime>& shown)
{
    const auto pose = shown.value_or(render::ClipTime{params.clip, 0.0, params.layers});
    FrameSequencePlan plan;
    for (const auto& camera : params.cameras) {
        auto row = plan_animation(scene, params, pose, camera, columns_of(params, shown.has_value()));
        plan.duration_s = row.duration_s;
        std::ranges::move(row.frame_requests, std::back_inserter(plan.frame_requests));
    }
    return plan;
}

} // namespace

SpriteLayout layout_of(const scene::Scene& scene, const SequenceParams& params,
                       scene::CandidateClips candidates)
{
    const auto clip = params.clip != scene::none || params.layers
                          ? params.clip
                          : scene::select_representative_motion(scene, candidates).clip;
    const bool moves = clip != scene::none || is_moving(scene, params.layers);
    const bool orbit = !moves || params.kind == SequenceParams::Kind::turntable;
    SpriteLayout layout;
    if (params.cameras.empty()) {
        const auto grid = render::sheet_grid(params.frames);
        layout.columns = grid.columns;
        layout.rows = grid.rows;
        layout.frames = params.frames;
    } else {
        layout.columns = columns_of(params, moves);
        layout.rows = static_cast<std::uint32_t>(params.cameras.size());
        layout.frames = layout.columns * layout.rows;
    }
    layout.frame_width = layout.frame_height = params.size;
    layout.duration = orbit ? 0.0 : render::duration_of(scene, {clip, 0.0, params.layers});
    return layout;
}

FrameSequencePlan plan_sequence(const scene::SharedScene& scene, const SequenceParams& params,
                                scene::CandidateClips candidates)
{
    const auto shown = shown_motion(*scene, params, candidates);
    if (!params.cameras.empty()) return plan_views(scene, params, shown);
    if (!shown) return plan_turntable(scene, params, candidates);
    return plan_animation(scene, params, *shown, {.automatic = true}, params.frames);
}

} // namespace vitrine::server
