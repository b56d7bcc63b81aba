#pragma once
// Members of a zip, inflated under limits. Child only.

#include <functional>
#include <string_view>

#include "loaders/io/input.hpp"
#include "loaders/worker/protocol.hpp"

namespace vitrine::worker {

// MessageType::entry with a normalised name, then MessageType::data with its bytes piece by piece.
using MemberSink = std::function<void(MessageType type, std::string_view payload)>;

// Counts and sizes are those found while inflating, never the headers'. Folders, symbolic links and macOS'
// companion entries are skipped; a zip inside is a file like any other. Errors: malformed (not a zip, bad
// name, a name twice, checksum), truncated, unsupported (encrypted, unknown method), limit_exceeded, empty.
LoadResult<void> unzip(Bytes zip, const Limits& limits, const MemberSink& sink);

} // namespace vitrine::worker
