#pragma once
// The text of an XML file before it is parsed: its encoding and its entities. Private to loaders/io.

#include <optional>
#include <string>
#include <string_view>

#include "loaders/io/input.hpp"

namespace vitrine::io {

struct XmlText {
    // Refers to the input `bytes` if they are UTF-8 or their encoding is unknown, else to `storage`.
    std::string_view text;
    std::string storage;
    // An unknown encoding label of a text that is not UTF-8; else empty.
    std::string unknown_encoding;
};

// Converts the bytes of an XML file to UTF-8. Detects UTF-16 by its mark or first '<'; else uses the declared
// encoding. Valid UTF-8 that declares a single-byte encoding is kept, since an editor saved it as UTF-8
// without updating the declaration. Text without a declaration is kept.
void read_xml_text(Bytes bytes, XmlText& out);

struct ExpandedXml {
    std::string text;
    std::string unknown; // the first undefined entity, as written (external entities are not opened)
};

// Returns the text with the entities of its document type expanded; empty if the document declares none (the
// usual case). Errors: malformed (a recursive entity), limit_exceeded (the expansion exceeds a fraction of
// file_bytes).
LoadResult<std::optional<ExpandedXml>> expand_entities(std::string_view text, const Limits& limits);

} // namespace vitrine::io
