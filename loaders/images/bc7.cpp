// BC7 as specified in the Khronos Data Format Specification, chapter BPTC: each block has one of eight modes
// and up to three pairs of endpoint colors ("subsets"); one of 64 partitions assigns the pixels to subsets.

#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "loaders/images/block_compression.hpp"

namespace vitrine::images {
namespace {

// Number of bits per field in the blocks of a mode.
struct Bc7Mode {
    unsigned subsets, partition, rotation, selection;
    unsigned color, alpha;      // bits per endpoint channel
    bool end_bits, shared_bits; // one additional lowest bit: for each endpoint, or for each pair
    unsigned indices, alpha_indices;
};
constexpr std::array<Bc7Mode, 8> modes = {{{3, 4, 0, 0, 4, 0, true, false, 3, 0},
                                           {2, 6, 0, 0, 6, 0, false, true, 3, 0},
                                           {3, 6, 0, 0, 5, 0, false, false, 2, 0},
                                           {2, 6, 0, 0, 7, 0, true, false, 2, 0},
                                           {1, 0, 2, 1, 5, 6, false, false, 2, 3},
                                           {1, 0, 2, 0, 7, 8, false, false, 2, 2},
                                           {1, 0, 0, 0, 7, 7, true, false, 4, 0},
                                           {2, 6, 0, 0, 5, 5, true, false, 2, 0}}};

// Two subsets: bit i is the subset of pixel i.
constexpr std::array<std::uint16_t, 64> partitions_2 = {
    0xCCCC, 0x8888, 0xEEEE, 0xECC8, 0xC880, 0xFEEC, 0xFEC8, 0xEC80, 0xC800, 0xFFEC, 0xFE80, 0xE800, 0xFFE8,
    0xFF00, 0xFFF0, 0xF000, 0xF710, 0x008E, 0x7100, 0x08CE, 0x008C, 0x7310, 0x3100, 0x8CCE, 0x088C, 0x3110,
    0x6666, 0x366C, 0x17E8, 0x0FF0, 0x718E, 0x399C, 0xAAAA, 0xF0F0, 0x5A5A, 0x33CC, 0x3C3C, 0x55AA, 0x9696,
    0xA55A, 0x73CE, 0x13C8, 0x324C, 0x3BDC, 0x6996, 0xC33C, 0x9966, 0x0660, 0x0272, 0x04E4, 0x4E40, 0x2720,
    0xC936, 0x936C, 0x39C6, 0x639C, 0x9336, 0x9CC6, 0x817E, 0xE718, 0xCCF0, 0x0FCC, 0x7744, 0xEE22};
// Three subsets: bits 2 i and 2 i + 1 are the subset of pixel i.
constexpr std::array<std::uint32_t, 64> partitions_3 = {
    0xAA685050, 0x6A5A5040, 0x5A5A4200, 0x5450A0A8, 0xA5A50000, 0xA0A05050, 0x5555A0A0, 0x5A5A5050,
    0xAA550000, 0xAA555500, 0xAAAA5500, 0x90909090, 0x94949494, 0xA4A4A4A4, 0xA9A59450, 0x2A0A4250,
    0xA5945040, 0x0A425054, 0xA5A5A500, 0x55A0A0A0, 0xA8A85454, 0x6A6A4040, 0xA4A45000, 0x1A1A0500,
    0x0050A4A4, 0xAAA59090, 0x14696914, 0x69691400, 0xA08585A0, 0xAA821414, 0x50A4A450, 0x6A5A0200,
    0xA9A58000, 0x5090A0A8, 0xA8A09050, 0x24242424, 0x00AA5500, 0x24924924, 0x24499224, 0x50A50A50,
    0x500AA550, 0xAAAA4444, 0x66660000, 0xA5A0A5A0, 0x50A050A0, 0x69286928, 0x44AAAA44, 0x66666600,
    0xAA444444, 0x54A854A8, 0x95809580, 0x96969600, 0xA85454A8, 0x80959580, 0xAA141414, 0x96960000,
    0xAAAA1414, 0xA05050A0, 0xA0A5A5A0, 0x96000000, 0x40804080, 0xA9A8A9A8, 0xAAAAAA44, 0x2A4A5254};
// The anchor pixel of each further subset, whose index has one bit less, like pixel 0 in the first subset.
constexpr std::array<std::uint8_t, 64> anchors_2 = {
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 2,  8, 2, 2, 8,
    8,  15, 2,  8,  2,  2,  8,  8,  2,  2,  15, 15, 6,  8,  2,  8,  15, 15, 2, 8, 2, 2,
    2,  15, 15, 6,  6,  2,  6,  8,  15, 15, 2,  2,  15, 15, 15, 15, 15, 2,  2, 15};
constexpr std::array<std::array<std::uint8_t, 64>, 2> anchors_3 = {
    {{3,  3,  15, 15, 8, 3,  15, 15, 8,  8,  6, 6,  6, 5,  3, 3,  3,  3,  8,  15, 3,  3,
      6,  10, 5,  8,  8, 6,  8,  5,  15, 15, 8, 15, 3, 5,  6, 10, 8,  15, 15, 3,  15, 5,
      15, 15, 15, 15, 3, 15, 5,  5,  5,  8,  5, 10, 5, 10, 8, 13, 15, 12, 3,  3},
     {15, 8, 8, 3,  15, 15, 3,  8,  15, 15, 15, 15, 15, 15, 15, 8,  15, 8,  15, 3,  15, 8,
      15, 8, 3, 15, 6,  10, 15, 15, 10, 8,  15, 3,  15, 10, 10, 8,  9,  10, 6,  15, 8,  15,
      3,  6, 6, 8,  15, 3,  15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 3,  15, 15, 8}}};

// Weight of the second endpoint, of 64, by the number of index bits and the index.
constexpr std::array<std::array<std::uint8_t, 16>, 5> weights = {
    {{},
     {},
     {0, 21, 43, 64},
     {0, 9, 18, 27, 37, 46, 55, 64},
     {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64}}};

// Reads bits of a 128-bit block, lowest first.
class BitReader {
public:
    explicit BitReader(const std::uint8_t* bytes) { std::memcpy(words_.data(), bytes, sizeof words_); }
    unsigned take(unsigned count)
    {
        if (count == 0) return 0;
        const auto value = static_cast<unsigned>(words_[0] & ((1u << count) - 1));
        words_[0] = words_[0] >> count | words_[1] << (64 - count);
        words_[1] >>= count;
        return value;
    }

private:
    std::array<std::uint64_t, 2> words_{};
};

using Ends = std::array<std::array<unsigned, 4>, 6>; // two per subset

// Expands to eight bits by repeating the bits from the top.
unsigned expand_to_8_bits(unsigned value, unsigned bits)
{
    value <<= 8 - bits;
    return value | value >> bits;
}

Ends read_ends(BitReader& in, const Bc7Mode& mode)
{
    Ends ends{};
    const unsigned count = mode.subsets * 2;
    for (std::size_t c = 0; c < 4; ++c)
        for (unsigned e = 0; e < count; ++e)
            ends[e][c] = in.take(c < 3 ? mode.color : mode.alpha);
    const bool more = mode.end_bits || mode.shared_bits;
    for (unsigned e = 0, bit = 0; e < count && more; ++e) {
        if (mode.end_bits || e % 2 == 0) bit = in.take(1);
        for (unsigned& channel : ends[e])
            channel = channel << 1 | bit;
    }
    for (unsigned e = 0; e < count; ++e) {
        for (std::size_t c = 0; c < 3; ++c)
            ends[e][c] = expand_to_8_bits(ends[e][c], mode.color + (more ? 1 : 0));
        ends[e][3] = mode.alpha == 0 ? 255 : expand_to_8_bits(ends[e][3], mode.alpha + (more ? 1 : 0));
    }
    return ends;
}

struct Partition {
    unsigned subsets = 1, number = 0;

    constexpr unsigned subset(unsigned pixel) const
    {
        if (subsets == 1) return 0;
        return subsets == 2 ? partitions_2[number] >> pixel & 1 : partitions_3[number] >> 2 * pixel & 3;
    }
    bool is_anchor(unsigned pixel) const
    {
        if (pixel == 0) return true;
        if (subsets == 2) return pixel == anchors_2[number];
        return subsets == 3 && (pixel == anchors_3[0][number] || pixel == anchors_3[1][number]);
    }
};

// Checks that each anchor is in its subset, and pixel 0 in the first.
constexpr bool tables_agree()
{
    for (unsigned number = 0; number < 64; ++number) {
        const Partition two{2, number}, three{3, number};
        const bool agree = two.subset(0) == 0 && two.subset(anchors_2[number]) == 1 && three.subset(0) == 0 &&
                           three.subset(anchors_3[0][number]) == 1 && three.subset(anchors_3[1][number]) == 2;
        if (!agree) return false;
    }
    return true;
}
static_assert(tables_agree());

std::array<unsigned, 16> read_indices(BitReader& in, unsigned bits, const Partition& partition)
{
    std::array<unsigned, 16> indices{};
    for (unsigned pixel = 0; pixel < 16 && bits > 0; ++pixel)
        indices[pixel] = in.take(partition.is_anchor(pixel) ? bits - 1 : bits);
    return indices;
}

std::uint8_t interpolate(unsigned a, unsigned b, unsigned weight)
{
    return static_cast<std::uint8_t>((a * (64 - weight) + b * weight + 32) >> 6);
}

} // namespace

BlockPixels decode_bc7(const std::uint8_t* bytes)
{
    BlockPixels out{};
    if (bytes[0] == 0) return out; // invalid mode: transparent black
    BitReader in(bytes);
    const auto number = static_cast<unsigned>(std::countr_zero(bytes[0]));
    in.take(number + 1);
    const Bc7Mode& mode = modes[number];
    const Partition partition{mode.subsets, in.take(mode.partition)};
    const unsigned rotation = in.take(mode.rotation);
    const bool swapped = in.take(mode.selection) != 0;
    const Ends ends = read_ends(in, mode);
    const auto first = read_indices(in, mode.indices, partition);
    const auto second = read_indices(in, mode.alpha_indices, partition);
    for (unsigned pixel = 0; pixel < 16; ++pixel) {
        unsigned color = weights[mode.indices][first[pixel]];
        unsigned alpha = mode.alpha_indices > 0 ? weights[mode.alpha_indices][second[pixel]] : color;
        if (swapped) std::swap(color, alpha);
        const std::size_t pair = std::size_t{2} * partition.subset(pixel);
        const auto &a = ends[pair], &b = ends[pair + 1];
        for (std::size_t c = 0; c < 4; ++c)
            out[pixel][c] = interpolate(a[c], b[c], c < 3 ? color : alpha);
        if (rotation > 0) std::swap(out[pixel][3], out[pixel][rotation - 1]);
    }
    return out;
}

} // namespace vitrine::images
