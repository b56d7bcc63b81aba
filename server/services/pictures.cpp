#include "server/services/pictures.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "loaders/scene/telling.hpp"
#include "server/util/single_flight.hpp"
#include "vk_renderer/encode/animation.hpp"
#include "vk_renderer/view_words.hpp"

namespace vitrine::server {
namespace {

using render::Frame;
using render::ImageFormat;
using render::Moment;

// Frames of one submission: what interactive work may have to wait for.
constexpr std::size_t frames_at_once = 16;

std::string_view content_type(ImageFormat format)
{
    constexpr std::string_view types[] = {"image/png", "image/jpeg", "image/webp"};
    return types[static_cast<std::size_t>(format)];
}

std::unexpected<ServiceError> invalid(std::string_view where, std::string detail)
{
    return std::unexpected(
        ServiceError{Errc::invalid, "bad_parameter", std::string(where), std::move(detail)});
}

std::unexpected<ServiceError> unavailable(std::string_view why)
{
    return refuse(Errc::unavailable, "not_drawn", std::string(why), 5);
}

// Against the Scene: the asset's count leaves out clips without a key.
Result<void> check_clip(const scene::Scene& scene, std::uint32_t clip)
{
    if (clip == scene::none || clip < scene.clips.size()) return {};
    return invalid("clip", fmt::format("there is no clip {}; the asset has {}", clip, scene.clips.size()));
}

SpriteLayout layout_of(const scene::Scene& scene, const MotionParams& params)
{
    const auto clip = params.clip != scene::none ? params.clip : scene::first_moving_clip(scene);
    const bool orbit = clip == scene::none || params.kind == MotionParams::Kind::turntable;
    SpriteLayout layout;
    layout.frames = params.frames;
    layout.columns = static_cast<std::uint32_t>(std::ceil(std::sqrt(static_cast<double>(params.frames))));
    layout.rows = (params.frames + layout.columns - 1) / layout.columns;
    layout.frame_width = layout.frame_height = params.size;
    layout.duration = orbit ? 0.0 : scene.clips[clip].duration;
    return layout;
}

// Frames in rows, left to right, top to bottom; what is left over stays transparent.
Frame tile(const std::vector<Frame>& frames, const SpriteLayout& layout)
{
    Frame sheet;
    sheet.width = layout.columns * layout.frame_width;
    sheet.height = layout.rows * layout.frame_height;
    sheet.pixels.resize(std::size_t{4} * sheet.width * sheet.height);
    const std::size_t row_bytes = std::size_t{4} * layout.frame_width;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const std::size_t left = i % layout.columns * row_bytes;
        const std::size_t top = i / layout.columns * layout.frame_height;
        for (std::size_t y = 0; y < layout.frame_height; ++y)
            std::memcpy(sheet.pixels.data() + (top + y) * 4 * sheet.width + left,
                        frames[i].pixels.data() + y * row_bytes, row_bytes);
    }
    return sheet;
}

using SharedBytes = std::shared_ptr<const std::vector<std::byte>>;

} // namespace

struct Pictures::State {
    SceneStore& scenes;
    DerivedCache& derived;
    RenderThread& renders;
    PictureLimits limits;
    SingleFlight<Result<SharedBytes>> flights;

    Result<void> check(const RenderParams& params) const;
    Result<void> check(const MotionParams& params) const;
    template <class Make>
    Result<SharedBytes> cached(const DerivedKey& key, const AssetRecord& asset, Make make);
    Result<std::vector<Frame>> draw(const SharedScene& scene, const render::View& view,
                                    std::vector<Moment> moments, RenderPriority priority);
    Result<std::vector<Frame>> draw_clip(const SharedScene& scene, const MotionParams& params,
                                         std::uint32_t clip, RenderPriority priority);
    Result<std::vector<Frame>> draw_orbit(const SharedScene& scene, const MotionParams& params,
                                          RenderPriority priority);
    Result<std::vector<std::byte>> make_still(const SharedScene& scene, const RenderParams& params,
                                              RenderPriority priority);
    Result<std::vector<std::byte>> make_motion(const SharedScene& scene, const MotionParams& params,
                                               RenderPriority priority);
};

Result<void> Pictures::State::check(const RenderParams& params) const
{
    const auto& view = params.view;
    if (view.width < 1 || view.width > limits.side)
        return invalid("w", fmt::format("the width is 1 to {} pixels", limits.side));
    if (view.height < 1 || view.height > limits.side)
        return invalid("h", fmt::format("the height is 1 to {} pixels", limits.side));
    if (std::uint64_t{view.width} * view.height > limits.pixels)
        return invalid("w", fmt::format("a picture has at most {} pixels", limits.pixels));
    if (!std::isfinite(params.time)) return invalid("t", "the time is not a number");
    if (params.quality < 1 || params.quality > 100) return invalid("quality", "the quality is 1 to 100");
    return {};
}

Result<void> Pictures::State::check(const MotionParams& params) const
{
    if (params.frames < 1 || params.frames > limits.frames)
        return invalid("frames", fmt::format("there are 1 to {} frames", limits.frames));
    if (params.size < 1 || params.size > limits.side)
        return invalid("size", fmt::format("the size is 1 to {} pixels", limits.side));
    if (std::uint64_t{params.size} * params.size * params.frames > limits.pixels)
        return invalid("size", fmt::format("all frames have at most {} pixels", limits.pixels));
    return {};
}

// From the cache, or `make(scene)` once for all who ask meanwhile.
template <class Make>
Result<SharedBytes> Pictures::State::cached(const DerivedKey& key, const AssetRecord& asset, Make make)
{
    if (auto found = derived.find(key))
        return std::make_shared<const std::vector<std::byte>>(std::move(*found));
    return flights.run(key.digest(), [&]() -> Result<SharedBytes> {
        auto scene = scenes.find(asset);
        if (!scene) return std::unexpected(scene.error());
        auto made = make(*scene);
        if (!made) return std::unexpected(made.error());
        derived.store(key, *made);
        return std::make_shared<const std::vector<std::byte>>(std::move(*made));
    });
}

Result<std::vector<Frame>> Pictures::State::draw(const SharedScene& scene, const render::View& view,
                                                 std::vector<Moment> moments, RenderPriority priority)
{
    if (!scene::draws_anything(*scene))
        return refuse(Errc::unprocessable, "nothing_to_show", "the asset has no visible mesh to draw");
    auto future = renders.submit(priority, [scene, view, moments = std::move(moments)](RenderDevice& device) {
        return device.render(scene, view, moments);
    });
    if (!future) return std::unexpected(future.error());
    if (future->wait_for(render_patience) != std::future_status::ready)
        return unavailable("the renderer does not answer");
    try {
        return future->get();
    } catch (const render::RenderError& error) {
        return unavailable(error.what());
    } catch (const render::DeviceLost& error) {
        return unavailable(error.what());
    }
}

Result<std::vector<Frame>> Pictures::State::draw_clip(const SharedScene& scene, const MotionParams& params,
                                                      std::uint32_t clip, RenderPriority priority)
{
    render::View view;
    view.width = view.height = params.size;
    view.camera = render::find_named_view("three-quarter").value();
    std::vector<Frame> frames;
    while (frames.size() < params.frames) { // the last frame is one step before the first: it loops
        std::vector<Moment> moments;
        for (auto i = frames.size(); i < params.frames && moments.size() < frames_at_once; ++i)
            moments.push_back({clip, scene->clips[clip].duration * static_cast<double>(i) / params.frames});
        auto drawn = draw(scene, view, std::move(moments), priority);
        if (!drawn) return drawn;
        std::ranges::move(*drawn, std::back_inserter(frames));
    }
    return frames;
}

Result<std::vector<Frame>> Pictures::State::draw_orbit(const SharedScene& scene, const MotionParams& params,
                                                       RenderPriority priority)
{
    const auto still = thumbnail_params(*scene, params.size);
    const bool posed = params.clip != scene::none;
    const Moment moment{posed ? params.clip : still.clip, posed ? 0.0 : still.time};
    std::vector<Frame> frames;
    for (std::uint32_t i = 0; i < params.frames; ++i) {
        auto view = still.view;
        view.camera.yaw += 360.0f * static_cast<float>(i) / static_cast<float>(params.frames);
        auto drawn = draw(scene, view, {moment}, priority);
        if (!drawn) return drawn;
        frames.push_back(std::move(drawn->front()));
    }
    return frames;
}

Result<std::vector<std::byte>>
Pictures::State::make_still(const SharedScene& scene, const RenderParams& params, RenderPriority priority)
{
    if (auto valid = check_clip(*scene, params.clip); !valid) return std::unexpected(valid.error());
    auto frames = draw(scene, params.view, {{params.clip, params.time}}, priority);
    if (!frames) return std::unexpected(frames.error());
    return render::encode(frames->front(), params.format, {.quality = params.quality});
}

Result<std::vector<std::byte>>
Pictures::State::make_motion(const SharedScene& scene, const MotionParams& params, RenderPriority priority)
{
    using enum MotionParams::Kind;
    if (auto valid = check_clip(*scene, params.clip); !valid) return std::unexpected(valid.error());
    const auto clip = params.clip != scene::none ? params.clip : scene::first_moving_clip(*scene);
    const bool orbit = params.kind == turntable || clip == scene::none;
    auto frames = orbit ? draw_orbit(scene, params, priority) : draw_clip(scene, params, clip, priority);
    if (!frames) return std::unexpected(frames.error());
    if (params.kind == sprite)
        return render::encode(tile(*frames, layout_of(*scene, params)), params.format, {.quality = 75});
    const double duration = orbit ? 4.0 : std::max(scene->clips[clip].duration, 0.1); // seconds
    render::AnimationEncoder encoder({.quality = 70, .frames_per_second = params.frames / duration});
    for (auto& frame : *frames)
        encoder.add(std::move(frame));
    return encoder.finish();
}

Pictures::Pictures(SceneStore& scenes, DerivedCache& derived, RenderThread& renders,
                   const PictureLimits& limits)
    : state_(new State{scenes, derived, renders, limits, {}})
{
}

Pictures::~Pictures() = default;

Result<Picture> Pictures::render(const AssetRecord& asset, const RenderParams& params,
                                 RenderPriority priority)
{
    if (auto valid = state_->check(params); !valid) return std::unexpected(valid.error());
    const DerivedKey key{asset.source, "render", params.canonical(), picture_revision};
    auto bytes = state_->cached(
        key, asset, [&](const SharedScene& scene) { return state_->make_still(scene, params, priority); });
    if (!bytes) return std::unexpected(bytes.error());
    return Picture{std::move(*bytes), std::string(content_type(params.format)), etag(asset, params)};
}

Result<Picture> Pictures::thumbnail(const AssetRecord& asset, std::uint32_t size, RenderPriority priority)
{
    size = thumbnail_size(size);
    const DerivedKey key{asset.source, "thumbnail", std::to_string(size), picture_revision};
    auto bytes = state_->cached(key, asset, [&](const SharedScene& scene) {
        return state_->make_still(scene, thumbnail_params(*scene, size), priority);
    });
    if (!bytes && bytes.error().code == "not_imported") bytes.error().kind = Errc::not_ready;
    if (!bytes) return std::unexpected(bytes.error());
    return Picture{std::move(*bytes), "image/webp", thumbnail_etag(asset, size)};
}

Result<Picture> Pictures::motion(const AssetRecord& asset, const MotionParams& params,
                                 RenderPriority priority)
{
    if (auto valid = state_->check(params); !valid) return std::unexpected(valid.error());
    const DerivedKey key{asset.source, "motion", params.canonical(), picture_revision};
    auto bytes = state_->cached(
        key, asset, [&](const SharedScene& scene) { return state_->make_motion(scene, params, priority); });
    if (!bytes) return std::unexpected(bytes.error());
    const bool sheet = params.kind == MotionParams::Kind::sprite;
    return Picture{std::move(*bytes), std::string(sheet ? content_type(params.format) : "image/webp"),
                   etag(asset, params)};
}

Result<SpriteLayout> Pictures::sprite_layout(const AssetRecord& asset, const MotionParams& params)
{
    if (auto valid = state_->check(params); !valid) return std::unexpected(valid.error());
    auto scene = state_->scenes.find(asset);
    if (!scene) return std::unexpected(scene.error());
    if (auto valid = check_clip(**scene, params.clip); !valid) return std::unexpected(valid.error());
    return layout_of(**scene, params);
}

} // namespace vitrine::server
