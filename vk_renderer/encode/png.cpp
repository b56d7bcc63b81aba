#include "loaders/export/png/png.hpp"

#include "vk_renderer/encode/codecs.hpp"

namespace vitrine::render {
namespace {

constexpr int zlib_level = 3; // higher levels cost much time and save few bytes

} // namespace

std::vector<std::byte> encode_png(const Frame& frame)
{
    std::vector<std::byte> out;
    exporting::append_png(out, {frame.width, frame.height, frame.pixels}, zlib_level);
    return out;
}

} // namespace vitrine::render
