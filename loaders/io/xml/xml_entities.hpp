#pragma once
// Entities that an XML document declares in its own document type. Private to loaders/io.

#include <optional>
#include <string>
#include <string_view>

#include "loaders/io/input.hpp"

namespace vitrine::io {

struct ExpandedXml {
    std::string text;
    std::string unknown; // the first entity without a value here (external: nothing is opened); as written
};

// The text with its entities in their places; nothing where it declares none, the usual case. Errors:
// malformed (an entity inside itself), limit_exceeded (they grow beyond shares of file_bytes).
LoadResult<std::optional<ExpandedXml>> expand_entities(std::string_view text, const Limits& limits);

} // namespace vitrine::io
