#pragma once
// Range and entity tags (RFC 9110, 13 and 14). Pure functions.

#include <cstdint>
#include <optional>
#include <string_view>

namespace vitrine::server {

struct ByteRange {
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
};

enum class RangeState : std::uint8_t {
    whole,         // no range, several ranges or an invalid field: the whole file is sent
    partial,       // 206
    unsatisfiable, // 416
};

// `field`: the value of Range. Only one byte range is supported.
RangeState parse_range(std::string_view field, std::uint64_t size, ByteRange& range);

// Returns whether a list of tags ("*", or "a", W/"b") contains `etag` by weak comparison.
bool matches_etag(std::string_view field, std::string_view etag);
// The same by strong comparison, as If-Match requires (RFC 9110, 13.1.1): weak tags never match. `etag`:
// empty if there is none; then only "*" matches.
bool matches_strongly(std::string_view field, std::string_view etag);

} // namespace vitrine::server
