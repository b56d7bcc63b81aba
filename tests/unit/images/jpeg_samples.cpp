#include "tests/unit/images/jpeg_samples.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>

#include <jpeglib.h>

namespace vitrine::test {
namespace {

struct Halves {
    std::array<std::uint8_t, 4> left, right;
};

int components_of(JpegColors colors)
{
    switch (colors) {
    case JpegColors::gray: return 1;
    case JpegColors::two: return 2;
    case JpegColors::rgb:
    case JpegColors::ycc: return 3;
    default: return 4;
    }
}

Halves halves_of(int components)
{
    if (components == 4) return {{255, 0, 0, 255}, {0, 255, 255, 128}}; // 255 is no ink
    if (components == 3) return {{255, 0, 0}, {0, 128, 128}};
    return {{255, 255}, {128, 128}};
}

void choose_colors(jpeg_compress_struct& state, JpegColors colors)
{
    state.in_color_space = std::array{
        JCS_GRAYSCALE, JCS_RGB, JCS_RGB, JCS_CMYK, JCS_CMYK, JCS_UNKNOWN}[static_cast<std::size_t>(colors)];
    jpeg_set_defaults(&state);
    if (colors == JpegColors::rgb) jpeg_set_colorspace(&state, JCS_RGB);
    if (colors == JpegColors::ycck) jpeg_set_colorspace(&state, JCS_YCCK);
}

void write_noise(jpeg_compress_struct& state, unsigned side)
{
    std::minstd_rand random(28);
    std::vector<std::uint8_t> row(std::size_t{side} * static_cast<std::size_t>(state.input_components));
    for (unsigned y = 0; y < side; ++y) {
        // Smooth at the top: codes are short there.
        for (auto& value : row)
            value = static_cast<std::uint8_t>(128 + static_cast<int>(random() % (8 * y + 1)) % 127);
        JSAMPROW at = row.data();
        jpeg_write_scanlines(&state, &at, 1);
    }
}

void write_rows(jpeg_compress_struct& state, unsigned side)
{
    const auto count = static_cast<std::size_t>(state.input_components);
    const Halves halves = halves_of(state.input_components);
    std::vector<std::uint8_t> row;
    for (unsigned x = 0; x < side; ++x) {
        const auto& half = x < side / 2 ? halves.left : halves.right;
        row.insert(row.end(), half.begin(), half.begin() + static_cast<std::ptrdiff_t>(count));
    }
    for (unsigned y = 0; y < side; ++y) {
        JSAMPROW at = row.data();
        jpeg_write_scanlines(&state, &at, 1);
    }
}

} // namespace

std::string jpeg(const JpegKind& kind)
{
    jpeg_compress_struct state{};
    jpeg_error_mgr errors{};
    state.err = jpeg_std_error(&errors);
    jpeg_create_compress(&state);
    unsigned char* data = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&state, &data, &size);
    state.image_width = state.image_height = kind.side;
    state.input_components = components_of(kind.colors);
    choose_colors(state, kind.colors);
    jpeg_set_quality(&state, 95, TRUE);
    if (kind.colors == JpegColors::ycc) {
        state.comp_info[0].h_samp_factor = kind.chroma;
        state.comp_info[0].v_samp_factor = std::min(kind.chroma, 2);
    }
    state.arith_code = kind.arithmetic ? TRUE : FALSE;
    state.restart_in_rows = static_cast<int>(kind.restart_rows);
    if (kind.progressive) jpeg_simple_progression(&state);
    jpeg_start_compress(&state, TRUE);
    if (!kind.exif.empty())
        jpeg_write_marker(&state, JPEG_APP0 + 1, reinterpret_cast<const JOCTET*>(kind.exif.data()),
                          static_cast<unsigned>(kind.exif.size()));
    kind.noise ? write_noise(state, kind.side) : write_rows(state, kind.side);
    jpeg_finish_compress(&state);
    jpeg_destroy_compress(&state);
    std::string out(reinterpret_cast<const char*>(data), size);
    std::free(data);
    return out;
}

std::vector<JpegKind> every_jpeg_kind()
{
    using enum JpegColors;
    std::vector<JpegKind> kinds;
    for (const JpegColors colors : {gray, rgb, ycc, cmyk, ycck}) {
        for (const bool progressive : {false, true}) {
            for (const bool arithmetic : {false, true})
                kinds.push_back({colors, progressive, arithmetic});
        }
    }
    kinds.push_back({.restart_rows = 1});
    kinds.push_back({.arithmetic = true, .restart_rows = 1});
    kinds.push_back({.chroma = 1});
    kinds.push_back({.chroma = 4}); // subsampled by 2, which is rare
    return kinds;
}

} // namespace vitrine::test
