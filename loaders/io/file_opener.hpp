#pragma once
// The files of one load that a loader reads whole, counted against file_bytes and total_bytes.

#include <cstdint>
#include <string>

#include "loaders/io/input.hpp"

namespace vitrine::io {

class FileOpener {
public:
    // Keeps references to both.
    FileOpener(Source& source, const Limits& limits) : source_(source), limits_(limits) {}

    // missing_file or limit_exceeded at `name`. The bytes are the source's, as Source::open() gives them.
    LoadResult<Bytes> open(const std::string& name);

private:
    Source& source_;
    const Limits& limits_;
    std::uint64_t bytes_ = 0; // opened so far
};

} // namespace vitrine::io
