#pragma once
// TIFF files in memory, written by libtiff.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine::test {

struct TiffKind {
    std::uint32_t width = 2;
    std::uint32_t height = 1;
    std::uint16_t bits = 8;
    std::uint16_t samples = 3;
    std::uint16_t photometric = 2;             // RGB
    std::uint16_t compression = 1;             // none
    std::uint16_t orientation = 1;             // rows from the top, columns from the left
    std::uint16_t format = 1;                  // unsigned integers
    std::optional<std::uint16_t> extra{};      // what the last sample is; 1 associated, 2 unassociated alpha
    std::uint32_t tile = 0;                    // edge of a tile; 0: strips
    bool planes = false;                       // a plane for each sample
    const char* mode = "w";                    // "wb" big endian, "w8" BigTIFF
    std::vector<std::uint16_t> color_map = {}; // red, then green, then blue
};

// `pixels`: rows from the first, samples side by side, in the byte order of this machine.
std::string tiff(const TiffKind& kind, std::string_view pixels);

// One for each way through the library.
std::vector<std::string> every_tiff();

} // namespace vitrine::test
