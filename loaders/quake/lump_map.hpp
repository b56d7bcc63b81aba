#pragma once
// Which bytes of a file are read as what: blocks that overlap have a wrong place or count. Pure.

#include <optional>
#include <string>
#include <vector>

#include "loaders/quake/lumps.hpp"

namespace vitrine::quake {

class LumpMap {
public:
    // One that lies within the file; its `what` outlives the map.
    void add(const Lump& lump)
    {
        if (lump.count > 0) lumps_.push_back(lump);
    }
    // What to say of the first two that overlap, and where.
    struct Overlap {
        std::string sentence;
        std::string where;
    };
    std::optional<Overlap> find_overlap();

private:
    std::vector<Lump> lumps_;
};

} // namespace vitrine::quake
