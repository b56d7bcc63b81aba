#pragma once
// The inner loops: characters to numbers. All work on text that ends with a line end which no backslash
// precedes, so that none of them has to compare with an end (see Parser::run).

#include <cstdint>

#include "loaders/io/decimal.hpp"

namespace vitrine::obj {

inline bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}
inline bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}
using io::digit;
using io::scan_decimal;

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
