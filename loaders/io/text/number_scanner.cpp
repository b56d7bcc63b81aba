#include "loaders/io/text/number_scanner.hpp"

#include <fast_float/fast_float.h>

namespace vitrine::io {

ScannedNumber scan_number(const char* first, const char* last)
{
    const char* digits = first;
    if (digits != last && *digits == '+') ++digits;
    if (digits != first && digits != last && *digits == '-') return {.end = first};
    double value = 0.0;
    const auto result = fast_float::from_chars(digits, last, value);
    return {value, result.ptr == digits ? first : result.ptr};
}

std::optional<double> parse_number(std::string_view text)
{
    const ScannedNumber number = scan_number(text.data(), text.data() + text.size());
    if (text.empty() || number.end != text.data() + text.size()) return std::nullopt;
    return number.value;
}

} // namespace vitrine::io
