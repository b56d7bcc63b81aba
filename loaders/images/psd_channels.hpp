#pragma once
// A Photoshop file up to its flattened picture: header, palette, and the channels one after the other, as
// bytes.

#include "loaders/images/codecs.hpp"
#include "loaders/io/byte_reader.hpp"

namespace vitrine::images::psd {

enum Mode : std::uint16_t { bitmap = 0, grey = 1, indexed = 2, rgb = 3, cmyk = 4, duotone = 8, lab = 9 };

struct Header {
    bool is_large = false; // a PSB: some lengths take twice the bytes
    unsigned channels = 0;
    unsigned depth = 0;
    unsigned mode = 0;
    Size size;
};

struct PsdImage {
    Header header;
    Bytes palette;
    std::vector<Pixels> channels; // 8 bits each: of the color, then alpha where there is one
    bool has_matte = false;       // alpha is the layers' transparency: colors are mixed with white
};

Decoded<Header> read_header(io::ByteReader& in);
// The reader stands behind the header. `colors`: how many channels are a pixel's color.
Decoded<PsdImage> read_psd_image(io::ByteReader& in, const Header& header, unsigned colors);

} // namespace vitrine::images::psd
