#include "loaders/images/image_budget.hpp"

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "loaders/images/reduction.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/io/text/text_reader.hpp"

namespace vitrine::images {
namespace {

ImageSize size_of(const scene::Image& image)
{
    return {image.width, image.height};
}

// The number of pixels at a cap, which does not apply below min_reduced_pixels.
std::uint64_t pixels_at(ImageSize size, std::uint64_t cap)
{
    if (cap < min_reduced_pixels) return pixel_count(size);
    return pixel_count(reduced_size(size, reduction_factor(size, cap)));
}

void reduce_to(scene::Image& image, std::uint64_t cap)
{
    if (cap < min_reduced_pixels || pixel_count(size_of(image)) <= cap) return;
    const std::uint32_t factor = reduction_factor(size_of(image), cap);
    const ImageSize size = reduced_size(size_of(image), factor);
    if (!image.pixels.empty()) image.pixels = reduce(image.pixels.data(), size_of(image), factor);
    image.width = size.width;
    image.height = size.height;
}

} // namespace

ImageBudget::ImageBudget(const Limits& limits, scene::Scene& scene)
    : limits_(limits), scene_(scene), cap_(limits.image_pixels)
{
}

// Empty if there is no room at any cap.
std::optional<std::uint64_t> ImageBudget::find_cap(ImageSize size) const
{
    if (pixels_ + pixels_at(size, cap_) <= limits_.total_pixels) return cap_;
    for (std::uint64_t cap = cap_ / 4; cap >= min_reduced_pixels; cap /= 4) {
        std::uint64_t pixels = pixels_at(size, cap);
        for (const auto& image : scene_.images)
            pixels += pixels_at(size_of(image), cap);
        if (pixels <= limits_.total_pixels) return cap;
    }
    return std::nullopt;
}

void ImageBudget::lower_cap(std::uint64_t cap)
{
    if (cap == cap_) return;
    cap_ = cap;
    pixels_ = 0;
    for (auto& image : scene_.images) {
        if (image.is_available()) reduce_to(image, cap);
        pixels_ += pixel_count(size_of(image));
    }
}

std::string ImageBudget::make_room(ImageSize size)
{
    if (scene_.images.size() >= limits_.images)
        return io::limit_message("the images", "images", limits_.images);
    const auto cap = find_cap(size);
    if (!cap) return io::limit_message("the pixels of all images", "total_pixels", limits_.total_pixels);
    lower_cap(*cap);
    return {};
}

std::uint32_t ImageBudget::add(scene::Image image)
{
    if (image.is_available()) reduce_to(image, cap_);
    pixels_ += pixel_count(size_of(image));
    scene_.images.push_back(std::move(image));
    return static_cast<std::uint32_t>(scene_.images.size() - 1);
}

LoadResult<std::uint32_t> ImageBudget::decode(Bytes bytes, std::string_view name, std::string where,
                                              PixelUse use)
{
    const ImageSize size = read_size(bytes, name);
    const std::uint64_t pixels = pixel_count(size);
    const auto reject = [&](std::string reason) {
        return fail(LoadErrc::limit_exceeded, std::string(name), std::move(reason));
    };
    if (scene_.images.size() >= limits_.images)
        return reject(io::limit_message("the images", "images", limits_.images));
    // Images that exceed image_pixels in any case are rejected by decode_reduced().
    const bool is_reducible = pixels <= limits_.image_pixels || limits_.image_pixels >= min_reduced_pixels;
    const auto cap = find_cap(is_reducible ? size : ImageSize{});
    if (!cap)
        return reject(io::limit_message("the pixels of all images", "total_pixels", limits_.total_pixels));
    if (pixels / max_file_ratio <= limits_.image_pixels) {
        if ((decoded_ + pixels) / max_decoded_ratio > limits_.total_pixels)
            return reject(
                fmt::format("the pixels of all image files: more than {} times the limit total_pixels = {}",
                            max_decoded_ratio, limits_.total_pixels));
        decoded_ += pixels;
    }
    auto image = decode_reduced(bytes, name, limits_, *cap, use);
    if (!image) return std::unexpected(image.error());
    lower_cap(*cap); // not before: an invalid image reduces no other
    const std::uint32_t index = add(*std::move(image));
    files_.emplace(index, FileImage{size, std::move(where)});
    return index;
}

void ImageBudget::complete(std::uint32_t index, Bytes bytes, std::string_view name)
{
    scene::Image& image = scene_.images[index];
    auto decoded = decode_image(bytes, name, limits_);
    if (!decoded) throw std::bad_alloc(); // the check needs less memory
    image.is_checked = false;
    reduce_to(*decoded, cap_);
    image.pixels = std::move(decoded->pixels);
}

LoadResult<std::uint32_t> ImageBudget::add_copy(std::uint32_t image, std::string where)
{
    if (auto reason = make_room(size_of(scene_.images[image])); !reason.empty())
        return fail(LoadErrc::limit_exceeded, scene_.images[image].name, std::move(reason));
    const std::uint32_t index = add(scene_.images[image]);
    if (const auto file = files_.find(image); file != files_.end())
        files_.emplace(index, FileImage{file->second.size, std::move(where)});
    return index;
}

ImageSize ImageBudget::file_size(std::uint32_t image) const
{
    const auto file = files_.find(image);
    return file != files_.end() ? file->second.size : size_of(scene_.images[image]);
}

void ImageBudget::report_reduced(io::WarningLog& warnings) const
{
    for (const auto& [index, file] : files_) {
        const scene::Image& image = scene_.images[index];
        if (size_of(image) == file.size || !warnings.accepts("image_reduced")) continue;
        const bool is_alone_too_large =
            pixels_at(file.size, limits_.image_pixels) == pixel_count(size_of(image));
        const std::string subject =
            fmt::format("the image {} of {} x {} pixels is reduced to {} x {}{}", io::shown(image.name),
                        file.size.width, file.size.height, image.width, image.height,
                        is_alone_too_large ? "" : ": the pixels of all images");
        warnings.store("image_reduced",
                       is_alone_too_large ? io::limit_message(subject, "image_pixels", limits_.image_pixels)
                                          : io::limit_message(subject, "total_pixels", limits_.total_pixels),
                       file.where);
    }
}

} // namespace vitrine::images
