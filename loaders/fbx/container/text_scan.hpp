#pragma once
// Inner loops of the text container: characters to numbers. Text runs from `at` to `last`; the scanned part
// is followed, before `last`, by a character that cannot belong to a number, so digits need no end check.

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace vitrine::fbx {

inline bool is_blank(char c)
{
    return static_cast<unsigned char>(c) <= ' ';
}
inline unsigned digit(char c)
{
    return static_cast<unsigned char>(c) - unsigned{'0'};
}

// 10^0 to 10^22: the powers that a double represents exactly.
inline constexpr std::array<double, 23> powers_of_ten = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                         1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                         1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// Parses eight digits at once, as in "Faster integer parsing" by J. Rauh and D. Lemire's article about it:
// neighbors are combined into numbers of two, four and eight digits. Little-endian machines only.
inline bool all_digits(std::uint64_t chars)
{
    return ((chars & 0xF0F0'F0F0'F0F0'F0F0u) |
            (((chars + 0x0606'0606'0606'0606u) & 0xF0F0'F0F0'F0F0'F0F0u) >> 4)) == 0x3333'3333'3333'3333u;
}
inline std::uint64_t eight_digits(std::uint64_t chars)
{
    static_assert(std::endian::native == std::endian::little);
    chars -= 0x3030'3030'3030'3030u;
    chars = chars * 10 + (chars >> 8);
    constexpr std::uint64_t mask = 0x0000'00FF'0000'00FFu;
    return (((chars & mask) * 0x000F'4240'0000'0064u) + (((chars >> 16) & mask) * 0x0000'2710'0000'0001u)) >>
           32;
}

inline const char* scan_digits(const char* at, const char* last, std::uint64_t& value)
{
    while (last - at >= 8) {
        std::uint64_t chars;
        std::memcpy(&chars, at, 8);
        if (!all_digits(chars)) break;
        value = value * 100'000'000 + eight_digits(chars);
        at += 8;
    }
    for (unsigned d = digit(*at); d < 10; d = digit(*at)) {
        value = value * 10 + d;
        ++at;
    }
    return at;
}

// Parses a decimal of at most 19 digits without exponent, the common case, to the nearest double (exact up to
// 2^53, else within 1 in 2^52). Returns false, leaving `at` unchanged, for exponents, longer numbers and
// words.
inline bool scan_decimal(const char*& at, const char* last, double& out)
{
    const char* p = at;
    const bool negative = *p == '-';
    if (negative || *p == '+') ++p;
    std::uint64_t mantissa = 0;
    const char* first = p;
    p = scan_digits(p, last, mantissa);
    std::uint64_t digits = static_cast<std::uint64_t>(p - first), decimals = 0;
    if (*p == '.') {
        first = ++p;
        p = scan_digits(p, last, mantissa);
        decimals = static_cast<std::uint64_t>(p - first);
        digits += decimals;
    }
    if (digits == 0 || digits > 19 || (*p != ',' && !is_blank(*p))) return false;
    const double value = static_cast<double>(mantissa) / powers_of_ten[decimals];
    out = negative ? -value : value;
    at = p;
    return true;
}

// Parses a signed integer of at most 18 digits. Returns false, leaving `at` unchanged, for anything else.
inline bool scan_integer(const char*& at, const char* last, std::int64_t& out)
{
    const char* p = at;
    const bool negative = *p == '-';
    if (negative || *p == '+') ++p;
    std::uint64_t value = 0;
    const char* first = p;
    p = scan_digits(p, last, value);
    if (p == first || p - first > 18 || (*p != ',' && !is_blank(*p))) return false;
    out = negative ? -static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value);
    at = p;
    return true;
}

} // namespace vitrine::fbx
