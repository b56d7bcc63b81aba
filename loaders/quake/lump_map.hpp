#pragma once
// Detects overlapping blocks of a file, whose offset or count must be invalid. Pure.

#include <string_view>
#include <vector>

#include "loaders/io/text/warning_log.hpp"
#include "loaders/quake/lumps.hpp"

namespace vitrine::quake {

class LumpMap {
public:
    // Adds a block within the file; its `what` must outlive the map.
    void add(const Lump& lump)
    {
        if (lump.count > 0) lumps_.push_back(lump);
    }
    // Adds a block and finds it in the file, whose header declares `declared_bytes`.
    LoadResult<Bytes> find(Bytes file, std::uint64_t declared_bytes, const Lump& lump)
    {
        add(lump);
        return find_lump(file, declared_bytes, lump);
    }
    // Warns about the first two blocks that overlap, and about a file of `file_bytes` that is shorter than
    // its header declares.
    void warn(std::string_view overlap_code, std::string_view size_code, std::uint64_t declared_bytes,
              std::uint64_t file_bytes, io::WarningLog& warnings);

private:
    std::vector<Lump> lumps_;
};

} // namespace vitrine::quake
