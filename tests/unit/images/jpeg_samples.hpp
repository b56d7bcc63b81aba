#pragma once
// JPEGs of every kind, written by libjpeg-turbo.

#include <string>
#include <vector>

namespace vitrine::test {

enum class JpegColors { grey, rgb, ycc, cmyk, ycck, two };

struct JpegKind {
    JpegColors colors = JpegColors::ycc;
    bool progressive = false;
    bool arithmetic = false;
    unsigned restart_rows = 0; // a restart marker after so many rows of blocks
    int chroma = 2;            // luma samples across for each of chroma; upright two at most
    std::string exif{};        // content of an APP1
};

// 32 x 32: the left half red, the right half teal (0, 128, 128); grey ones 255 and 128.
std::string jpeg(const JpegKind& kind);
// One for each way through the decoder.
std::vector<JpegKind> every_jpeg_kind();

} // namespace vitrine::test
