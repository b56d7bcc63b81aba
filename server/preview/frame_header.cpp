#include "server/preview/frame_header.hpp"

#include <bit>
#include <cstring>

namespace vitrine::server {
namespace {

template <class T>
void put(std::vector<std::byte>& out, T value)
{
    static_assert(std::endian::native == std::endian::little);
    std::byte bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    out.insert(out.end(), bytes, bytes + sizeof(T));
}

} // namespace

bool is_video(FrameCodec codec)
{
    return codec == FrameCodec::vp8 || codec == FrameCodec::vp9;
}

std::vector<std::byte> encode_frame_header(const FrameHeader& header)
{
    std::vector<std::byte> out;
    out.reserve(64);
    for (char c : {'V', 'T', 'R', 'F'})
        put(out, c);
    put(out, std::uint16_t{1});
    put(out, std::uint16_t{64});
    put(out, static_cast<std::uint8_t>(header.codec));
    put(out, static_cast<std::uint8_t>((header.key_frame ? 1 : 0) | (header.full_quality ? 2 : 0)));
    put(out, std::uint16_t{0});
    put(out, header.sequence);
    put(out, header.input);
    put(out, static_cast<std::uint16_t>(header.width));
    put(out, static_cast<std::uint16_t>(header.height));
    put(out, header.time);
    auto box = header.bounds.empty() ? scene::Aabb{glm::vec3(0.0f), glm::vec3(0.0f)} : header.bounds;
    for (float x : {box.min.x, box.min.y, box.min.z, box.max.x, box.max.y, box.max.z})
        put(out, x);
    put(out, header.render_us);
    put(out, header.encode_us);
    return out;
}

} // namespace vitrine::server
