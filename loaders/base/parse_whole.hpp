#pragma once
// Converts a complete text to a number, independent of the locale. Numbers at the beginning of a longer text
// are scanned by the reader of their format (loaders/io/text/number_scanner.hpp).

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>
#include <system_error>

namespace vitrine {

// Returns the number that the whole text is, as std::from_chars() reads it: no white space and no '+', '-'
// only for types with a sign, "nan" and "inf" for floating-point types. Empty for any other text, for a
// number followed by other characters and for a number outside the range of the type.
template <std::integral Number>
std::optional<Number> parse_whole(std::string_view text, int base = 10)
{
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number, base);
    if (error != std::errc() || stop != end) return std::nullopt;
    return number;
}

template <std::floating_point Number>
std::optional<Number> parse_whole(std::string_view text)
{
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stop != end) return std::nullopt;
    return number;
}

} // namespace vitrine
