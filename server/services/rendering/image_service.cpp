#include "server/services/rendering/image_service.hpp"

#include <algorithm>
#include <functional>
#include <thread>

#include "server/services/catalog/append_user_clips.hpp"
#include "server/services/rendering/image_checks.hpp"
#include "server/services/rendering/remembered_errors.hpp"
#include "server/services/rendering/render_result.hpp"
#include "server/services/rendering/sequence_plan.hpp"
#include "server/util/shared_bytes.hpp"
#include "server/util/single_flight.hpp"
#include "server/util/work_pool.hpp"
#include "vk_renderer/camera/best_view.hpp"
#include "vk_renderer/camera/view_parser.hpp"
#include "vk_renderer/encode/animation.hpp"
#include "vk_renderer/encode/sheet.hpp"

namespace vitrine::server {
namespace {

using render::Frame;
using render::FrameRequest;
using render::ImageFormat;
using Clock = std::chrono::steady_clock;

std::string_view content_type(ImageFormat format)
{
    constexpr std::string_view types[] = {"image/png", "image/jpeg", "image/webp"};
    return types[static_cast<std::size_t>(format)];
}

scene::CandidateClips file_clips(const scene::Scene& scene, const AssetRecord& asset)
{
    return {count_file_clips(scene, asset)};
}

// `layers` may be null.
bool is_moving(const scene::Scene& scene, const scene::SharedLayers& layers)
{
    return layers && scene::duration_of(scene, *layers) > 0.0;
}

SpriteLayout layout_of(const scene::Scene& scene, const SequenceParams& params,
                       scene::CandidateClips candidates)
{
    const auto clip = params.clip != scene::none || params.layers
                          ? params.clip
                          : scene::find_representative_motion(scene, candidates).clip;
    const bool moves = clip != scene::none || is_moving(scene, params.layers);
    const bool orbit = !moves || params.kind == SequenceParams::Kind::turntable;
    SpriteLayout layout;
    layout.frames = params.frames;
    const auto grid = render::sheet_grid(params.frames);
    layout.columns = grid.columns;
    layout.rows = grid.rows;
    layout.frame_width = layout.frame_height = params.size;
    layout.duration = orbit ? 0.0 : render::duration_of(scene, {clip, 0.0, params.layers});
    return layout;
}

RenderPriority priority_of(const render::View& view)
{
    const bool is_large = std::uint64_t{view.width} * view.height > large_image_pixels;
    return is_large ? RenderPriority::batch : RenderPriority::image;
}

// An orbit around the pose of the thumbnail, or the start of the selected clip.
FrameSequencePlan plan_turntable(const SharedScene& scene, const SequenceParams& params,
                                 scene::CandidateClips candidates)
{
    const auto thumbnail = thumbnail_still(*scene, params.size, candidates);
    const bool posed = params.clip != scene::none || params.layers;
    const auto clip_time = posed ? render::ClipTime{params.clip, 0.0, params.layers} : thumbnail.clip_time();
    return plan_orbit(scene, thumbnail.view, clip_time, params.frames);
}

// `shown`: the pose that the camera is chosen for.
FrameSequencePlan plan_animation(const SharedScene& scene, const SequenceParams& params,
                                 const render::ClipTime& shown)
{
    render::View view{.width = params.size, .height = params.size};
    view.camera.automatic = true;
    return plan_clip(scene, view, shown, params.frames);
}

// The motion of a sequence at the pose that its camera is chosen for; empty: an orbit around a static pose.
std::optional<render::ClipTime> shown_motion(const scene::Scene& scene, const SequenceParams& params,
                                             scene::CandidateClips candidates)
{
    if (params.kind == SequenceParams::Kind::turntable) return std::nullopt;
    if (params.layers && !is_moving(scene, params.layers)) return std::nullopt;
    const bool chosen = params.clip != scene::none;
    if (params.layers && !chosen) return render::ClipTime{scene::none, 0.0, params.layers};
    const auto pose = chosen ? scene::find_representative_pose(scene, params.clip)
                             : scene::find_representative_motion(scene, candidates);
    if (pose.clip == scene::none) return std::nullopt;
    return render::ClipTime{pose.clip, pose.time, params.layers};
}

} // namespace

struct ImageService::State {
    SceneStore& scenes;
    DerivedCache& derived;
    RenderPool& renders;
    ImageLimits limits;
    SingleFlight<Result<SharedBytes>> flights{};
    RememberedErrors rejected{4'096, std::chrono::minutes(10)}; // by DerivedKey::digest()
    // Frames for which the queue has no space are encoded by the waiting thread.
    WorkPool encoders{std::max(std::thread::hardware_concurrency(), 1u), 1024};

    template <class Make>
    Result<SharedBytes> find_or_render(const DerivedKey& key, const AssetRecord& asset, std::uint32_t variant,
                                       Make make);
    Result<void> render_frames(std::span<const FrameRequest> frame_requests, const RenderRequest& request,
                               const std::function<void(Frame)>& take);
    Result<std::vector<std::byte>> render_still(const SharedScene& scene, const RenderParams& params,
                                                const RenderRequest& request);
    Result<std::vector<std::byte>> render_sequence(const SharedScene& scene, const SequenceParams& params,
                                                   scene::CandidateClips candidates,
                                                   const RenderRequest& request);
    Result<RenderedImage> webp_thumbnail(const AssetRecord& asset, const ThumbnailParams& params); // WebP
};

// Returns the image from the cache, or from one call of `make(scene)` for all concurrent requests.
template <class Make>
Result<SharedBytes> ImageService::State::find_or_render(const DerivedKey& key, const AssetRecord& asset,
                                                        std::uint32_t variant, Make make)
{
    const auto find = [&]() -> SharedBytes {
        auto found = derived.find(key);
        return found ? std::make_shared<const std::vector<std::byte>>(std::move(*found)) : nullptr;
    };
    if (auto found = find()) return found;
    const auto digest = key.digest();
    if (auto error = rejected.find(digest, Clock::now())) return std::unexpected(std::move(*error));
    return flights.run(digest, [&]() -> Result<SharedBytes> {
        if (derived.contains(key)) // stored since, by a call that has just ended
            if (auto found = find()) return found;
        auto scene = scenes.load_variant(asset, variant);
        if (!scene) return std::unexpected(scene.error());
        auto rendered = make(*scene);
        if (!rendered) {
            if (rendered.error().code == "too_large_for_device")
                rejected.add(digest, rendered.error(), Clock::now());
            return std::unexpected(rendered.error());
        }
        derived.store(key, *rendered);
        return std::make_shared<const std::vector<std::byte>>(std::move(*rendered));
    });
}

Result<void> ImageService::State::render_frames(std::span<const FrameRequest> frame_requests,
                                                const RenderRequest& request,
                                                const std::function<void(Frame)>& take)
{
    if (auto valid = check_drawn(*frame_requests.front().scene); !valid)
        return std::unexpected(valid.error());
    if (auto valid = check_visible(*frame_requests.front().scene); !valid)
        return std::unexpected(valid.error());
    return render_frame_sequence(renders, frame_requests, request, take);
}

Result<std::vector<std::byte>> ImageService::State::render_still(const SharedScene& scene,
                                                                 const RenderParams& params,
                                                                 const RenderRequest& request)
{
    if (auto valid = check_clip(*scene, params.clip); !valid) return std::unexpected(valid.error());
    if (auto valid = check_layers(*scene, params.layers); !valid) return std::unexpected(valid.error());
    if (auto valid = check_joint(*scene, params.view.overlays.joint); !valid)
        return std::unexpected(valid.error());
    if (auto valid = check_drawn(*scene); !valid) return std::unexpected(valid.error());
    const auto clip_time = params.clip_time();
    auto frame = await_result(renders.request_frame(
        request, {scene, render::with_best_view(*scene, params.view, clip_time), clip_time}));
    if (!frame) return std::unexpected(frame.error());
    return render::encode(*frame, params.format, {.quality = params.quality});
}

Result<std::vector<std::byte>> ImageService::State::render_sequence(const SharedScene& scene,
                                                                    const SequenceParams& params,
                                                                    scene::CandidateClips candidates,
                                                                    const RenderRequest& request)
{
    using enum SequenceParams::Kind;
    if (auto valid = check_clip(*scene, params.clip); !valid) return std::unexpected(valid.error());
    if (auto valid = check_layers(*scene, params.layers); !valid) return std::unexpected(valid.error());
    const auto shown = shown_motion(*scene, params, candidates);
    const auto plan =
        shown ? plan_animation(scene, params, *shown) : plan_turntable(scene, params, candidates);
    if (params.kind == sprite) {
        std::vector<Frame> frames;
        auto drawn = render_frames(plan.frame_requests, request,
                                   [&](Frame frame) { frames.push_back(std::move(frame)); });
        if (!drawn) return std::unexpected(drawn.error());
        return render::encode(render::compose_sheet(frames), params.format, {.quality = 75});
    }
    render::AnimationEncoder encoder({.quality = 70, .frames_per_second = plan.frames_per_second()},
                                     [&](auto task) { return encoders.post(std::move(task)); });
    auto drawn =
        render_frames(plan.frame_requests, request, [&](Frame frame) { encoder.add(std::move(frame)); });
    if (!drawn) return std::unexpected(drawn.error());
    return encoder.finish();
}

Result<RenderedImage> ImageService::State::webp_thumbnail(const AssetRecord& asset,
                                                          const ThumbnailParams& params)
{
    auto bytes = find_or_render(
        image_key(asset, params), asset, params.variant,
        [&](const SharedScene& scene) -> Result<std::vector<std::byte>> {
            if (auto valid = check_visible(*scene); !valid) return std::unexpected(valid.error());
            return render_still(scene, thumbnail_still(*scene, params.size, file_clips(*scene, asset)),
                                {RenderPriority::image, asset.content_hash});
        });
    if (!bytes) return std::unexpected(bytes.error());
    return RenderedImage{std::move(*bytes), "image/webp", etag(asset, params)};
}

ImageService::ImageService(SceneStore& scenes, DerivedCache& derived, RenderPool& renders,
                           const ImageLimits& limits)
    : state_(new State{.scenes = scenes, .derived = derived, .renders = renders, .limits = limits})
{
}

ImageService::~ImageService() = default;

Result<RenderedImage> ImageService::render(const AssetRecord& asset, const RenderParams& params)
{
    if (auto valid = check_params(params, state_->limits); !valid) return std::unexpected(valid.error());
    auto bytes = state_->find_or_render(
        image_key(asset, params), asset, params.variant, [&](const SharedScene& scene) {
            return state_->render_still(scene, params, {priority_of(params.view), asset.content_hash});
        });
    if (!bytes) return std::unexpected(bytes.error());
    return RenderedImage{std::move(*bytes), std::string(content_type(params.format)), etag(asset, params)};
}

Result<RenderedImage> ImageService::thumbnail(const AssetRecord& asset, const ThumbnailParams& params)
{
    auto rounded = params;
    rounded.size = thumbnail_size(params.size);
    return params.format == ImageFormat::webp ? state_->webp_thumbnail(asset, rounded)
                                              : thumbnail_in_format(asset, rounded);
}

Result<RenderedImage> ImageService::thumbnail_in_format(const AssetRecord& asset,
                                                        const ThumbnailParams& params)
{
    const auto scene = state_->scenes.load_variant(asset, params.variant);
    if (!scene) return std::unexpected(scene.error());
    auto still = thumbnail_still(**scene, params.size, file_clips(**scene, asset));
    still.variant = params.variant;
    still.format = params.format;
    return render(asset, still);
}

Result<RenderedImage> ImageService::sequence(const AssetRecord& asset, const SequenceParams& params)
{
    if (auto valid = check_params(params, state_->limits); !valid) return std::unexpected(valid.error());
    auto bytes = state_->find_or_render(
        image_key(asset, params), asset, params.variant, [&](const SharedScene& scene) {
            return state_->render_sequence(scene, params, file_clips(*scene, asset),
                                           {RenderPriority::batch, asset.content_hash});
        });
    if (!bytes) return std::unexpected(bytes.error());
    const bool sheet = params.kind == SequenceParams::Kind::sprite;
    return RenderedImage{std::move(*bytes), std::string(sheet ? content_type(params.format) : "image/webp"),
                         etag(asset, params)};
}

Result<std::optional<scene::Hit>> ImageService::pick(const AssetRecord& asset, const RenderParams& params,
                                                     render::Pixel pixel)
{
    if (auto valid = check_params(params, state_->limits); !valid) return std::unexpected(valid.error());
    if (pixel.x >= params.view.width) return reject_parameter("x", "the pixel is outside the image");
    if (pixel.y >= params.view.height) return reject_parameter("y", "the pixel is outside the image");
    auto scene = state_->scenes.load_variant(asset, params.variant);
    if (!scene) return std::unexpected(scene.error());
    if (auto valid = check_clip(**scene, params.clip); !valid) return std::unexpected(valid.error());
    if (auto valid = check_layers(**scene, params.layers); !valid) return std::unexpected(valid.error());
    if (auto valid = check_joint(**scene, params.view.overlays.joint); !valid)
        return std::unexpected(valid.error());
    if (auto valid = check_drawn(**scene); !valid) return std::unexpected(valid.error());
    const auto clip_time = params.clip_time();
    return await_result(state_->renders.submit(
        {RenderPriority::image, asset.content_hash},
        [scene = *scene, view = render::with_best_view(**scene, params.view, clip_time), clip_time,
         pixel](RenderDevice& device) { return device.pick(scene, view, clip_time, pixel.x, pixel.y); }));
}

Result<SpriteLayout> ImageService::sprite_layout(const AssetRecord& asset, const SequenceParams& params)
{
    if (auto valid = check_params(params, state_->limits); !valid) return std::unexpected(valid.error());
    auto scene = state_->scenes.load_variant(asset, params.variant);
    if (!scene) return std::unexpected(scene.error());
    if (auto valid = check_clip(**scene, params.clip); !valid) return std::unexpected(valid.error());
    if (auto valid = check_layers(**scene, params.layers); !valid) return std::unexpected(valid.error());
    return layout_of(**scene, params, file_clips(**scene, asset));
}

} // namespace vitrine::server
