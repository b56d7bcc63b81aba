#include "loaders/images/block_compression.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace vitrine::images {
namespace {

template <class T>
T load(const std::uint8_t* bytes)
{
    T value{};
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

std::uint8_t narrow(unsigned value)
{
    return static_cast<std::uint8_t>(value);
}

Rgba from_565(unsigned value)
{
    const unsigned red = value >> 11, green = value >> 5 & 63, blue = value & 31;
    return {narrow(red << 3 | red >> 2), narrow(green << 2 | green >> 4), narrow(blue << 3 | blue >> 2), 255};
}

// a times the first and b times the second, rounded as most decoders do.
Rgba mix(const Rgba& first, const Rgba& second, unsigned a, unsigned b)
{
    Rgba out{0, 0, 0, 255};
    for (std::size_t i = 0; i < 3; ++i)
        out[i] = narrow((first[i] * a + second[i] * b + (a + b) / 2) / (a + b));
    return out;
}

// Two end colors and 2 bits a pixel. In BC1 the order of the ends says whether the fourth color is
// transparent black.
void put_colors(BlockPixels& out, const std::uint8_t* bytes, bool with_transparency)
{
    const auto ends = load<std::array<std::uint16_t, 2>>(bytes);
    const auto indices = load<std::uint32_t>(bytes + 4);
    std::array<Rgba, 4> colors{from_565(ends[0]), from_565(ends[1])};
    if (with_transparency && ends[0] <= ends[1]) {
        colors[2] = mix(colors[0], colors[1], 1, 1);
        colors[3] = {0, 0, 0, 0};
    } else {
        colors[2] = mix(colors[0], colors[1], 2, 1);
        colors[3] = mix(colors[0], colors[1], 1, 2);
    }
    for (unsigned i = 0; i < 16; ++i)
        out[i] = colors[indices >> 2 * i & 3];
}

// Two end values from 0 to `most` and 3 bits a pixel; the order of the ends says whether six values lie
// between them, or four and then 0 and `most` follow. The result goes from 0 to 255.
std::array<std::uint8_t, 16> ramp_of(const std::uint8_t* bytes, unsigned first, unsigned second,
                                     unsigned most)
{
    std::array<unsigned, 8> ramp{first, second, 0, 0, 0, 0, 0, most};
    const unsigned steps = first > second ? 7 : 5;
    for (unsigned i = 1; i < steps; ++i)
        ramp[i + 1] = (first * (steps - i) + second * i + steps / 2) / steps;
    const auto indices = load<std::uint64_t>(bytes) >> 16;
    std::array<std::uint8_t, 16> out{};
    for (unsigned i = 0; i < 16; ++i)
        out[i] = narrow(ramp[indices >> 3 * i & 7] * 255 / most);
    return out;
}

std::array<std::uint8_t, 16> unsigned_channel(const std::uint8_t* bytes)
{
    return ramp_of(bytes, bytes[0], bytes[1], 255);
}

// From -127 to 127; -128 means the same as -127.
std::array<std::uint8_t, 16> signed_channel(const std::uint8_t* bytes)
{
    const auto end = [&](std::size_t i) {
        return static_cast<unsigned>(std::max<int>(static_cast<std::int8_t>(bytes[i]), -127) + 127);
    };
    return ramp_of(bytes, end(0), end(1), 254);
}

std::uint8_t height_of(std::uint8_t x, std::uint8_t y)
{
    const float a = static_cast<float>(x) / 127.5f - 1.0f, b = static_cast<float>(y) / 127.5f - 1.0f;
    const float z = std::sqrt(std::max(0.0f, 1.0f - a * a - b * b));
    return narrow(static_cast<unsigned>(std::lround((z * 0.5f + 0.5f) * 255.0f)));
}

void put_grey(BlockPixels& out, const std::array<std::uint8_t, 16>& grey)
{
    for (std::size_t i = 0; i < 16; ++i)
        out[i] = {grey[i], grey[i], grey[i], 255};
}

void put_vectors(BlockPixels& out, const std::array<std::uint8_t, 16>& x,
                 const std::array<std::uint8_t, 16>& y)
{
    for (std::size_t i = 0; i < 16; ++i)
        out[i] = {x[i], y[i], height_of(x[i], y[i]), 255};
}

} // namespace

BlockPixels decode_block(Block kind, const std::uint8_t* bytes)
{
    BlockPixels out{};
    switch (kind) {
    case Block::bc7: return decode_bc7(bytes);
    case Block::bc1: put_colors(out, bytes, true); break;
    case Block::bc2:
        put_colors(out, bytes + 8, false);
        for (unsigned i = 0; i < 16; ++i)
            out[i][3] = narrow((load<std::uint64_t>(bytes) >> 4 * i & 15) * 17);
        break;
    case Block::bc3: {
        put_colors(out, bytes + 8, false);
        const auto alpha = unsigned_channel(bytes);
        for (std::size_t i = 0; i < 16; ++i)
            out[i][3] = alpha[i];
        break;
    }
    case Block::bc4: put_grey(out, unsigned_channel(bytes)); break;
    case Block::bc4_signed: put_grey(out, signed_channel(bytes)); break;
    case Block::bc5: put_vectors(out, unsigned_channel(bytes), unsigned_channel(bytes + 8)); break;
    case Block::bc5_signed: put_vectors(out, signed_channel(bytes), signed_channel(bytes + 8)); break;
    }
    return out;
}

} // namespace vitrine::images
