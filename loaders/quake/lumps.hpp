#pragma once
// What the binary headers of id's formats count, and where they say that it lies. Pure.

#include <cstdint>
#include <string>
#include <string_view>

#include "loaders/base/error.hpp"
#include "loaders/io/input.hpp"

namespace vitrine::quake {

// The place, for errors.
std::string at_byte(std::uint64_t byte);

// Up to the first zero.
std::string_view text_of(Bytes bytes);

std::unexpected<LoadError> lump_limit_error(std::string_view what, std::uint64_t count, std::string_view name,
                                            std::uint64_t limit);

// `count` records of `size` bytes (not 0) from byte `at`; they may end exactly where the file ends.
struct Lump {
    std::string_view what; // in words
    std::uint64_t count = 0, size = 0, at = 0;
};

// Errors: truncated where the file is shorter than `announced`, its size by its header; else out_of_range.
LoadResult<Bytes> find_lump(Bytes file, std::uint64_t announced, const Lump& lump);

} // namespace vitrine::quake
