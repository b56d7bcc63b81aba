// Reads the size of a PNG, also of one that is too large for stb_image.

#include <bit>
#include <cstring>

#include "loaders/images/codecs.hpp"
#include "loaders/io/byte_reader.hpp"

namespace vitrine::images {

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

} // namespace vitrine::images
