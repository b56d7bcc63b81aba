// Decodes JPEG with libjpeg-turbo: baseline and progressive, Huffman and arithmetic coding, one, three and
// four components. The library reports errors by longjmp, so code inside run() must not own resources.

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio> // jpeglib.h requires FILE and size_t
#include <cstring>

#include <jpeglib.h>

#include <jerror.h>

#include "loaders/images/codecs.hpp"
#include "loaders/images/jpeg_scan.hpp"
#include "loaders/images/reduction.hpp"

namespace vitrine::images {
namespace {

// A scan of a few bytes may cover the whole image. Encoders use about ten scans; libjpeg's own tools accept
// scripts of 100 at most.
constexpr int max_scans = 100;
// Samples in all scans but the first, each of one component or more. The ten scans that encoders use for
// 16384 x 16384 pixels without subsampling have 3.8 billion.
constexpr std::uint64_t max_samples_scanned = 4'000'000'000;
// For the coefficients of progressive files, which the library holds as a whole: six bytes a pixel without
// subsampling.
constexpr long max_library_bytes = 2l << 30;
// The library divides the sides by 1, 2, 4 or 8 while it decodes.
constexpr std::uint32_t max_library_factor = 8;

struct Errors : jpeg_error_mgr {
    std::jmp_buf leave;
    std::array<char, JMSG_LENGTH_MAX> reason;
    bool ended;            // the file ended before the end marker
    int scan;              // the number of the scan counted last
    std::uint64_t samples; // of the scans so far
};

extern "C" {

static void leave(j_common_ptr state)
{
    auto* errors = static_cast<Errors*>(state->err);
    errors->format_message(state, errors->reason.data());
    if (errors->msg_code == JERR_NO_BACKING_STORE)
        std::strncpy(errors->reason.data(), "its scans need more than 2 GiB of memory",
                     errors->reason.size());
    std::longjmp(errors->leave, 1);
}

// The library continues with gray if image data is lost; here such a file is rejected, as in other formats.
// Faults between the data (foreign bytes, unusual version) are ignored.
static void warn(j_common_ptr state, int level)
{
    if (level >= 0) return;
    auto* errors = static_cast<Errors*>(state->err);
    switch (errors->msg_code) {
    case JWRN_JPEG_EOF: errors->ended = true; break;
    case JWRN_ARITH_BAD_CODE:
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_MUST_RESYNC: leave(state); break;
    default: break;
    }
}

static void has_no_direction(j_common_ptr /*state*/) {}

static void watch_scans(j_common_ptr common)
{
    const auto* state = reinterpret_cast<j_decompress_ptr>(common);
    auto* errors = static_cast<Errors*>(common->err);
    if (state->input_scan_number == errors->scan) return;
    errors->scan = state->input_scan_number;
    for (int c = 0; c < state->comps_in_scan; ++c)
        errors->samples += std::uint64_t{DCTSIZE2} * state->cur_comp_info[c]->width_in_blocks *
                           state->cur_comp_info[c]->height_in_blocks;
    const bool has_many = errors->scan > max_scans;
    if (!has_many && (errors->scan <= 1 || errors->samples <= max_samples_scanned)) return;
    std::strncpy(errors->reason.data(),
                 has_many ? "more scans than the limit of 100" : "more than 4 billion samples in all scans",
                 errors->reason.size());
    std::longjmp(errors->leave, 1);
}

} // extern "C"

class Decompressor {
public:
    explicit Decompressor(Bytes bytes) : bytes_(bytes)
    {
        state_.err = jpeg_std_error(&errors_);
        errors_.error_exit = leave;
        errors_.emit_message = warn;
        errors_.output_message = has_no_direction;
        progress_.progress_monitor = watch_scans;
    }
    ~Decompressor() { jpeg_destroy_decompress(&state_); }
    Decompressor(const Decompressor&) = delete;
    Decompressor& operator=(const Decompressor&) = delete;

    bool read_header() { return run(&Decompressor::header); }
    // Writes RGBA; `out` has room for size() reduced by `factor`, of at most max_library_factor. Call it
    // after read_header().
    bool read_pixels(std::uint8_t* out, std::uint32_t factor)
    {
        out_ = out;
        state_.scale_num = 1;
        state_.scale_denom = factor;
        if (!run(&Decompressor::rows)) return false;
        if (state_.out_color_space == JCS_CMYK) cmyk_to_rgba();
        return true;
    }

    ImageSize size() const { return {state_.image_width, state_.image_height}; }
    int components() const { return state_.num_components; }
    std::string reason() const
    {
        return std::string("the image data is invalid (") + errors_.reason.data() + ")";
    }
    // Whether scans, or the end of the last one, are missing without a warning.
    bool is_cut() const;

private:
    // Returns false if the library reported an error.
    bool run(void (Decompressor::*step)()) noexcept
    {
        if (setjmp(errors_.leave) != 0) return false;
        (this->*step)();
        return true;
    }
    void header();
    void rows();
    void cmyk_to_rgba();

    Bytes bytes_;
    Errors errors_{};
    jpeg_progress_mgr progress_{};
    jpeg_decompress_struct state_{};
    std::uint8_t* out_ = nullptr;
};

void Decompressor::header()
{
    jpeg_create_decompress(&state_);
    state_.progress = &progress_;
    state_.mem->max_memory_to_use = max_library_bytes;
    jpeg_mem_src(&state_, reinterpret_cast<const unsigned char*>(bytes_.data()), bytes_.size());
    jpeg_read_header(&state_, TRUE);
}

void Decompressor::rows()
{
    state_.out_color_space = state_.num_components == 4 ? JCS_CMYK : JCS_EXT_RGBA;
    jpeg_start_decompress(&state_);
    while (state_.output_scanline < state_.output_height) {
        JSAMPROW row = out_ + std::size_t{4} * state_.output_scanline * state_.output_width;
        jpeg_read_scanlines(&state_, &row, 1);
    }
}

// Inverted values, as Photoshop and all later programs store them: 255 is no ink.
void Decompressor::cmyk_to_rgba()
{
    const std::uint64_t count = std::uint64_t{state_.output_width} * state_.output_height;
    for (std::uint64_t i = 0; i < count; ++i) {
        std::uint8_t* pixel = out_ + 4 * i;
        for (std::size_t c = 0; c < 3; ++c)
            pixel[c] = static_cast<std::uint8_t>((unsigned{pixel[c]} * pixel[3] + 127u) / 255u);
        pixel[3] = 255;
    }
}

bool Decompressor::is_cut() const
{
    if (!errors_.ended) return false;
    if (state_.arith_code != FALSE) return true; // the arithmetic decoder reads missing bytes as zeros
    if (state_.coef_bits == nullptr) return false;
    for (int c = 0; c < state_.num_components; ++c) { // missing bits of each coefficient
        if (std::ranges::any_of(state_.coef_bits[c], [](int bits) { return bits != 0; })) return true;
    }
    return false;
}

bool is_decoded(int components)
{
    return components == 1 || components == 3 || components == 4;
}

} // namespace

DecodeResult<ImageSize> jpeg_size(Bytes bytes)
{
    Decompressor jpeg(bytes);
    if (!jpeg.read_header()) return std::unexpected(jpeg.reason());
    if (!is_decoded(jpeg.components()))
        return std::unexpected("it has " + std::to_string(jpeg.components()) + " color components");
    return jpeg.size();
}

DecodeResult<PixelBytes> jpeg_pixels(Bytes bytes, ImageSize size)
{
    return jpeg_reduced(bytes, size, {});
}

// Other files than usual ones: reads all coefficients, as for the pixels, but computes one pixel of 64. The
// format has no alpha.
DecodeResult<Opacity> jpeg_check(Bytes bytes, ImageSize size)
{
    if (has_valid_jpeg_scan(bytes)) return Opacity::opaque;
    const auto pixels = jpeg_reduced(bytes, size, {.factor = max_library_factor});
    if (!pixels) return std::unexpected(pixels.error());
    return Opacity::opaque;
}

DecodeResult<PixelBytes> jpeg_reduced(Bytes bytes, ImageSize size, const Reduction& reduction)
{
    const std::uint32_t factor = std::min(reduction.factor, max_library_factor);
    const ImageSize decoded_size = reduced_size(size, factor);
    PixelBytes pixels(4 * pixel_count(decoded_size));
    Decompressor jpeg(bytes);
    if (!jpeg.read_header() || !jpeg.read_pixels(pixels.data(), factor))
        return std::unexpected(jpeg.reason());
    if (jpeg.is_cut()) return std::unexpected("the image data ends early");
    if (factor == reduction.factor) return pixels;
    return reduce(pixels.data(), decoded_size, reduction.factor / factor);
}

} // namespace vitrine::images
