#pragma once
// Inner loops that convert characters to numbers. They work on text that ends with a line end without a
// preceding backslash, so they need no end checks, and after which at least `padding` bytes can be read (see
// Parser::run).

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "loaders/base/ascii.hpp"
#include "loaders/io/text/number_scanner.hpp"
#include "loaders/io/text/scan_decimal.hpp"

namespace vitrine::obj {

inline bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}
inline bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}
// Control characters count as blanks.
inline bool is_white(char c)
{
    return static_cast<unsigned char>(c) <= ' ';
}
// Removes a trailing comment. Names may contain '#', so this is only used when the complete name is not
// found.
inline std::string_view without_comment(std::string_view name)
{
    for (std::size_t at = name.find('#'); at != name.npos; at = name.find('#', at + 1)) {
        if (at > 0 && is_white(name[at - 1])) return ascii::trimmed(name.substr(0, at), is_white);
    }
    return name;
}
using io::digit;
using io::scan_decimal;

inline constexpr std::size_t padding = io::line_read_ahead;

struct Digits {
    std::uint32_t value = 0;
    unsigned count = 0; // 8: more may follow
};

// Scans the digits at the front of eight characters and advances `at`. `expected` is the previous digit
// count, which the branch predictor uses: with countr_zero each number would depend on the one before it,
// which measured twice as slow. The value itself is computed without branches.
inline Digits scan_digits(const char*& at, unsigned& expected)
{
    const std::uint64_t word = io::eight_digits(at), ends = io::non_digits(word);
    const std::uint64_t end = std::uint64_t{0x80}
                              << 8 * expected; // the first non-digit if `expected` is right
    unsigned count = expected;
    if ((ends & (2 * end - 1)) == end) {
        at += expected;
    } else {
        count = ends == 0 ? 8u : static_cast<unsigned>(std::countr_zero(ends)) / 8;
        at += count;
        expected = std::min(count, 7u);
    }
    return {count == 0 ? 0 : io::join_digits(word, count), count};
}

// Scans a signed integer; returns false when there is none. Very long numbers saturate.
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

// Scans an unsigned index of at most 7 digits; returns 0, which is not a valid index, for anything else.
inline std::uint32_t scan_index(const char*& at, unsigned& expected)
{
    const Digits digits = scan_digits(at, expected);
    return digits.count == 8 ? 0 : digits.value;
}

// The same when the index often equals the `length` characters at `before`, whose value is known: many files
// use equal indices for a corner's position, texture coordinate and normal.
inline std::uint32_t scan_repeated_index(const char*& at, const char* before, std::ptrdiff_t length,
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

// Scans a corner with equal indices for position, texture coordinate and normal: "7/7/7", of `expected`
// digits each, followed by a blank or line end. Returns 0, which is not a valid index, leaving `at`
// unchanged, for other corners.
inline std::uint32_t scan_uniform_corner(const char*& at, unsigned expected)
{
    if (expected == 0) return 0;
    const char* const second = at + expected + 1;
    const char* const third = second + expected + 1;
    const std::uint64_t word = io::eight_digits(at);
    const std::uint64_t end = std::uint64_t{0x80} << 8 * expected;
    const unsigned rest = 64 - 8 * expected; // bits after the digits
    const bool has_length = (io::non_digits(word) & (2 * end - 1)) == end && at[expected] == '/';
    const std::uint64_t differs =
        (word ^ io::eight_digits(second)) << (rest - 8) | (word ^ io::eight_digits(third)) << rest;
    if (!has_length || differs != 0 || static_cast<unsigned char>(third[expected]) > ' ') return 0;
    at = third + expected;
    return io::join_digits(word, expected);
}

} // namespace vitrine::obj
