#pragma once
// The inner loops: characters to numbers. All work on text that ends with a line end which no backslash
// precedes, so that none of them has to compare with an end, and behind which at least `padding` bytes may be
// read (see Parser::run).

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "loaders/io/decimal.hpp"
#include "loaders/io/plain_numbers.hpp"

namespace vitrine::obj {

inline bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}
inline bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}
// Controls count as blanks.
inline bool is_white(char c)
{
    return static_cast<unsigned char>(c) <= ' ';
}
using io::digit;
using io::scan_decimal;

inline constexpr std::size_t padding = io::plain_line_reach;

struct Digits {
    std::uint32_t value = 0;
    unsigned count = 0; // 8: perhaps more follow
};

// The digits at the front of eight characters; `at` moves behind them. `expected` is how many there were the
// last time, which a processor foresees to be right again: by arithmetic (countr_zero) each number would have
// to wait for the one before it, which measured twice as slow. The value is arithmetic, nothing waits for it.
inline Digits scan_digits(const char*& at, unsigned& expected)
{
    static_assert(std::endian::native == std::endian::little);
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    word ^= 0x3030'3030'3030'3030u; // digits are 0 to 9 now, and nothing else is
    // The high bit of each byte that is no digit. A carry spoils only bytes behind the first of these.
    const std::uint64_t others = ((word + 0x7676'7676'7676'7676u) | word) & 0x8080'8080'8080'8080u;
    const std::uint64_t end = std::uint64_t{0x80} << 8 * expected; // the first of them, if expected is right
    unsigned count = expected;
    if ((others & (2 * end - 1)) == end) {
        at += expected;
    } else {
        count = others == 0 ? 8u : static_cast<unsigned>(std::countr_zero(others)) / 8;
        at += count;
        expected = std::min(count, 7u);
    }
    if (count == 0) return {};
    word <<= 64 - 8 * count;        // leading zeros
    word = word * 10 + (word >> 8); // pairs, then fours, then all
    constexpr std::uint64_t pairs = 0x0000'00FF'0000'00FFu;
    const std::uint64_t high = (word & pairs) * 0x000F'4240'0000'0064u;
    const std::uint64_t low = (word >> 16 & pairs) * 0x0000'2710'0000'0001u;
    return {static_cast<std::uint32_t>((high + low) >> 32), count};
}

// A plain decimal of fewer than eight digits on either side of its point, to the nearest double; false, and
// `at` as it was, for any other.
inline bool scan_short_decimal(const char*& at, double& out, unsigned& expected)
{
    const char* p = at;
    const bool negative = *p == '-';
    if (negative || *p == '+') ++p;
    const char* first = p;
    std::uint64_t mantissa = 0;
    for (unsigned d = digit(*p); d < 10 && p - first < 8; d = digit(*p)) {
        mantissa = mantissa * 10 + d;
        ++p;
    }
    const auto whole = p - first;
    unsigned decimals = 0;
    if (*p == '.') {
        constexpr std::uint32_t powers[] = {1,       10,        100,        1'000,      10'000,
                                            100'000, 1'000'000, 10'000'000, 100'000'000};
        const Digits part = scan_digits(++p, expected);
        decimals = part.count;
        mantissa = mantissa * powers[decimals] + part.value;
    }
    const bool none = whole == 0 && decimals == 0, too_long = whole == 8 || decimals == 8;
    if (none || too_long || static_cast<unsigned char>(*p) > ' ') return false;
    const double value = static_cast<double>(mantissa) / io::powers_of_ten[decimals];
    out = negative ? -value : value;
    at = p;
    return true;
}

// A whole number with sign; false when there is none. Numbers too long for any file saturate.
inline bool scan_integer(const char*& at, std::int64_t& out)
{
    const char* p = at;
    const bool negative = *p == '-';
    if (negative || *p == '+') ++p;
    const char* first = p;
    std::int64_t value = 0;
    for (unsigned d = digit(*p); d < 10; d = digit(*p)) {
        value = value < 1'000'000'000'000 ? value * 10 + d : value;
        ++p;
    }
    if (p == first) return false;
    out = negative ? -value : value;
    at = p;
    return true;
}

// An index without a sign, of at most 7 digits; 0, which no element has, for anything else.
inline std::uint32_t scan_index(const char*& at, unsigned& expected)
{
    const Digits digits = scan_digits(at, expected);
    return digits.count == 8 ? 0 : digits.value;
}

// The same where the index is often that of `length` characters at `before`, whose value is known: many files
// give a corner's position, texture coordinate and normal one number.
inline std::uint32_t scan_index_again(const char*& at, const char* before, std::ptrdiff_t length,
                                      std::uint32_t known, unsigned& expected)
{
    std::uint64_t here = 0, there = 0;
    std::memcpy(&here, at, sizeof here);
    std::memcpy(&there, before, sizeof there);
    const bool same = length > 0 && length < 8 && ((here ^ there) << (64 - 8 * length)) == 0;
    if (!same || digit(at[length]) < 10) return scan_index(at, expected);
    at += length;
    return known;
}

} // namespace vitrine::obj
