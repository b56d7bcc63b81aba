#pragma once
// The pixels of a model's images, within Limits::images, image_pixels and total_pixels.
//
// The rule: no image has more pixels than the cap, which starts at image_pixels. While the images together
// exceed total_pixels, the cap is divided by 4, and every image above it is reduced to it: large images share
// what is left, small ones are unchanged, and none is omitted because of its position. The cap is at least
// min_reduced_pixels; images that still do not fit are omitted. Not thread-safe.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "loaders/images/image.hpp"
#include "loaders/io/input.hpp"
#include "loaders/io/text/warning_log.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::images {

class ImageBudget {
public:
    // Both must outlive this object. Images of the scene change only through this object.
    ImageBudget(const Limits& limits, scene::Scene& scene);

    // Decodes an image at the size for which there is room, as decode_reduced(), and adds it to
    // Scene::images. `where`: for the warning about its reduction. The error limit_exceeded if there is no
    // room: `images`, total_pixels, or the pixels of all files that were decoded, which cost time even if
    // they are invalid or reduced, are more than max_decoded_ratio times total_pixels.
    LoadResult<std::uint32_t> decode(Bytes bytes, std::string_view name, std::string where,
                                     PixelUse use = PixelUse::keep);
    // Decodes the pixels of an image that was only checked, from the same bytes. Throws std::bad_alloc.
    void complete(std::uint32_t image, Bytes bytes, std::string_view name);
    static constexpr std::uint64_t max_decoded_ratio = 12;

    // Makes room for an image of this size, or of what remains of it below the cap. May reduce images of the
    // scene. Returns why there is no room; empty if there is.
    std::string make_room(ImageSize size);
    // Adds an image that was not decoded by this object, reduced to the cap. Precondition: make_room().
    std::uint32_t add(scene::Image image);
    // Adds a copy of one of the images. The error limit_exceeded if there is no room.
    LoadResult<std::uint32_t> add_copy(std::uint32_t image, std::string where);

    // The size in its file of an image of the scene.
    ImageSize file_size(std::uint32_t image) const;
    // Adds a warning for each decoded image that was reduced. Call it once, after the last image.
    void report_reduced(io::WarningLog& warnings) const;

private:
    struct FileImage {
        ImageSize size;
        std::string where;
    };
    std::optional<std::uint64_t> find_cap(ImageSize size) const;
    void lower_cap(std::uint64_t cap);

    const Limits& limits_;
    scene::Scene& scene_;
    std::uint64_t cap_;
    std::uint64_t pixels_ = 0;                 // of the scene's images
    std::uint64_t decoded_ = 0;                // of the files that were decoded
    std::map<std::uint32_t, FileImage> files_; // by image
};

} // namespace vitrine::images
