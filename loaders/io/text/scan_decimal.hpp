#pragma once
// The digits of a number, one character or eight at a time: what all readers of text share
// (number_scanner.hpp says which reads what). No function checks for the end: the text must continue with a
// character that is not part of a number (a line end, '<', zero).

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace vitrine::io {

inline unsigned digit(char c)
{
    return static_cast<unsigned char>(c) - unsigned{'0'};
}

// 10^0 .. 10^22: exact as doubles.
inline constexpr std::array<double, 23> powers_of_ten = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                         1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                         1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// Eight characters XORed with '0': digits become 0 to 9, other characters do not.
inline std::uint64_t eight_digits(const char* at)
{
    static_assert(std::endian::native == std::endian::little);
    std::uint64_t chars = 0;
    std::memcpy(&chars, at, sizeof chars);
    return chars ^ 0x3030'3030'3030'3030u;
}

// Sets the high bit of each byte that is not a digit, for characters XORed with '0'. A carry only affects
// bytes after the first of these.
inline std::uint64_t non_digits(std::uint64_t digits)
{
    return ((digits + 0x7676'7676'7676'7676u) | digits) & 0x8080'8080'8080'8080u;
}

// Converts eight digits to a number, as in "Faster integer parsing" by J. Rauh: combines pairs, then fours,
// then all eight.
inline std::uint32_t join_eight_digits(std::uint64_t digits)
{
    digits = digits * 10 + (digits >> 8);
    constexpr std::uint64_t pairs = 0x0000'00FF'0000'00FFu;
    const std::uint64_t high = (digits & pairs) * 0x000F'4240'0000'0064u;
    const std::uint64_t low = (digits >> 16 & pairs) * 0x0000'2710'0000'0001u;
    return static_cast<std::uint32_t>((high + low) >> 32);
}

// Converts the first `count` (1 to 8) of eight digits to a number.
inline std::uint32_t join_digits(std::uint64_t digits, std::uint64_t count)
{
    return join_eight_digits(digits << (64 - 8 * count)); // leading zeros
}

// Appends the digits at `at` to `value`, which overflows after 19 of them. Returns their number.
struct AppendDigits {
    std::uint64_t operator()(const char*& at, std::uint64_t& value) const
    {
        const char* first = at;
        for (unsigned d = digit(*at); d < 10; d = digit(*at)) {
            value = value * 10 + d;
            ++at;
        }
        return static_cast<std::uint64_t>(at - first);
    }
};

// The same for long numbers: takes eight digits at once where they are before `last`.
struct AppendManyDigits {
    const char* last;

    std::uint64_t operator()(const char*& at, std::uint64_t& value) const
    {
        const char* first = at;
        while (last - at >= 8) {
            const std::uint64_t digits = eight_digits(at);
            if (non_digits(digits) != 0) break;
            value = value * 100'000'000 + join_eight_digits(digits);
            at += 8;
        }
        AppendDigits()(at, value);
        return static_cast<std::uint64_t>(at - first);
    }
};

// The longest sequence of sign, digits, point and digits.
struct Decimal {
    std::uint64_t mantissa = 0; // all digits; overflows after 19
    std::uint64_t digits = 0, decimals = 0;
    bool negative = false, has_point = false;
    const char* end = nullptr;

    // Numerator and denominator are exact doubles, so the quotient is the nearest double.
    bool is_exact() const { return digits > 0 && digits <= 15; }
    // With more digits the quotient of the nearest doubles, within 1 in 2^52. Precondition: 1 to 19 digits.
    bool is_simple() const { return digits > 0 && digits <= 19; }
    double value() const
    {
        const double magnitude = static_cast<double>(mantissa) / powers_of_ten[decimals];
        return negative ? -magnitude : magnitude;
    }
};

// Splits the digits after a sign.
template <class Append = AppendDigits>
inline Decimal split_magnitude(const char* at, bool negative, Append append = {})
{
    Decimal out{.negative = negative};
    out.digits = append(at, out.mantissa);
    out.has_point = *at == '.';
    if (out.has_point) {
        ++at;
        out.decimals = append(at, out.mantissa);
        out.digits += out.decimals;
    }
    out.end = at;
    return out;
}

// The sign is '-' or missing.
inline Decimal split_decimal(const char* at)
{
    const bool negative = *at == '-';
    return split_magnitude(negative ? at + 1 : at, negative);
}

struct EndsAtBlank { // or at a control character
    bool operator()(char c) const { return static_cast<unsigned char>(c) <= ' '; }
};

// Reads a decimal of at most 19 digits that ends at a character for which `ends` holds. Returns false,
// leaving `at` unchanged, for other text: exponents, longer numbers, words.
template <class Ends = EndsAtBlank, class Append = AppendDigits>
inline bool scan_decimal(const char*& at, double& out, Ends ends = {}, Append append = {})
{
    const bool negative = *at == '-';
    const Decimal decimal = split_magnitude(negative || *at == '+' ? at + 1 : at, negative, append);
    if (!decimal.is_simple() || !ends(*decimal.end)) return false;
    out = decimal.value();
    at = decimal.end;
    return true;
}

} // namespace vitrine::io
