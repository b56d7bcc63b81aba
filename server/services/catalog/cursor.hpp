#pragma once
// Position of the next page of a list. A cursor names the last row of its page by sort value and seq, so that
// rows inserted meanwhile cause neither repeated nor skipped rows. Pure functions.

#include <optional>
#include <string>
#include <string_view>

#include "server/services/catalog/catalog.hpp"

namespace vitrine::server {

struct Cursor {
    Sort sort = Sort::created;
    bool descending = true;
    long long seq = 0;
    std::string
        value; // value of the sort column; of a list by relevance: a digit, the kind of name, and `created`
};

// "c", "n", "t" or "r", "d" or "a", the seq, "-", the sort value in hexadecimal.
std::string to_text(const Cursor& cursor);
// Parses untrusted text; empty if it is not a cursor.
std::optional<Cursor> parse_cursor(std::string_view text);
// Returns the sort value as a number; empty if it is not a number.
std::optional<long long> parse_number(const Cursor& cursor);

} // namespace vitrine::server
