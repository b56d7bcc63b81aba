#include "loaders/gltf/document/meshopt_attributes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace vitrine::gltf {
namespace {

using ByteSpan = std::span<const std::uint8_t>;

constexpr std::uint8_t header = 0xa1;
constexpr std::size_t min_tail = 24;
constexpr std::size_t group_size = 16;
constexpr std::size_t block_bytes = 8192;
constexpr std::size_t max_in_block = 256;

// The unread part of a stream; becomes empty when more is requested than it has.
class ByteCursor {
public:
    explicit ByteCursor(ByteSpan left) : left_(left) {}

    // Returns nullptr when fewer than `count` bytes are left.
    const std::uint8_t* take(std::size_t count)
    {
        if (count > left_.size()) return nullptr;
        const std::uint8_t* const taken = left_.data();
        left_ = left_.subspan(count);
        return taken;
    }
    bool is_empty() const { return left_.empty(); }

private:
    ByteSpan left_;
};

// The baseline element, and for each four bytes the kind of delta to the previous element.
struct Tail {
    ByteSpan baseline;
    ByteSpan channels;
};

// How the deltas of one byte of a block's elements are stored: two bits of the control header.
enum class DeltaEncoding : std::uint8_t { short_groups, long_groups, zeros, literal };

// One group with Bits bits per delta; a delta of all ones is replaced by a full byte after the group.
template <unsigned Bits>
bool read_packed(ByteCursor& in, std::uint8_t* out)
{
    constexpr unsigned sentinel = (1u << Bits) - 1u, deltas_per_byte = 8 / Bits;
    const std::uint8_t* const packed = in.take(std::size_t{2} * Bits);
    if (packed == nullptr) return false;
    for (unsigned i = 0; i < group_size; ++i) {
        const unsigned within = i % deltas_per_byte;
        const unsigned shift = Bits == 1 ? within : 8 - Bits * (within + 1);
        const unsigned delta = (unsigned{packed[i / deltas_per_byte]} >> shift) & sentinel;
        const std::uint8_t* const whole = delta == sentinel ? in.take(1) : nullptr;
        if (delta == sentinel && whole == nullptr) return false;
        out[i] = whole != nullptr ? *whole : static_cast<std::uint8_t>(delta);
    }
    return true;
}

bool read_group(ByteCursor& in, unsigned bits, std::uint8_t* out)
{
    switch (bits) {
    case 0: std::fill_n(out, group_size, std::uint8_t{0}); return true;
    case 1: return read_packed<1>(in, out);
    case 2: return read_packed<2>(in, out);
    case 4: return read_packed<4>(in, out);
    default: break;
    }
    const std::uint8_t* const bytes = in.take(group_size);
    if (bytes == nullptr) return false;
    std::copy_n(bytes, group_size, out);
    return true;
}

// Reads the deltas of one byte of `count` elements; literal data has exactly `count` bytes, groups are
// complete.
bool read_deltas(ByteCursor& in, DeltaEncoding control, std::size_t count, std::uint8_t* out)
{
    const std::size_t groups = (count + group_size - 1) / group_size;
    if (control == DeltaEncoding::zeros) {
        std::fill_n(out, count, std::uint8_t{0});
        return true;
    }
    if (control == DeltaEncoding::literal) {
        const std::uint8_t* const bytes = in.take(count);
        if (bytes != nullptr) std::copy_n(bytes, count, out);
        return bytes != nullptr;
    }
    constexpr std::array<unsigned, 4> short_bits = {0, 1, 2, 4}, long_bits = {1, 2, 4, 8};
    const auto& bits = control == DeltaEncoding::short_groups ? short_bits : long_bits;
    const std::uint8_t* const modes = in.take((groups + 3) / 4);
    if (modes == nullptr) return false;
    for (std::size_t g = 0; g < groups; ++g)
        if (!read_group(in, bits[(modes[g / 4] >> (g % 4 * 2)) & 3u], out + g * group_size)) return false;
    return true;
}

template <class Value>
Value from_zigzag(Value coded)
{
    const auto half = static_cast<Value>(coded >> 1);
    return (coded & 1u) != 0 ? static_cast<Value>(~half) : half;
}

// Accumulates deltas from element to element: values of Channel::size bytes at the first of the channel's
// four bytes, with the deltas stored byte by byte in `deltas`.
template <class Value, class Step>
void add_up(const std::uint8_t* deltas, std::size_t aligned, std::size_t count, std::size_t stride,
            std::uint8_t* before, std::uint8_t* out, Step step)
{
    for (std::size_t first = 0; first < 4; first += sizeof(Value)) {
        Value value = 0;
        std::memcpy(&value, before + first, sizeof value);
        for (std::size_t i = 0; i < count; ++i) {
            Value delta = 0;
            for (std::size_t b = 0; b < sizeof(Value); ++b)
                delta = static_cast<Value>(delta | Value{deltas[(first + b) * aligned + i]} << (8 * b));
            value = step(value, delta);
            std::memcpy(out + i * stride + first, &value, sizeof value);
        }
        std::memcpy(before + first, &value, sizeof value);
    }
}

// Decodes the elements of one block, four bytes of each at a time. `before` is the previous element and is
// set to the last one.
class AttributeBlock {
public:
    AttributeBlock(std::size_t stride, std::size_t count)
        : stride_(stride), count_(count), aligned_((count + group_size - 1) / group_size * group_size)
    {
    }

    bool decode(ByteCursor& in, ByteSpan channels, std::uint8_t* before, std::uint8_t* out)
    {
        const std::uint8_t* const controls = in.take(stride_ / 4);
        if (controls == nullptr) return false;
        for (std::size_t c = 0; c < stride_ / 4; ++c) {
            for (std::size_t b = 0; b < 4; ++b)
                if (!read_deltas(in, static_cast<DeltaEncoding>((controls[c] >> (b * 2)) & 3u), count_,
                                 deltas_.data() + b * aligned_))
                    return false;
            undo(channels[c], before + c * 4, out + c * 4);
        }
        return true;
    }

private:
    void undo(std::uint8_t channel, std::uint8_t* before, std::uint8_t* out)
    {
        const auto sum = [](auto value, auto delta) {
            return static_cast<decltype(value)>(value + from_zigzag(delta));
        };
        const auto go = [&]<class Value>(Value, auto step) {
            add_up<Value>(deltas_.data(), aligned_, count_, stride_, before, out, step);
        };
        if (channel == 0) return go(std::uint8_t{}, sum);
        if (channel == 1) return go(std::uint16_t{}, sum);
        go(std::uint32_t{}, [turn = channel >> 4](std::uint32_t value, std::uint32_t delta) {
            return value ^ std::rotr(delta, turn);
        });
    }

    std::size_t stride_, count_, aligned_;
    std::array<std::uint8_t, max_in_block * 4> deltas_{};
};

bool is_channel(std::uint8_t mode)
{
    return mode < 2 || (mode & 0xfu) == 2;
}

} // namespace

bool is_meshopt_version_1(ByteSpan stream)
{
    return !stream.empty() && stream[0] == header;
}

bool decode_meshopt_attributes(ByteSpan stream, std::size_t stride, std::span<std::uint8_t> out)
{
    const std::size_t tail_size = stride + stride / 4, padded = std::max(tail_size, min_tail);
    if (!is_meshopt_version_1(stream) || stream.size() < 1 + padded) return false;
    const Tail tail{stream.last(tail_size).first(stride), stream.last(stride / 4)};
    if (!std::ranges::all_of(tail.channels, is_channel)) return false;
    std::array<std::uint8_t, 256> before{};
    std::ranges::copy(tail.baseline, before.begin());
    ByteCursor in(stream.subspan(1, stream.size() - 1 - padded));
    const std::size_t max_count = std::min(block_bytes / stride & ~(group_size - 1), max_in_block);
    while (!out.empty()) {
        const std::size_t count = std::min(max_count, out.size() / stride);
        if (!AttributeBlock(stride, count).decode(in, tail.channels, before.data(), out.data())) return false;
        out = out.subspan(count * stride);
    }
    return in.is_empty();
}

} // namespace vitrine::gltf
