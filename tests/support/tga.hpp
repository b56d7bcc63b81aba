#pragma once
// Minimal image files for models in tests.

#include <cstdint>
#include <string>
#include <vector>

namespace vitrine::test {

// An uncompressed TGA of 32 bits, top row first, from RGBA bytes.
inline std::string tga(std::uint8_t width, std::uint8_t height, const std::vector<std::uint8_t>& rgba)
{
    std::string out(18, '\0');
    out[2] = 2;
    out[12] = static_cast<char>(width);
    out[14] = static_cast<char>(height);
    out[16] = 32;
    out[17] = 0x28;
    for (std::size_t i = 0; i + 3 < rgba.size(); i += 4) {
        for (const std::size_t c : {2u, 1u, 0u, 3u})
            out += static_cast<char>(rgba[i + c]);
    }
    return out;
}

// A TGA of one gray pixel.
inline std::string pixel(std::uint8_t value, std::uint8_t alpha = 255)
{
    return tga(1, 1, {value, value, value, alpha});
}

} // namespace vitrine::test
