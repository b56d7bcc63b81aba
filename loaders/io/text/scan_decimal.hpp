#pragma once
// The inner loop of text formats: converts characters to numbers without checking for the end. The text must
// end with a character that is not part of a number (a line end, '<', zero).

#include <array>
#include <cstdint>

namespace vitrine::io {

inline unsigned digit(char c)
{
    return static_cast<unsigned char>(c) - unsigned{'0'};
}

// 10^0 .. 10^22: exact as doubles.
inline constexpr std::array<double, 23> powers_of_ten = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                         1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                         1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// Reads a simple decimal of at most 19 digits as the nearest double (exact up to 2^53). Returns false,
// leaving `at` unchanged, for other text: exponents, longer numbers, words.
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
    // A number is followed by white space; exponents, letters and others use the slow path.
    if (digits == 0 || digits > 19 || static_cast<unsigned char>(*p) > ' ') return false;
    const double value = static_cast<double>(mantissa) / powers_of_ten[decimals];
    out = negative ? -value : value;
    at = p;
    return true;
}

} // namespace vitrine::io
