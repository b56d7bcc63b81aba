#pragma once
// Where the next page of a list begins. A cursor names the last row of its page by sort value and seq, so
// that what is inserted meanwhile neither repeats nor skips a row. Pure.

#include <optional>
#include <string>
#include <string_view>

#include "server/services/catalog/catalog.hpp"

namespace vitrine::server {

struct Cursor {
    Sort sort = Sort::created;
    bool descending = true;
    long long seq = 0;
    std::string value; // of the sort
};

// "c" or "n" or "t", "d" or "a", the seq, "-", the sort value in hexadecimal.
std::string to_text(const Cursor& cursor);
// Any text of a client; empty: not a cursor.
std::optional<Cursor> parse_cursor(std::string_view text);
// The sort value where it is a number; empty: it is none.
std::optional<long long> number_of(const Cursor& cursor);

} // namespace vitrine::server
