#include "server/services/rendering/image_service.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "server/services/catalog/append_user_clips.hpp"
#include "vk_renderer/camera/view_parser.hpp"

namespace vitrine::server {
namespace {

std::string motion_text(std::uint32_t clip, const scene::SharedLayers& layers)
{
    if (layers) return "[" + layers->key + "]";
    return clip == scene::none ? "-" : std::to_string(clip);
}

// Returns an empty text without a variant, so that the cache keys of such images do not change.
std::string variant_text(std::uint32_t variant)
{
    return variant == scene::none ? std::string() : fmt::format("variant={};", variant);
}

std::string camera_text(const render::Camera& camera)
{
    if (camera.automatic)
        return fmt::format("auto;fov={};ortho={}", camera.vertical_fov, camera.orthographic);
    auto text = fmt::format("yaw={};pitch={};fov={};ortho={}", camera.yaw, camera.pitch, camera.vertical_fov,
                            camera.orthographic);
    if (camera.distance) text += fmt::format(";distance={}", *camera.distance);
    if (camera.target)
        text += fmt::format(";target={},{},{}", camera.target->x, camera.target->y, camera.target->z);
    return text;
}

// Returns an empty text for a single model, so that the cache keys of such images do not change.
std::string instances_text(std::uint32_t crowd, const render::Ghosts& ghosts)
{
    std::string text;
    if (crowd > 1) text += fmt::format(";crowd={}", crowd);
    if (ghosts.count() > 0) text += ";ghosts=" + render::ghosts_text(ghosts);
    return text;
}

std::string overlays_text(const render::Overlays& overlays)
{
    std::string text = "overlays=";
    for (const auto& overlay : render::overlay_words)
        text += overlays.*overlay.flag ? '1' : '0';
    text += fmt::format("{};joint={}:{}", static_cast<int>(overlays.debug_view), overlays.joint.size(),
                        overlays.joint);
    for (const auto& joint : overlays.trail_joints)
        text += fmt::format(";trail={}:{}", joint.size(), joint);
    return text;
}

std::string view_text(const render::View& view)
{
    auto text = fmt::format("{}x{};{};light={};{}", view.width, view.height, camera_text(view.camera),
                            static_cast<int>(view.light), overlays_text(view.overlays));
    if (view.background)
        text += fmt::format(";background={},{},{},{}", view.background->x, view.background->y,
                            view.background->z, view.background->w);
    return text + instances_text(view.crowd, view.ghosts);
}

// Returns an empty text for the defaults, so that the cache keys of such sequences do not change.
std::string sheet_text(const SequenceParams& params)
{
    std::string text;
    for (const auto& camera : params.cameras)
        text += ";view=" + camera_text(camera);
    if (params.overlays != render::Overlays{}) text += ";" + overlays_text(params.overlays);
    if (params.quality != default_sequence_quality && params.format != render::ImageFormat::png)
        text += fmt::format(";quality={}", params.quality);
    return text;
}

// User clips change only their own images: those of the file's clips, and of none, keep their keys. Layers
// may play any clip.
const std::string& hash_of_images(const AssetRecord& asset, std::uint32_t clip,
                                  const scene::SharedLayers& layers = nullptr)
{
    return layers || is_user_clip(asset, clip) ? asset.content_hash : asset.source_hash;
}

} // namespace

std::string etag_of(const DerivedKey& key)
{
    return "\"" + key.digest().substr(0, 32) + "\"";
}

std::string RenderParams::canonical() const
{
    // The static pose has no time; PNG has no quality.
    const double pose_time = clip == scene::none && !layers ? 0.0 : time;
    const int level = format == render::ImageFormat::png ? 0 : quality;
    return fmt::format("{}clip={};time={};{};format={};quality={}", variant_text(variant),
                       motion_text(clip, layers), pose_time, view_text(view), static_cast<int>(format),
                       level);
}

std::string SequenceParams::canonical() const
{
    return fmt::format("{}kind={};clip={};frames={};size={};format={}{}", variant_text(variant),
                       static_cast<int>(kind), motion_text(clip, layers), frames, size,
                       static_cast<int>(format), instances_text(crowd, ghosts) + sheet_text(*this));
}

std::string ThumbnailParams::canonical() const
{
    auto text = variant_text(variant) + std::to_string(thumbnail_size(size));
    if (format != render::ImageFormat::webp) text += fmt::format(" {}", static_cast<int>(format));
    return text;
}

Result<void> check_params(const RenderParams& params, const ImageLimits& limits)
{
    const auto& view = params.view;
    if (view.width < 1 || view.width > limits.max_side)
        return reject_parameter("w", fmt::format("the width must be 1 to {} pixels", limits.max_side));
    if (view.height < 1 || view.height > limits.max_side)
        return reject_parameter("h", fmt::format("the height must be 1 to {} pixels", limits.max_side));
    if (std::uint64_t{view.width} * view.height > limits.max_pixels)
        return reject_parameter("w", fmt::format("an image must have at most {} pixels", limits.max_pixels));
    if (!std::isfinite(params.time)) return reject_parameter("t", "the time is not a number");
    if (params.quality < 1 || params.quality > 100)
        return reject_parameter("quality", "the quality must be 1 to 100");
    return {};
}

Result<void> check_params(const SequenceParams& params, const ImageLimits& limits)
{
    if (params.frames < 1 || params.frames > limits.max_frames)
        return reject_parameter("frames",
                                fmt::format("the number of frames must be 1 to {}", limits.max_frames));
    if (params.size < 1 || params.size > limits.max_side)
        return reject_parameter("size", fmt::format("the size must be 1 to {} pixels", limits.max_side));
    const auto frames = std::uint64_t{params.frames} * std::max<std::size_t>(params.cameras.size(), 1);
    if (frames > limits.max_frames)
        return reject_parameter(
            "view", fmt::format("all views together must have at most {} frames", limits.max_frames));
    if (std::uint64_t{params.size} * params.size * frames > limits.max_pixels)
        return reject_parameter(
            "size", fmt::format("all frames together must have at most {} pixels", limits.max_pixels));
    return {};
}

std::uint32_t thumbnail_size(std::uint32_t min_size)
{
    for (const std::uint32_t size : {64u, 128u, 256u, 384u, 512u})
        if (min_size <= size) return size;
    return 1024;
}

DerivedKey image_key(const AssetRecord& asset, const RenderParams& params)
{
    return {hash_of_images(asset, params.clip, params.layers), "render", params.canonical(), image_revision};
}

DerivedKey image_key(const AssetRecord& asset, const SequenceParams& params)
{
    return {hash_of_images(asset, params.clip, params.layers), "sequence", params.canonical(),
            image_revision};
}

DerivedKey image_key(const AssetRecord& asset, const ThumbnailParams& params)
{
    if (!asset.cover.empty()) // which may show a user clip
        return {asset.content_hash, "thumbnail", params.canonical() + ";cover=" + asset.cover,
                image_revision};
    return {hash_of_images(asset, scene::none), "thumbnail", params.canonical(), image_revision};
}

RenderParams thumbnail_still(const scene::Scene& scene, std::uint32_t size, scene::CandidateClips candidates)
{
    RenderParams params;
    const auto representative = scene::select_representative_pose(scene, candidates);
    params.clip = representative.clip;
    params.time = representative.time;
    params.view.width = params.view.height = size;
    params.view.camera.automatic = true;
    params.format = render::ImageFormat::webp;
    params.quality = 80;
    return params;
}

std::string ImageService::etag(const AssetRecord& asset, const RenderParams& params)
{
    return etag_of(image_key(asset, params));
}

std::string ImageService::etag(const AssetRecord& asset, const SequenceParams& params)
{
    return etag_of(image_key(asset, params));
}

std::string ImageService::pick_etag(const AssetRecord& asset, const RenderParams& params, render::Pixel pixel)
{
    return etag_of({hash_of_images(asset, params.clip, params.layers), "pick",
                    fmt::format("{},{};{}", pixel.x, pixel.y, params.canonical()), image_revision});
}

std::string ImageService::etag(const AssetRecord& asset, const ThumbnailParams& params)
{
    return etag_of(image_key(asset, params));
}

} // namespace vitrine::server
