#pragma once
// ASCII letters and white space, independent of the locale; other bytes are not changed.

#include <algorithm>
#include <string>
#include <string_view>

namespace vitrine::ascii {

constexpr char to_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

inline std::string lower(std::string_view text)
{
    std::string out(text);
    for (char& c : out)
        c = to_lower(c);
    return out;
}

constexpr bool equal_ignoring_case(std::string_view a, std::string_view b)
{
    return std::ranges::equal(a, b, {}, to_lower, to_lower);
}

// White space as defined by XML and JSON.
constexpr bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

// Returns `text` without the leading and trailing characters for which `is_around` is true.
template <class Predicate>
constexpr std::string_view trimmed(std::string_view text, Predicate is_around)
{
    while (!text.empty() && is_around(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && is_around(text.back()))
        text.remove_suffix(1);
    return text;
}

constexpr std::string_view trimmed(std::string_view text)
{
    return trimmed(text, is_space);
}

} // namespace vitrine::ascii
