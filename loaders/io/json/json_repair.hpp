#pragma once
// What JSON allows and simdjson refuses, in words that it takes. Asked only after it refused.

#include <cstddef>
#include <string>
#include <string_view>

namespace vitrine::io {

struct RepairedJson {
    // Halves of surrogate pairs as U+FFFD, whole numbers of more than 18 digits with a fraction.
    std::string text;
    // Where these begin in the text as it was, for the first of each; npos: there is none.
    std::size_t lone_surrogate = std::string_view::npos;
    std::size_t infinite_number = std::string_view::npos; // beyond the range of a double: it stays
};

// Precondition: find_json_error() finds none.
RepairedJson repair_json(std::string_view text);

} // namespace vitrine::io
