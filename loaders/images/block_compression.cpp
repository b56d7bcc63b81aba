#include "loaders/images/block_compression.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace vitrine::images {
namespace {

template <class T>
T load_value(const std::uint8_t* bytes)
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

// a times the first plus b times the second, with the rounding of most decoders.
Rgba weighted_mean(const Rgba& first, const Rgba& second, unsigned a, unsigned b)
{
    Rgba out{0, 0, 0, 255};
    for (std::size_t i = 0; i < 3; ++i)
        out[i] = narrow((first[i] * a + second[i] * b + (a + b) / 2) / (a + b));
    return out;
}

// Two endpoint colors and 2 bits per pixel. In BC1 the order of the endpoints decides whether the fourth
// color is transparent black.
void put_colors(BlockPixels& out, const std::uint8_t* bytes, bool with_transparency)
{
    const auto ends = load_value<std::array<std::uint16_t, 2>>(bytes);
    const auto indices = load_value<std::uint32_t>(bytes + 4);
    std::array<Rgba, 4> colors{from_565(ends[0]), from_565(ends[1])};
    if (with_transparency && ends[0] <= ends[1]) {
        colors[2] = weighted_mean(colors[0], colors[1], 1, 1);
        colors[3] = {0, 0, 0, 0};
    } else {
        colors[2] = weighted_mean(colors[0], colors[1], 2, 1);
        colors[3] = weighted_mean(colors[0], colors[1], 1, 2);
    }
    for (unsigned i = 0; i < 16; ++i)
        out[i] = colors[indices >> 2 * i & 3];
}

// Two endpoint values from 0 to `max_value` and 3 bits per pixel. The order of the endpoints decides whether
// six values are interpolated between them, or four followed by 0 and `max_value`. The result is in 0 .. 255.
std::array<std::uint8_t, 16> ramp_of(const std::uint8_t* bytes, unsigned first, unsigned second,
                                     unsigned max_value)
{
    std::array<unsigned, 8> ramp{first, second, 0, 0, 0, 0, 0, max_value};
    const unsigned steps = first > second ? 7 : 5;
    for (unsigned i = 1; i < steps; ++i)
        ramp[i + 1] = (first * (steps - i) + second * i + steps / 2) / steps;
    const auto indices = load_value<std::uint64_t>(bytes) >> 16;
    std::array<std::uint8_t, 16> out{};
    for (unsigned i = 0; i < 16; ++i)
        out[i] = narrow(ramp[indices >> 3 * i & 7] * 255 / max_value);
    return out;
}

std::array<std::uint8_t, 16> unsigned_channel(const std::uint8_t* bytes)
{
    return ramp_of(bytes, bytes[0], bytes[1], 255);
}

// From -127 to 127; -128 is treated as -127.
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

void put_gray(BlockPixels& out, const std::array<std::uint8_t, 16>& gray)
{
    for (std::size_t i = 0; i < 16; ++i)
        out[i] = {gray[i], gray[i], gray[i], 255};
}

void put_vectors(BlockPixels& out, const std::array<std::uint8_t, 16>& x,
                 const std::array<std::uint8_t, 16>& y)
{
    for (std::size_t i = 0; i < 16; ++i)
        out[i] = {x[i], y[i], height_of(x[i], y[i]), 255};
}

} // namespace

BlockPixels decode_block(BlockFormat kind, const std::uint8_t* bytes)
{
    BlockPixels out{};
    switch (kind) {
    case BlockFormat::bc7: return decode_bc7(bytes);
    case BlockFormat::bc1: put_colors(out, bytes, true); break;
    case BlockFormat::bc2:
        put_colors(out, bytes + 8, false);
        for (unsigned i = 0; i < 16; ++i)
            out[i][3] = narrow((load_value<std::uint64_t>(bytes) >> 4 * i & 15) * 17);
        break;
    case BlockFormat::bc3: {
        put_colors(out, bytes + 8, false);
        const auto alpha = unsigned_channel(bytes);
        for (std::size_t i = 0; i < 16; ++i)
            out[i][3] = alpha[i];
        break;
    }
    case BlockFormat::bc4: put_gray(out, unsigned_channel(bytes)); break;
    case BlockFormat::bc4_signed: put_gray(out, signed_channel(bytes)); break;
    case BlockFormat::bc5: put_vectors(out, unsigned_channel(bytes), unsigned_channel(bytes + 8)); break;
    case BlockFormat::bc5_signed: put_vectors(out, signed_channel(bytes), signed_channel(bytes + 8)); break;
    }
    return out;
}

} // namespace vitrine::images
