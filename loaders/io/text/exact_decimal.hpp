#pragma once
// Numbers of up to 15 digits, which double arithmetic reads exactly. The text must go on behind them with
// something that no number holds.

#include <cstdint>

#include "loaders/io/text/scan_decimal.hpp"

namespace vitrine::io {

// Sign, digits, a point and digits, as far as they go. What stands at `end` is readable.
struct Decimal {
    std::uint64_t mantissa = 0;
    std::uint64_t digits = 0, decimals = 0;
    bool negative = false, has_point = false;
    const char* end = nullptr;

    // Both numbers of the quotient are doubles, which makes it the nearest one.
    bool is_exact() const { return digits > 0 && digits <= 15; }
    double value() const // of an exact one
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
