#include "loaders/images/reduction.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include <fmt/format.h>

namespace vitrine::images {
namespace {

// The means, rounded to the nearest, of `boxes` groups of `columns` sums, each of `count` pixels in all.
void average_boxes(const std::uint32_t* sum, std::uint32_t boxes, std::uint32_t columns, std::uint32_t count,
                   const auto& divide, std::uint8_t* to)
{
    for (std::uint32_t i = 0; i < boxes; ++i, to += 4) {
        std::array<std::uint32_t, 4> box;
        box.fill(count / 2);
        for (std::uint32_t x = 0; x < columns; ++x, sum += 4)
            for (std::size_t c = 0; c < 4; ++c)
                box[c] += sum[c];
        for (std::size_t c = 0; c < 4; ++c)
            to[c] = static_cast<std::uint8_t>(divide(box[c]));
    }
}

} // namespace

ImageSize reduced_size(ImageSize size, std::uint32_t factor)
{
    const auto reduced = [&](std::uint32_t side) {
        return static_cast<std::uint32_t>((std::uint64_t{side} + factor - 1) / factor);
    };
    return {reduced(size.width), reduced(size.height)};
}

std::uint32_t reduction_factor(ImageSize size, std::uint64_t max_pixels)
{
    std::uint32_t factor = 1;
    while (pixel_count(reduced_size(size, factor)) > max_pixels)
        factor *= 2;
    return factor;
}

BoxFilter::BoxFilter(ImageSize size, std::uint32_t factor)
    : size_(size), to_(reduced_size(size, factor)), factor_(factor),
      sums_(factor > 1 ? std::size_t{4} * size.width : 0), out_(4 * pixel_count(to_))
{
}

void BoxFilter::add_row(const std::uint8_t* row)
{
    const std::size_t values = std::size_t{4} * size_.width;
    if (factor_ == 1) {
        std::memcpy(out_.data() + rows_++ * values, row, values);
        return;
    }
    for (std::size_t i = 0; i < values; ++i)
        sums_[i] += row[i];
    ++rows_in_boxes_;
    if (++rows_ % factor_ == 0 || rows_ == size_.height) finish_boxes();
}

void BoxFilter::finish_boxes()
{
    std::uint8_t* to = out_.data() + std::size_t{4} * ((rows_ - 1) / factor_) * to_.width;
    const std::uint32_t* sum = sums_.data();
    const std::uint32_t full_boxes = size_.width / factor_, rest_columns = size_.width % factor_;
    const std::uint32_t count = factor_ * rows_in_boxes_;
    const auto shift = static_cast<std::uint32_t>(std::countr_zero(count));
    if (std::has_single_bit(count)) // all but the last row of the result
        average_boxes(sum, full_boxes, factor_, count, [=](std::uint32_t box) { return box >> shift; }, to);
    else
        average_boxes(sum, full_boxes, factor_, count, [=](std::uint32_t box) { return box / count; }, to);
    const std::uint32_t last = rest_columns * rows_in_boxes_;
    if (rest_columns > 0)
        average_boxes(
            sum + std::size_t{4} * full_boxes * factor_, 1, rest_columns, last,
            [=](std::uint32_t box) { return box / last; }, to + std::size_t{4} * full_boxes);
    std::ranges::fill(sums_, 0u);
    rows_in_boxes_ = 0;
}

PixelBytes reduce(const std::uint8_t* pixels, ImageSize size, std::uint32_t factor)
{
    BoxFilter filter(size, factor);
    for (std::size_t y = 0; y < size.height; ++y)
        filter.add_row(pixels + 4 * y * size.width);
    return filter.take();
}

DecodeResult<PixelBytes> decode_and_reduce(DecodeResult<PixelBytes> (*decode)(Bytes, ImageSize), Bytes bytes,
                                           ImageSize size, const Reduction& reduction)
{
    if (pixel_count(size) > reduction.max_whole_pixels)
        return std::unexpected(fmt::format("{} x {} pixels, decoded as a whole: more than {} times the limit "
                                           "image_pixels = {}",
                                           size.width, size.height, max_whole_ratio,
                                           reduction.max_whole_pixels / max_whole_ratio));
    const DecodeResult<PixelBytes> pixels = decode(bytes, size);
    if (!pixels) return pixels;
    return reduce(pixels->data(), size, reduction.factor);
}

} // namespace vitrine::images
