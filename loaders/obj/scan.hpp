#pragma once
// The inner loops: characters to numbers. All work on text that ends with a line end which no backslash
// precedes and behind which 8 more bytes may be read, so that none of them has to compare with an end (see
// Parser::run).

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace vitrine::obj {

inline bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}
inline bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}
inline unsigned digit(char c)
{
    return static_cast<unsigned char>(c) - unsigned{'0'};
}

// The digits at the start of the 8 bytes at `at`, all at once: their count and their value.
struct EightDigits {
    unsigned count;
    std::uint32_t value;
};
inline EightDigits scan_eight(const char* at)
{
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, at, 8);
    bytes ^= 0x3030'3030'3030'3030; // digits become 0 .. 9; little-endian, the first one lowest
    const std::uint64_t others =
        (((bytes & 0x7F7F'7F7F'7F7F'7F7F) + 0x7676'7676'7676'7676) | bytes) & 0x8080'8080'8080'8080;
    const auto count = static_cast<unsigned>(std::countr_zero(others)) / 8;
    if (count == 0) return {0, 0};
    bytes <<= (8 - count) * 8; // zeros before the first digit, nothing behind the last
    bytes = bytes * 10 + (bytes >> 8);
    const std::uint64_t pairs = 0x0000'00FF'0000'00FF;
    bytes = (bytes & pairs) * 0x000F'4240'0000'0064 + (bytes >> 16 & pairs) * 0x0000'2710'0000'0001;
    return {count, static_cast<std::uint32_t>(bytes >> 32)};
}
static_assert(std::endian::native == std::endian::little);

inline constexpr std::array<std::uint32_t, 9> whole_powers = {
    1, 10, 100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000};

// 10^0 .. 10^22: what a double holds exactly.
inline constexpr std::array<double, 23> powers_of_ten = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                         1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                         1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// A plain decimal of at most 19 digits, the usual case, to the nearest double (exact up to 2^53). False, and
// `at` as it was, for anything else: exponents, longer ones, words.
inline bool scan_decimal(const char*& at, double& out)
{
    const char* p = at;
    const bool negative = *p == '-';
    if (negative || *p == '+') ++p;
    std::uint64_t mantissa = 0;
    const char* first = p;
    for (unsigned d = digit(*p); d < 10; d = digit(*p)) {
        mantissa = mantissa * 10 + d;
        ++p;
    }
    std::uint64_t digits = static_cast<std::uint64_t>(p - first), decimals = 0;
    if (*p == '.') {
        first = ++p;
        const EightDigits some = scan_eight(p);
        mantissa = mantissa * whole_powers[some.count] + some.value;
        p += some.count;
        for (unsigned d = digit(*p); d < 10; d = digit(*p)) {
            mantissa = mantissa * 10 + d;
            ++p;
        }
        decimals = static_cast<std::uint64_t>(p - first);
        digits += decimals;
    }
    // What follows a number is a blank or the line's end; e, letters and all else take the slow way.
    if (digits == 0 || digits > 19 || static_cast<unsigned char>(*p) > ' ') return false;
    const double value = static_cast<double>(mantissa) / powers_of_ten[decimals];
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

// An index without a sign, of at most 8 digits; 0, which no element has, for anything else.
inline std::uint32_t scan_index(const char*& at)
{
    const EightDigits digits = scan_eight(at);
    at += digits.count;
    return digit(*at) < 10 ? 0 : digits.value;
}

} // namespace vitrine::obj
