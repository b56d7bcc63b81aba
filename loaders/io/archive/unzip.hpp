#pragma once
// Extracts the members of a zip archive within limits.

#include <cstddef>
#include <functional>
#include <string_view>

#include "loaders/io/input.hpp"

namespace vitrine::io {

// Receives each member: its normalized name, then its bytes in chunks of at most `zip_piece_bytes`.
struct MemberSink {
    std::function<void(std::string_view name)> begin;
    std::function<void(std::string_view bytes)> append;
    std::function<void(std::string_view name)> skip = [](std::string_view) {}; // a link or a companion entry
};

inline constexpr std::size_t zip_piece_bytes = 64 * 1024;

// Sizes are measured while inflating; a zip whose headers declare more than the limits is rejected before.
// Folders, symbolic links and entries that are no files of the user (system_files.hpp) are skipped; a nested zip is treated as a file. Errors:
// malformed (not a zip, bad or duplicate name, checksum), truncated, unsupported (encrypted, unknown method),
// limit_exceeded, empty.
LoadResult<void> unzip(Bytes zip, const Limits& limits, const MemberSink& sink);

} // namespace vitrine::io
