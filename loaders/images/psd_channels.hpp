#pragma once
// Reads a Photoshop file up to its flattened image: header, palette, and the channels one after the other, as
// bytes.

#include "loaders/images/codecs.hpp"
#include "loaders/io/byte_reader.hpp"

namespace vitrine::images::psd {

enum Mode : std::uint16_t { bitmap = 0, gray = 1, indexed = 2, rgb = 3, cmyk = 4, duotone = 8, lab = 9 };

struct Header {
    bool is_large = false; // PSB: some lengths have twice as many bytes
    unsigned channels = 0;
    unsigned depth = 0;
    unsigned mode = 0;
    Size size;
};

struct PsdImage {
    Header header;
    Bytes palette;
    std::vector<Pixels> channels; // 8 bits each: color channels, then alpha if present
    bool has_matte = false;       // alpha is the layers' transparency: colors are blended with white
};

Decoded<Header> read_header(io::ByteReader& in);
// The reader is positioned after the header. `colors`: number of color channels of a pixel.
Decoded<PsdImage> read_psd_image(io::ByteReader& in, const Header& header, unsigned colors);

} // namespace vitrine::images::psd
