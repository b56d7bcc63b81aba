#pragma once
// Opens the files that one load reads as a whole, and counts them against file_bytes and total_bytes.

#include <cstdint>
#include <string>

#include "loaders/io/input.hpp"

namespace vitrine::io {

class FileOpener {
public:
    // Keeps references to both arguments.
    FileOpener(Source& source, const Limits& limits) : source_(source), limits_(limits) {}

    // Errors: missing_file or limit_exceeded, at `name`. The bytes are owned by the source, as for
    // Source::open().
    LoadResult<Bytes> open(const std::string& name);

private:
    Source& source_;
    const Limits& limits_;
    std::uint64_t bytes_ = 0; // opened so far
};

} // namespace vitrine::io
