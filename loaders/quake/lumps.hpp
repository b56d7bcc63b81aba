#pragma once
// The blocks that the binary headers of id's formats declare by count and offset. Pure.

#include <cstdint>
#include <string>
#include <string_view>

#include "loaders/base/error.hpp"
#include "loaders/io/input.hpp"

namespace vitrine::quake {

// Returns the place for errors.
std::string at_byte(std::uint64_t byte);

// Returns the text up to the first zero byte.
std::string_view text_of(Bytes bytes);

std::unexpected<LoadError> lump_limit_error(std::string_view what, std::uint64_t count, std::string_view name,
                                            std::uint64_t limit);

// `count` records of `size` bytes (not 0) from byte `at`; they may end exactly at the end of the file.
struct Lump {
    std::string_view what; // name for messages
    std::uint64_t count = 0, size = 0, at = 0;
};

// Errors: truncated when the file is shorter than `declared_bytes`, its declared size; else out_of_range.
LoadResult<Bytes> find_lump(Bytes file, std::uint64_t declared_bytes, const Lump& lump);

} // namespace vitrine::quake
