#pragma once
// Members of a zip, inflated under limits.

#include <cstddef>
#include <functional>
#include <string_view>

#include "loaders/io/input.hpp"

namespace vitrine::io {

// Receives each member: its normalised name, then its bytes in pieces of at most `zip_piece_bytes`.
struct MemberSink {
    std::function<void(std::string_view name)> begin;
    std::function<void(std::string_view bytes)> append;
};

inline constexpr std::size_t zip_piece_bytes = 64 * 1024;

// Counts and sizes are those found while inflating, never the headers'. Folders, symbolic links and macOS'
// companion entries are skipped; a zip inside is a file like any other. Errors: malformed (not a zip, bad
// name, a name twice, checksum), truncated, unsupported (encrypted, unknown method), limit_exceeded, empty.
LoadResult<void> unzip(Bytes zip, const Limits& limits, const MemberSink& sink);

} // namespace vitrine::io
