#pragma once
// Values of the text container: numbers, quoted texts and bare words between commas.

#include <optional>
#include <string_view>

#include "loaders/fbx/container/element.hpp"

namespace vitrine::fbx {

// Characters that end a number or a bare word.
inline bool ends_word(char c)
{
    return static_cast<unsigned char>(c) <= ' ' || c == ',' || c == '{' || c == '}' || c == ';' || c == '"' ||
           c == ':';
}

// Over blanks and comments (a semicolon to the line's end).
const char* skip_blanks(const char* at, const char* last);

// A number as any program writes it: also "1.#QNAN", "-1.#IND", "inf", "nan(ind)". The whole word, or empty.
std::optional<Value> read_number(std::string_view word);

// The characters of a quoted text with their escapes (&quot; &cr; &lf;) resolved; `texts` keeps what changes.
std::string_view resolve_escapes(std::string_view raw, std::deque<std::string>& texts);

} // namespace vitrine::fbx
