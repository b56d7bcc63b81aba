// PNGs with libpng, large ones row by row; damaged ones with stb_image. The library reports errors by
// longjmp, so code inside run() must not own resources.

#include <algorithm>
#include <array>
#include <bit>
#include <csetjmp>
#include <cstring>

#include <png.h>

#include "loaders/images/codecs.hpp"
#include "loaders/images/reduction.hpp"
#include "loaders/io/byte_reader.hpp"

namespace vitrine::images {
namespace {

constexpr std::uint32_t max_pass_step = 8; // the first pass of an interlaced file has every eighth pixel

class PngRows {
public:
    explicit PngRows(Bytes bytes) : bytes_(bytes) {}
    ~PngRows() { png_destroy_read_struct(&png_, &info_, nullptr); }
    PngRows(const PngRows&) = delete;
    PngRows& operator=(const PngRows&) = delete;

    bool read_header()
    {
        png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, leave, ignore_warning);
        if (png_ != nullptr) info_ = png_create_info_struct(png_);
        return info_ != nullptr && run(&PngRows::header);
    }
    // Call one of these after read_header(). `row` has room for the pixels of a row.
    bool read_rows(std::uint8_t* row, BoxFilter& filter)
    {
        row_ = row;
        filter_ = &filter;
        return run(&PngRows::rows);
    }
    // `out` has room for all pixels.
    bool read_whole(std::uint8_t* out)
    {
        out_ = out;
        return run(&PngRows::whole);
    }
    // The pixels whose coordinates are multiples of `step`, which are in the first passes of an interlaced
    // file. `out` has room for the size reduced by `step`.
    bool read_first_passes(std::uint8_t* row, std::uint32_t step, std::uint8_t* out)
    {
        row_ = row;
        step_ = step;
        out_ = out;
        return run(&PngRows::first_passes);
    }
    bool is_interlaced() const { return png_get_interlace_type(png_, info_) != PNG_INTERLACE_NONE; }
    ImageSize size() const { return {png_get_image_width(png_, info_), png_get_image_height(png_, info_)}; }
    std::string reason() const { return std::string("the image data is invalid (") + reason_.data() + ")"; }

private:
    [[noreturn]] static void leave(png_structp png, png_const_charp message);
    static void ignore_warning(png_structp /*png*/, png_const_charp /*message*/) {}
    static void read(png_structp png, png_bytep out, std::size_t count);

    // Returns false if the library reported an error.
    bool run(void (PngRows::*step)()) noexcept
    {
        if (setjmp(leave_) != 0) return false;
        (this->*step)();
        return true;
    }
    void header();
    void whole();
    void rows();
    void first_passes();

    Bytes bytes_;
    std::size_t at_ = 0;
    png_structp png_ = nullptr;
    png_infop info_ = nullptr;
    std::jmp_buf leave_{};
    std::array<char, 64> reason_{"out of memory"};
    std::uint8_t* row_ = nullptr;
    BoxFilter* filter_ = nullptr;
    std::uint32_t step_ = 1;
    std::uint8_t* out_ = nullptr;
};

// The library's messages may contain bytes of the file.
void PngRows::leave(png_structp png, png_const_charp message)
{
    auto& self = *static_cast<PngRows*>(png_get_error_ptr(png));
    std::strncpy(self.reason_.data(), message, self.reason_.size() - 1);
    std::ranges::replace_if(
        self.reason_, [](unsigned char c) { return c != 0 && (c < 0x20 || c > 0x7e); }, '?');
    std::longjmp(self.leave_, 1);
}

void PngRows::read(png_structp png, png_bytep out, std::size_t count)
{
    auto& self = *static_cast<PngRows*>(png_get_io_ptr(png));
    if (count > self.bytes_.size() - self.at_) png_error(png, "the file ends early");
    std::memcpy(out, self.bytes_.data() + self.at_, count);
    self.at_ += count;
}

// Checksums are ignored, as by stb_image; so are chunks that do not change the pixels.
void PngRows::header()
{
    png_set_read_fn(png_, this, read);
    png_set_crc_action(png_, PNG_CRC_QUIET_USE, PNG_CRC_QUIET_USE);
    png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
    png_set_benign_errors(png_, 1);
    png_read_info(png_, info_);
    png_set_expand(png_);
    png_set_strip_16(png_);
    png_set_gray_to_rgb(png_);
    png_set_add_alpha(png_, 255, PNG_FILLER_AFTER);
    png_read_update_info(png_, info_);
}

void PngRows::whole()
{
    const auto [width, height] = size();
    for (int pass = png_set_interlace_handling(png_); pass > 0; --pass)
        for (std::uint32_t y = 0; y < height; ++y)
            png_read_row(png_, out_ + std::size_t{4} * width * y, nullptr);
}

void PngRows::rows()
{
    const std::uint32_t height = size().height;
    for (std::uint32_t y = 0; y < height; ++y) {
        png_read_row(png_, row_, nullptr);
        filter_->add_row(row_);
    }
}

// "8.1 Interlace methods" of the specification: pass 1 has every eighth pixel, the first three passes have
// every fourth and the first five every second one.
void PngRows::first_passes()
{
    const auto [width, height] = size();
    const std::size_t out_width = reduced_size(size(), step_).width;
    const int passes = step_ == max_pass_step ? 1 : step_ == 4 ? 3 : 5;
    for (int pass = 0; pass < passes; ++pass) {
        const std::uint32_t columns = PNG_PASS_COLS(width, pass), rows = PNG_PASS_ROWS(height, pass);
        if (columns == 0) continue; // then the file has no rows of this pass
        for (std::uint32_t y = 0; y < rows; ++y) {
            png_read_row(png_, row_, nullptr);
            const std::size_t to_row = PNG_ROW_FROM_PASS_ROW(y, pass) / step_ * out_width;
            for (std::uint32_t x = 0; x < columns; ++x)
                std::memcpy(out_ + 4 * (to_row + PNG_COL_FROM_PASS_COL(x, pass) / step_),
                            row_ + std::size_t{4} * x, 4);
        }
    }
}

DecodeResult<PixelBytes> interlaced(PngRows& png, std::uint8_t* row, std::uint32_t factor)
{
    const std::uint32_t step = std::min(factor, max_pass_step);
    const ImageSize size = reduced_size(png.size(), step);
    PixelBytes pixels(4 * pixel_count(size));
    if (!png.read_first_passes(row, step, pixels.data())) return std::unexpected(png.reason());
    return step == factor ? pixels : reduce(pixels.data(), size, factor / step);
}

} // namespace

DecodeResult<ImageSize> png_size(Bytes bytes)
{
    io::ByteReader in(bytes);
    in.skip(12); // signature, length of the first chunk
    const bool is_header = in.read<std::uint32_t>() == std::byteswap(0x49484452u); // "IHDR"
    const auto width = std::byteswap(in.read<std::uint32_t>());
    const auto height = std::byteswap(in.read<std::uint32_t>());
    if (in.failed() || !is_header || width == 0 || height == 0) return stb_size(bytes);
    return ImageSize{width, height};
}

DecodeResult<PixelBytes> png_pixels(Bytes bytes, ImageSize size)
{
    PngRows png(bytes);
    PixelBytes pixels(4 * pixel_count(size));
    if (png.read_header() && png.size() == size && png.read_whole(pixels.data())) return pixels;
    return stb_pixels(bytes, size); // shows what it can of damaged files, or says what is wrong
}

// The rows of interlaced files are complete only at the end, so these are sampled instead of averaged.
DecodeResult<PixelBytes> png_reduced(Bytes bytes, ImageSize size, const Reduction& reduction)
{
    PngRows png(bytes);
    if (!png.read_header()) return std::unexpected(png.reason());
    if (png.size() != size) return std::unexpected("the image declares two different sizes");
    std::vector<std::uint8_t> row(std::size_t{4} * size.width);
    if (png.is_interlaced()) return interlaced(png, row.data(), reduction.factor);
    BoxFilter filter(size, reduction.factor);
    if (!png.read_rows(row.data(), filter)) return std::unexpected(png.reason());
    return filter.take();
}

} // namespace vitrine::images
