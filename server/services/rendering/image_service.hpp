#pragma once
// Images of assets by parameters: rendered once, stored in the derived cache, shared by equal concurrent
// requests. The etag is known without rendering. Any thread, blocking (not the I/O threads, not the render
// thread).

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "loaders/scene/hit.hpp"
#include "loaders/scene/preview/representative_pose.hpp"
#include "server/services/rendering/render_pool.hpp"
#include "server/services/storage/derived_cache.hpp"
#include "server/services/storage/scene_store.hpp"
#include "vk_renderer/base/view.hpp"
#include "vk_renderer/encode/encode.hpp"

namespace vitrine::server {

// Incremented whenever equal parameters render a different image; the "renderer revision" of immutable URLs.
inline constexpr std::uint32_t image_revision = 34;

// Returns whether the loader process has found that an image would show nothing of the model: no thumbnail
// then.
bool renders_blank(const scene::Scene& scene);

struct RenderParams {
    std::uint32_t clip = scene::none;    // index; none: the static pose
    double time = 0.0;                   // seconds from the clip's start
    scene::SharedLayers layers{};        // evaluated instead of the clip
    std::uint32_t variant = scene::none; // material variant; none: the primitives' own materials
    render::View view{};                 // includes width and height; framing is empty
    render::ImageFormat format = render::ImageFormat::png;
    int quality = 85; // jpeg, webp
    // Returns one text for all spellings of the same parameters; the cache key.
    std::string canonical() const;
    render::ClipTime clip_time() const { return {clip, time, layers}; }
};

inline constexpr int default_sequence_quality = 75;

// A frame sequence, of a clip or an orbit, as a sprite sheet or an animated WebP.
struct SequenceParams {
    enum class Kind : std::uint8_t { sprite, animation, turntable };
    Kind kind = Kind::sprite;
    std::uint32_t clip = scene::none; // none: the representative clip, else an orbit around the static pose
    scene::SharedLayers layers{};     // evaluated instead of the clip
    std::uint32_t variant = scene::none; // material variant
    std::uint32_t frames = 16;
    std::uint32_t size = 192;                               // width and height of a frame, pixels
    render::ImageFormat format = render::ImageFormat::webp; // format of a sprite sheet
    // Of a sprite sheet: one row of frames for each camera. Empty: one automatic camera, and rows of equal
    // length.
    std::vector<render::Camera> cameras{};
    render::Overlays overlays{};
    int quality = default_sequence_quality; // of a sprite sheet in JPEG or WebP
    std::uint32_t crowd = 1;                // see render::View
    render::Ghosts ghosts{};
    std::string canonical() const;
};

// The image of an asset in lists: a suitable view, at a representative time of the representative clip.
struct ThumbnailParams {
    std::uint32_t size = 256;            // pixels, rounded up by thumbnail_size()
    std::uint32_t variant = scene::none; // material variant
    render::ImageFormat format = render::ImageFormat::webp;
    std::string canonical() const;
};

struct SpriteLayout {
    std::uint32_t frames = 0;
    std::uint32_t columns = 0;
    std::uint32_t rows = 0;
    std::uint32_t frame_width = 0;
    std::uint32_t frame_height = 0;
    double duration = 0.0; // seconds of the clip; 0 for an orbit
};

struct RenderedImage {
    std::shared_ptr<const std::vector<std::byte>> bytes;
    std::string content_type; // "image/png"
    std::string etag;         // strong, with quotes
};

struct ImageLimits {
    std::uint32_t max_side = 4096; // width and height
    std::uint32_t max_frames = 120;
    std::uint64_t max_pixels = 64'000'000; // of all frames of one image
};

// Images with more pixels are made after those that somebody looks at: their pool and their priority differ.
inline constexpr std::uint64_t large_image_pixels = 2048 * 1024;

// Errors: invalid; "where" is the parameter.
Result<void> check_params(const RenderParams& params, const ImageLimits& limits);
Result<void> check_params(const SequenceParams& params, const ImageLimits& limits);

// Returns the key of an image in the derived cache. It depends on the asset's user clips only if the image
// shows one: by default images show a clip of the file.
DerivedKey image_key(const AssetRecord& asset, const RenderParams& params);
DerivedKey image_key(const AssetRecord& asset, const SequenceParams& params);
DerivedKey image_key(const AssetRecord& asset, const ThumbnailParams& params);
// Returns the strong entity tag of the image, with quotes.
std::string etag_of(const DerivedKey& key);

// Returns the pose, camera and encoding of a thumbnail of `scene`; `size` is not rounded.
RenderParams thumbnail_still(const scene::Scene& scene, std::uint32_t size,
                             scene::CandidateClips candidates = {});
// Rounds up to the next of 64, 128, 256, 384, 512, 1024, which limits the number of cached sizes.
std::uint32_t thumbnail_size(std::uint32_t min_size);

class ImageService {
public:
    ImageService(SceneStore& scenes, DerivedCache& derived, RenderPool& renders, const ImageLimits& limits);
    ~ImageService();

    // Errors of all functions: invalid (size, clip, frames; "where" is the parameter), unprocessable
    // (nothing_to_show, not_drawable: the model cannot be rendered, such as a pose without a finite size;
    // too_large_for_device; render_quarantined), busy (render queue full), unavailable (no device, or
    // rendering failed twice), and those of SceneStore::load.
    Result<RenderedImage> render(const AssetRecord& asset, const RenderParams& params);
    // During the import: not_ready with Retry-After, unless it is cached already. WebP has cache entries of
    // its own, which the import fills; other formats are rendered as a still with the same parameters.
    Result<RenderedImage> thumbnail(const AssetRecord& asset, const ThumbnailParams& params);
    Result<RenderedImage> sequence(const AssetRecord& asset, const SequenceParams& params);
    // Only what is wrong with the parameters for this model, as far as that is known before it is drawn.
    Result<void> check(const AssetRecord& asset, const RenderParams& params);
    Result<void> check(const AssetRecord& asset, const SequenceParams& params);
    // Returns what the image of `params` shows at the pixel; empty: nothing of the model. Rendered for each
    // call; cheaper than an image.
    Result<std::optional<scene::Hit>> pick(const AssetRecord& asset, const RenderParams& params,
                                           render::Pixel pixel);
    Result<SpriteLayout> sprite_layout(const AssetRecord& asset, const SequenceParams& params);

    // For If-None-Match, before anything is rendered.
    static std::string etag(const AssetRecord& asset, const RenderParams& params);
    static std::string etag(const AssetRecord& asset, const SequenceParams& params);
    static std::string pick_etag(const AssetRecord& asset, const RenderParams& params, render::Pixel pixel);
    static std::string etag(const AssetRecord& asset, const ThumbnailParams& params);

private:
    Result<RenderedImage> thumbnail_in_format(const AssetRecord& asset, const ThumbnailParams& params);

    struct State;
    std::unique_ptr<State> state_;
};

} // namespace vitrine::server
