#pragma once
// Converts the bytes of an XML file to UTF-8. Private to loaders/io.

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

// Detects UTF-16 by its mark or first '<'; else uses the declared encoding. Valid UTF-8 that declares a
// single-byte encoding is kept, since an editor saved it as UTF-8 without updating the declaration. Text
// without a declaration is kept.
void read_xml_text(Bytes bytes, XmlText& out);

} // namespace vitrine::io
