#pragma once
// Range and entity tags (RFC 9110, 13 and 14). Pure.

#include <cstdint>
#include <optional>
#include <string_view>

namespace vitrine::server {

struct ByteRange {
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
};

enum class RangeState : std::uint8_t {
    whole,         // none asked for, several, or not understood: the whole file is the answer
    partial,       // 206
    unsatisfiable, // 416
};

// `field`: the value of Range. Only one range of bytes is served.
RangeState parse_range(std::string_view field, std::uint64_t size, ByteRange& range);

// Whether a list of tags ("*", or "a", W/"b") names `etag` by weak comparison.
bool matches_etag(std::string_view field, std::string_view etag);

} // namespace vitrine::server
