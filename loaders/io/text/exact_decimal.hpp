#pragma once
// Decimals of up to 15 digits, which double arithmetic converts exactly. The text must continue with a
// character that is not part of a number.

#include <cstdint>

#include "loaders/io/text/scan_decimal.hpp"

namespace vitrine::io {

// The longest sequence of sign, digits, point and digits. The character at `end` must be readable.
struct Decimal {
    std::uint64_t mantissa = 0;
    std::uint64_t digits = 0, decimals = 0;
    bool negative = false, has_point = false;
    const char* end = nullptr;

    // Numerator and denominator are exact doubles, so the quotient is the nearest double.
    bool is_exact() const { return digits > 0 && digits <= 15; }
    double value() const // precondition: is_exact()
    {
        const double magnitude = static_cast<double>(mantissa) / powers_of_ten[decimals];
        return negative ? -magnitude : magnitude;
    }
};

inline std::uint64_t append_digits(const char*& at, std::uint64_t& mantissa)
{
    const char* first = at;
    for (unsigned d = digit(*at); d < 10; d = digit(*at)) {
        mantissa = mantissa * 10 + d;
        ++at;
    }
    return static_cast<std::uint64_t>(at - first);
}

inline Decimal split_decimal(const char* at)
{
    Decimal out{.negative = *at == '-'};
    if (out.negative) ++at;
    out.digits = append_digits(at, out.mantissa);
    out.has_point = *at == '.';
    if (out.has_point) {
        ++at;
        out.decimals = append_digits(at, out.mantissa);
        out.digits += out.decimals;
    }
    out.end = at;
    return out;
}

} // namespace vitrine::io
