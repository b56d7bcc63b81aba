#pragma once
// The inner loop of text formats: characters to numbers without looking for an end. The text must end with
// something that no number holds (a line end, a '<', a zero).

#include <array>
#include <cstdint>

namespace vitrine::io {

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

} // namespace vitrine::io
