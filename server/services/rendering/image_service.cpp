#include "server/services/rendering/image_service.hpp"

#include <algorithm>
#include <functional>
#include <thread>

#include "server/services/catalog/append_user_clips.hpp"
#include "server/services/rendering/cover_still.hpp"
#include "server/services/rendering/image_checks.hpp"
#include "server/services/rendering/image_sequences.hpp"
#include "server/services/rendering/rejected_images.hpp"
#include "server/services/rendering/render_result.hpp"
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

RenderPriority priority_of(const render::View& view)
{
    const bool is_large = std::uint64_t{view.width} * view.height > large_image_pixels;
    return is_large ? RenderPriority::batch : RenderPriority::image;
}

} // namespace

namespace {

Result<void> check_shown(const scene::Scene& scene, const RenderParams& params)
{
    if (auto valid = check_clip(scene, params.clip); !valid) return valid;
    if (auto valid = check_layers(scene, params.layers); !valid) return valid;
    if (auto valid = check_joints(scene, params.view.overlays); !valid) return valid;
    if (auto valid = check_instances(scene, params.view); !valid) return valid;
    return check_drawn(scene);
}

Result<void> check_shown(const scene::Scene& scene, const SequenceParams& params)
{
    if (auto valid = check_clip(scene, params.clip); !valid) return valid;
    if (auto valid = check_layers(scene, params.layers); !valid) return valid;
    const render::View view{
        .width = params.size, .height = params.size, .crowd = params.crowd, .ghosts = params.ghosts};
    if (auto valid = check_joints(scene, params.overlays); !valid) return valid;
    if (auto valid = check_instances(scene, view); !valid) return valid;
    if (auto valid = check_drawn(scene); !valid) return valid;
    return check_visible(scene);
}

template <class Params>
Result<void> check_image(SceneStore& scenes, const ImageLimits& limits, const AssetRecord& asset,
                         const Params& params)
{
    if (auto valid = check_params(params, limits); !valid) return valid;
    const auto scene = scenes.load_variant(asset, params.variant);
    if (!scene) return std::unexpected(scene.error());
    return check_shown(**scene, params);
}

} // namespace

struct ImageService::State {
    SceneStore& scenes;
    DerivedCache& derived;
    RenderPool& renders;
    ImageLimits limits;
    SingleFlight<Result<SharedBytes>> flights{};
    RejectedImages rejected{};
    // Frames for which the queue has no space are encoded by the waiting thread.
    WorkPool encoders{std::max(std::thread::hardware_concurrency(), 1u), 1024};

    template <class Params, class Make>
    Result<SharedBytes> find_or_render(const AssetRecord& asset, const Params& params, Make make);
    Result<std::vector<std::byte>> render_still(const SharedScene& scene, const RenderParams& params,
                                                const RenderRequest& request);
    Result<std::vector<std::byte>> render_sequence(const SharedScene& scene, const SequenceParams& params,
                                                   scene::CandidateClips candidates,
                                                   const RenderRequest& request);
    Result<RenderedImage> webp_thumbnail(const AssetRecord& asset, const ThumbnailParams& params); // WebP
    Result<SharedScene> scene_of_cover(const AssetRecord& asset, const ThumbnailParams& params,
                                       const RenderParams& still, const SharedScene& scene);
};

// Returns the image from the cache, or from one call of `make(scene)` for all concurrent requests.
template <class Params, class Make>
Result<SharedBytes> ImageService::State::find_or_render(const AssetRecord& asset, const Params& params,
                                                        Make make)
{
    const auto key = image_key(asset, params);
    const auto find = [&]() -> SharedBytes {
        auto found = derived.find(key);
        return found ? std::make_shared<const std::vector<std::byte>>(std::move(*found)) : nullptr;
    };
    if (auto found = find()) return found;
    const auto digest = key.digest();
    if (auto error = rejected.find(asset, params, digest, Clock::now()))
        return std::unexpected(std::move(*error));
    return flights.run(digest, [&]() -> Result<SharedBytes> {
        if (derived.contains(key)) // stored since, by a call that has just ended
            if (auto found = find()) return found;
        auto scene = scenes.load_variant(asset, params.variant);
        if (!scene) return std::unexpected(scene.error());
        auto rendered = make(*scene);
        if (!rendered) {
            rejected.add(asset, params, digest, rendered.error(), Clock::now());
            return std::unexpected(rendered.error());
        }
        if (!asset.posted) derived.store(key, *rendered);
        return std::make_shared<const std::vector<std::byte>>(std::move(*rendered));
    });
}

Result<std::vector<std::byte>> ImageService::State::render_still(const SharedScene& scene,
                                                                 const RenderParams& params,
                                                                 const RenderRequest& request)
{
    if (auto valid = check_shown(*scene, params); !valid) return std::unexpected(valid.error());
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
    if (auto valid = check_shown(*scene, params); !valid) return std::unexpected(valid.error());
    const auto plan = plan_sequence(scene, params, candidates);
    if (params.kind == sprite) {
        std::vector<Frame> frames;
        auto drawn = render_frame_sequence(renders, plan.frame_requests, request,
                                           [&](Frame frame) { frames.push_back(std::move(frame)); });
        if (!drawn) return std::unexpected(drawn.error());
        const auto columns = layout_of(*scene, params, candidates).columns;
        return render::encode(render::compose_sheet(frames, columns), params.format,
                              {.quality = params.quality});
    }
    render::AnimationEncoder encoder({.quality = 70, .frames_per_second = plan.frames_per_second()},
                                     [&](auto task) { return encoders.post(std::move(task)); });
    auto drawn = render_frame_sequence(renders, plan.frame_requests, request,
                                       [&](Frame frame) { encoder.add(std::move(frame)); });
    if (!drawn) return std::unexpected(drawn.error());
    return encoder.finish();
}

// A variant of the request takes precedence over that of the cover.
Result<SharedScene> ImageService::State::scene_of_cover(const AssetRecord& asset,
                                                        const ThumbnailParams& params,
                                                        const RenderParams& still, const SharedScene& scene)
{
    if (params.variant != scene::none || still.variant == scene::none) return scene;
    return scenes.load_variant(asset, still.variant);
}

Result<RenderedImage> ImageService::State::webp_thumbnail(const AssetRecord& asset,
                                                          const ThumbnailParams& params)
{
    auto bytes =
        find_or_render(asset, params, [&](const SharedScene& scene) -> Result<std::vector<std::byte>> {
            if (auto valid = check_visible(*scene); !valid) return std::unexpected(valid.error());
            const auto still = cover_still(*scene, asset, params.size);
            const auto shown = scene_of_cover(asset, params, still, scene);
            if (!shown) return std::unexpected(shown.error());
            return render_still(*shown, still, {RenderPriority::image, asset.content_hash});
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
    auto bytes = state_->find_or_render(asset, params, [&](const SharedScene& scene) {
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
    auto still = cover_still(**scene, asset, params.size);
    if (params.variant != scene::none) still.variant = params.variant;
    still.format = params.format;
    return render(asset, still);
}

Result<RenderedImage> ImageService::sequence(const AssetRecord& asset, const SequenceParams& params)
{
    if (auto valid = check_params(params, state_->limits); !valid) return std::unexpected(valid.error());
    auto bytes = state_->find_or_render(asset, params, [&](const SharedScene& scene) {
        return state_->render_sequence(scene, params, file_clips(*scene, asset),
                                       {RenderPriority::batch, asset.content_hash});
    });
    if (!bytes) return std::unexpected(bytes.error());
    const bool sheet = params.kind == SequenceParams::Kind::sprite;
    return RenderedImage{std::move(*bytes), std::string(sheet ? content_type(params.format) : "image/webp"),
                         etag(asset, params)};
}

Result<void> ImageService::check(const AssetRecord& asset, const RenderParams& params)
{
    return check_image(state_->scenes, state_->limits, asset, params);
}

Result<void> ImageService::check(const AssetRecord& asset, const SequenceParams& params)
{
    return check_image(state_->scenes, state_->limits, asset, params);
}

Result<std::optional<scene::Hit>> ImageService::pick(const AssetRecord& asset, const RenderParams& params,
                                                     render::Pixel pixel)
{
    if (auto valid = check_params(params, state_->limits); !valid) return std::unexpected(valid.error());
    if (pixel.x >= params.view.width) return reject_parameter("x", "the pixel is outside the image");
    if (pixel.y >= params.view.height) return reject_parameter("y", "the pixel is outside the image");
    auto scene = state_->scenes.load_variant(asset, params.variant);
    if (!scene) return std::unexpected(scene.error());
    if (auto valid = check_shown(**scene, params); !valid) return std::unexpected(valid.error());
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
