#pragma once
// Rewrites valid JSON that simdjson rejects. Used only after simdjson failed.

#include <cstddef>
#include <string>
#include <string_view>

namespace vitrine::io {

struct RepairedJson {
    // Unpaired surrogates become U+FFFD; integers of more than 18 digits get a fraction.
    std::string text;
    // Offset of the first of each in the original text; npos if there is none.
    std::size_t lone_surrogate = std::string_view::npos;
    std::size_t infinite_number = std::string_view::npos; // outside the range of a double; not changed
};

// Precondition: find_json_error() returned npos.
RepairedJson repair_json(std::string_view text);

} // namespace vitrine::io
