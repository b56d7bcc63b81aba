#pragma once
// Expands entities declared in the document type of an XML document. Private to loaders/io.

#include <optional>
#include <string>
#include <string_view>

#include "loaders/io/input.hpp"

namespace vitrine::io {

struct ExpandedXml {
    std::string text;
    std::string unknown; // the first undefined entity, as written (external entities are not opened)
};

// Returns the text with its entities expanded; empty if the document declares none (the usual case). Errors:
// malformed (a recursive entity), limit_exceeded (the expansion exceeds a fraction of file_bytes).
LoadResult<std::optional<ExpandedXml>> expand_entities(std::string_view text, const Limits& limits);

} // namespace vitrine::io
