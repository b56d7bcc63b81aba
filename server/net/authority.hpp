#pragma once
// Host and port as in the field Host, and absolute request targets (RFC 9110, 7.2; RFC 9112, 3.2.2). Pure
// functions over untrusted text.

#include <optional>
#include <string_view>

namespace vitrine::server {

// Returns whether `text` is "NAME", "1.2.3.4" or "[::1]", with or without ":PORT". Stricter than RFC 3986:
// no user, and names have only letters, digits and - . _ ~, because no name in use has other characters.
bool is_authority(std::string_view text);

struct AbsoluteTarget {
    std::string_view authority;
    std::string_view rest; // path and query as sent; may be empty or begin with '?'
};
// Splits "http://HOST/PATH?QUERY"; also https. Empty for every other text. The authority is not checked.
std::optional<AbsoluteTarget> split_absolute(std::string_view target);

} // namespace vitrine::server
