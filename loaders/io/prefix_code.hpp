#pragma once
// The prefix codes of DEFLATE (RFC 1951) as tables. Private to inflate.cpp.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace vitrine::io {

// What the next bits of the stream mean, in 32 bits: how many of them to take, the codeword's own length,
// what kind of symbol it is, and its value. Of literals two where both are known.
class CodeEntry {
public:
    enum Kind : std::uint32_t {
        number = 0,
        literal = 1u << 12,
        further = 1u << 13,
        end = 1u << 14,
        bad = 1u << 15
    };

    constexpr CodeEntry() = default;
    constexpr CodeEntry(Kind kind, std::uint32_t value, std::uint32_t extra_bits)
        : word_(value << 16 | kind | extra_bits)
    {
    }
    // The same symbol by a codeword of that length.
    constexpr CodeEntry with_length(std::uint32_t length) const
    {
        return CodeEntry(word_ + length + ((is(literal) ? 1 : length) << 8));
    }
    // Two literals, one after the other.
    constexpr CodeEntry and_then(CodeEntry other) const
    {
        return CodeEntry(word_ + other.bits() + (1u << 8) + (other.value() << 24));
    }

    constexpr bool is(std::uint32_t kinds) const { return (word_ & kinds) != 0; }
    constexpr std::uint32_t bits() const { return word_ & 0xFF; } // with the extra ones
    constexpr std::uint32_t shift() const { return word_ & 63; }  // the same, as a shift wants them
    // The extra bits stand behind so many.
    constexpr std::uint32_t length() const { return word_ >> 8 & 63; } // of numbers
    constexpr std::uint32_t literals() const { return word_ >> 8 & 3; }
    // One or two bytes, the least number, the place of further entries.
    constexpr std::uint32_t value() const { return word_ >> 16; }

private:
    constexpr explicit CodeEntry(std::uint32_t word) : word_(word) {}

    std::uint32_t word_ = bad;
};

inline constexpr unsigned longest_codeword = 15;

// Entries by the next `bits` bits; longer codewords lead to further entries by the rest of theirs.
template <unsigned bits, std::size_t symbols>
class CodeTable {
public:
    // `lengths` of the symbols' codewords, 0 for those that do not occur; `meanings` of as many symbols.
    // False for a code that is over-subscribed or leaves bits without a meaning, but for one codeword of one
    // bit or none at all, whose other bits are bad.
    bool build(std::span<const std::uint8_t> lengths, std::span<const CodeEntry> meanings);

    CodeEntry find(std::uint64_t stream) const { return entries_[stream & (size - 1)]; }
    // With those bits of the stream behind the first `bits`.
    CodeEntry find_further(CodeEntry entry, std::uint64_t stream) const
    {
        return entries_[entry.value() + (stream & (further_size - 1))];
    }
    // Joins each two literals that the first bits tell.
    void join_literals();

private:
    static constexpr std::size_t size = std::size_t{1} << bits;
    static constexpr std::size_t further_size = std::size_t{1} << (longest_codeword - bits);
    // Each group of further entries has two codewords at least.
    std::array<CodeEntry, size + symbols / 2 * further_size> entries_;
};

template <unsigned bits, std::size_t symbols>
bool CodeTable<bits, symbols>::build(std::span<const std::uint8_t> lengths,
                                     std::span<const CodeEntry> meanings)
{
    std::array<std::uint32_t, longest_codeword + 1> count{}, next{};
    for (const std::uint8_t length : lengths)
        ++count[length];
    std::uint32_t used = 0, code = 0; // of all codewords of 15 bits
    for (unsigned length = 1; length <= longest_codeword; ++length) {
        used += count[length] << (longest_codeword - length);
        code = (code + (length > 1 ? count[length - 1] : 0)) << 1;
        next[length] = code;
    }
    constexpr std::uint32_t all = 1u << longest_codeword;
    if (used != all && used != 0 && !(used == all / 2 && count[1] == 1)) return false;
    if (used != all) entries_.fill({});
    std::uint32_t further = size;
    std::array<std::uint32_t, size> groups{}; // by the first bits: where further entries stand
    for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
        const unsigned length = lengths[symbol];
        if (length == 0) continue;
        std::uint32_t reversed = 0; // the stream has a codeword's first bit lowest
        for (std::uint32_t b = 0, c = next[length]++; b < length; ++b, c >>= 1)
            reversed = reversed << 1 | (c & 1);
        if (length <= bits) {
            const CodeEntry entry = meanings[symbol].with_length(length);
            for (std::size_t at = reversed; at < size; at += std::size_t{1} << length)
                entries_[at] = entry;
            continue;
        }
        std::uint32_t& group = groups[reversed & (size - 1)];
        if (group == 0) {
            group = further;
            entries_[reversed & (size - 1)] = CodeEntry(CodeEntry::further, further, bits);
            further += further_size;
        }
        const unsigned rest = length - bits;
        const CodeEntry entry = meanings[symbol].with_length(rest);
        for (std::size_t at = reversed >> bits; at < further_size; at += std::size_t{1} << rest)
            entries_[group + at] = entry;
    }
    return true;
}

template <unsigned bits, std::size_t symbols>
void CodeTable<bits, symbols>::join_literals()
{
    for (std::size_t at = size; at-- > 0;) { // what is looked up stands before and is not joined yet
        const CodeEntry first = entries_[at];
        if (!first.is(CodeEntry::literal)) continue;
        const CodeEntry second = entries_[at >> first.bits()];
        if (second.is(CodeEntry::literal) && first.bits() + second.bits() <= bits)
            entries_[at] = first.and_then(second);
    }
}

} // namespace vitrine::io
