#pragma once
// Private to loaders/io: the bytes of an XML file as UTF-8.

#include <string>
#include <string_view>

#include "loaders/io/input.hpp"

namespace vitrine::io {

struct XmlText {
    // `bytes` themselves where they are UTF-8 already or nobody can tell, else `storage`.
    std::string_view text;
    std::string storage;
    // A label that no table is known for, of a text that is no UTF-8; empty: none.
    std::string unknown_encoding;
};

// UTF-16 by its mark or its first '<', else what the declaration names. Text that is valid UTF-8 and whose
// declaration names an encoding of one byte stays as it is: it was saved again by an editor that did not
// look. So does text without a declaration.
void read_xml_text(Bytes bytes, XmlText& out);

} // namespace vitrine::io
