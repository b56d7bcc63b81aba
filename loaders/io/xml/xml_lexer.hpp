#pragma once
// Splits XML text into markup and character data, fast enough to run before the parser: long runs of plain
// text are found in one pass and left where they are, the parser gets a copy of all the rest. Private to
// loaders/io.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/io/input.hpp"

namespace vitrine::io {

// A run of text that the copy has only one character for.
struct ElidedText {
    std::size_t at = 0;             // of that character, in the copy
    std::size_t removed_before = 0; // bytes that the copy lacks up to there
    std::string_view text;
};

struct CompactXml {
    std::string copy;
    std::vector<ElidedText> elided;    // ascending
    std::optional<std::size_t> cut_at; // where in the text the markup begins that it ends inside of
    std::vector<std::size_t> open;     // where the elements begin that it ends inside of

    // Where a byte of the copy stands in the text.
    std::size_t offset_in_text(std::size_t offset_in_copy) const;
};

// "line 12" of an offset.
std::string line_of(std::string_view text, std::size_t offset);

// Errors: limit_exceeded (depth, number of elements).
LoadResult<CompactXml> compact_xml(std::string_view text, std::uint32_t depth);

} // namespace vitrine::io
