#pragma once
// Which bytes of a file are read as what: blocks that overlap have a wrong place or count.

#include <string_view>
#include <vector>

#include "loaders/io/text/warning_log.hpp"
#include "loaders/quake/lumps.hpp"

namespace vitrine::quake {

class LumpMap {
public:
    // One that lies within the file; its `what` outlives the map.
    void add(const Lump& lump)
    {
        if (lump.count > 0) lumps_.push_back(lump);
    }
    // Adds a block and finds it in the file, which has `announced` bytes by its header.
    LoadResult<Bytes> find(Bytes file, std::uint64_t announced, const Lump& lump)
    {
        add(lump);
        return find_lump(file, announced, lump);
    }
    // Of the first two that overlap, and of a file of `size` bytes that is shorter than its header says.
    void warn(std::string_view overlap_code, std::string_view size_code, std::uint64_t announced,
              std::uint64_t size, io::WarningLog& warnings);

private:
    std::vector<Lump> lumps_;
};

} // namespace vitrine::quake
