#pragma once
// The inner loops: characters to numbers. All work on text that ends with a line end which no backslash
// precedes, so that none of them has to compare with an end (see Parser::run).

#include <array>
#include <cstdint>

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
    const char* first = at;
    std::uint32_t value = 0; // wraps in numbers that are too long anyway
    for (unsigned d = digit(*at); d < 10; d = digit(*at)) {
        value = value * 10 + d;
        ++at;
    }
    return at - first > 8 ? 0 : value;
}

} // namespace vitrine::obj
