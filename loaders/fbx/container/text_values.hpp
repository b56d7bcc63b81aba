#pragma once
// Values of the text container: numbers, quoted strings and bare words, separated by commas.

#include <optional>
#include <string_view>

#include "loaders/fbx/container/element.hpp"

namespace vitrine::fbx {

// Returns whether the character ends a number or a bare word.
inline bool ends_word(char c)
{
    return static_cast<unsigned char>(c) <= ' ' || c == ',' || c == '{' || c == '}' || c == ';' || c == '"' ||
           c == ':';
}

// Skips blanks and comments (from a semicolon to the end of the line).
const char* skip_blanks(const char* at, const char* last);

// Parses a number in any form that exporters write, including "1.#QNAN", "-1.#IND", "inf" and "nan(ind)".
// Returns nullopt unless the whole word is a number.
std::optional<Value> read_number(std::string_view word);

// Resolves the escapes of a quoted string (&quot; &cr; &lf;); changed strings are stored in `texts`.
std::string_view resolve_escapes(std::string_view raw, std::deque<std::string>& texts);

// Appends the values of a list; quoted strings keep their escapes.
void parse_values(Bytes bytes, std::vector<Value>& out);

// Appends the numbers of a list, converted to T (as Element::array). Returns null on success, or the position
// at which no number was found.
template <class T>
const char* parse_numbers(const ElementNode& node, std::vector<T>& out);

} // namespace vitrine::fbx
