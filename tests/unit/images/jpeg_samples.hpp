#pragma once
// JPEG samples of every kind, written by libjpeg-turbo.

#include <string>
#include <vector>

namespace vitrine::test {

enum class JpegColors { gray, rgb, ycc, cmyk, ycck, two };

struct JpegKind {
    JpegColors colors = JpegColors::ycc;
    bool progressive = false;
    bool arithmetic = false;
    unsigned restart_rows = 0; // number of block rows between restart markers
    int chroma = 2;            // horizontal luma samples per chroma sample; vertically at most two
    std::string exif{};        // content of an APP1
    unsigned side = 32;
    bool noise = false; // instead of the colors: pixels that need codes of every length
};

// A square: the left half is red, the right half teal (0, 128, 128); gray samples are 255 and 128.
std::string jpeg(const JpegKind& kind);
// One sample for each code path of the decoder.
std::vector<JpegKind> every_jpeg_kind();

} // namespace vitrine::test
