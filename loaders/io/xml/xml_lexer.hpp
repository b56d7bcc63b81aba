#pragma once
// Splits XML text into markup and character data in one fast pass before parsing. Long ranges of plain text
// are left in place; the parser gets a copy of the rest. Private to loaders/io.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/io/input.hpp"

namespace vitrine::io {

// A range of text that is replaced by one character in the copy.
struct ElidedText {
    std::size_t at = 0;             // position of that character in the copy
    std::size_t removed_before = 0; // bytes omitted from the copy before it
    std::string_view text;
};

struct CompactXml {
    std::string copy;
    std::vector<ElidedText> elided;    // ascending
    std::optional<std::size_t> cut_at; // start of markup that is truncated at the end of the text
    std::vector<std::size_t> open;     // starts of the elements that are open at the end of the text

    // Converts an offset in the copy to an offset in the text.
    std::size_t offset_in_text(std::size_t offset_in_copy) const;
};

// "line 12" for an offset.
std::string line_of(std::string_view text, std::size_t offset);

// Errors: limit_exceeded (depth, number of elements).
LoadResult<CompactXml> compact_xml(std::string_view text, std::uint32_t depth);

} // namespace vitrine::io
