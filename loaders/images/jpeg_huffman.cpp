#include "loaders/images/jpeg_huffman.hpp"

#include <algorithm>

namespace vitrine::images {

bool JpegHuffmanTable::read(io::ByteReader& in, bool is_dc)
{
    const Bytes lengths = in.read_bytes(max_code_bits);
    std::size_t total = 0;
    for (const std::byte count : lengths)
        total += std::to_integer<std::size_t>(count);
    const Bytes symbols = in.read_bytes(total);
    if (in.failed() || total > symbols_.size()) return false;
    std::ranges::transform(symbols, symbols_.begin(),
                           [](std::byte b) { return std::to_integer<std::uint8_t>(b); });
    steps_.fill({});
    exists_ = true;
    is_dc_ = is_dc;
    if (!assign_codes(lengths)) return false;
    if (!is_dc) combine_steps();
    return true;
}

bool JpegHuffmanTable::assign_codes(Bytes lengths)
{
    constexpr std::uint8_t max_dc_symbol = 15; // of libjpeg
    std::uint32_t code = 0;
    std::size_t index = 0;
    for (unsigned length = 1; length <= max_code_bits; ++length, code <<= 1) {
        const auto count = std::to_integer<std::uint32_t>(lengths[length - 1]);
        first_code_[length] = code;
        first_index_[length] = index;
        count_[length] = count;
        for (std::uint32_t i = 0; i < count; ++i, ++code, ++index) {
            if (is_dc_ && symbols_[index] > max_dc_symbol) return false;
            if (length > lookup_bits) continue;
            const auto first = std::size_t{code} << (lookup_bits - length);
            if (first >= steps_.size()) return false;
            std::fill_n(steps_.begin() + static_cast<std::ptrdiff_t>(first),
                        std::size_t{1} << (lookup_bits - length), step_of(symbols_[index], length));
        }
        if (code >= 1u << length) return false; // no code is all ones (C, note 3)
    }
    return true;
}

// As many steps as the bits of an index determine: their codes and values are within them.
void JpegHuffmanTable::combine_steps()
{
    for (std::size_t index = 0; index < several_.size(); ++index) {
        JpegStep all;
        for (bool ends = false; !ends;) {
            const JpegStep next = steps_[index << all.bits & (steps_.size() - 1)];
            ends = next.coefficients == ends_block;
            const unsigned passed = all.coefficients + (ends ? 0u : next.coefficients);
            if (next.bits == 0 || all.bits + next.bits > lookup_bits || passed >= ends_block) break;
            all.bits = static_cast<std::uint8_t>(all.bits + next.bits);
            all.coefficients = static_cast<std::uint8_t>(passed + (ends ? ends_block : 0));
        }
        several_[index] = all.bits != 0 ? all : JpegStep{0, ends_block - 1};
    }
}

// A symbol of AC is a run of zeros and the size of the value after it; size 0 ends the block, but not after a
// run of 15 (F.1.2.2).
JpegStep JpegHuffmanTable::step_of(std::uint8_t symbol, unsigned length) const
{
    constexpr unsigned zeros_only = 15;
    const unsigned size = symbol & 15u, run = symbol >> 4u;
    const bool ends = !is_dc_ && size == 0 && run != zeros_only;
    return {static_cast<std::uint8_t>(length + size), static_cast<std::uint8_t>(ends ? ends_block : run + 1)};
}

JpegStep JpegHuffmanTable::long_step(std::uint32_t bits) const
{
    for (unsigned length = lookup_bits + 1; length <= max_code_bits; ++length) {
        const std::uint32_t offset = (bits >> (32 - length)) - first_code_[length];
        if (offset < count_[length]) return step_of(symbols_[first_index_[length] + offset], length);
    }
    return {};
}

} // namespace vitrine::images
