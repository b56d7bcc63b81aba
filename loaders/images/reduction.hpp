#pragma once
// Reduces images by powers of two with a box filter. Pure functions; internal to loaders/images.

#include <cstdint>
#include <vector>

#include "loaders/images/codecs.hpp"

namespace vitrine::images {

// The sides divided by the factor, rounded up, as libjpeg does.
ImageSize reduced_size(ImageSize size, std::uint32_t factor);
// The smallest power of two by which the size is reduced to at most `max_pixels`. Precondition: max_pixels >
// 0.
std::uint32_t reduction_factor(ImageSize size, std::uint64_t max_pixels);

// Averages boxes of factor x factor pixels of an image whose rows arrive one by one; boxes at the right and
// lower edge may be smaller. Holds one row of sums and the result.
class BoxFilter {
public:
    // `size`: of the image. Precondition: the sums of a box fit 32 bits, which any reduction to
    // min_reduced_pixels and any factor up to 4096 satisfies.
    BoxFilter(ImageSize size, std::uint32_t factor);
    // RGBA, size.width pixels. Precondition: called at most size.height times. Does not allocate.
    void add_row(const std::uint8_t* row);
    // The result; call it once, after the last row.
    PixelBytes take() { return std::move(out_); }

private:
    void finish_boxes();

    ImageSize size_, to_;
    std::uint32_t factor_ = 1;
    std::uint32_t rows_ = 0;          // added
    std::uint32_t rows_in_boxes_ = 0; // added since the last row of the result
    std::vector<std::uint32_t> sums_; // by column and channel
    PixelBytes out_;
};

// Precondition: `pixels` has the size.
PixelBytes reduce(const std::uint8_t* pixels, ImageSize size, std::uint32_t factor);

// Decodes the whole image and reduces it; an error if it has more than Reduction::max_whole_pixels.
DecodeResult<PixelBytes> decode_and_reduce(DecodeResult<PixelBytes> (*decode)(Bytes, ImageSize), Bytes bytes,
                                           ImageSize size, const Reduction& reduction);

} // namespace vitrine::images
