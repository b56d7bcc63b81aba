#pragma once
// Detects overlapping blocks of a file, whose offset or count must be invalid. Pure.

#include <optional>
#include <string>
#include <vector>

#include "loaders/quake/lumps.hpp"

namespace vitrine::quake {

class LumpMap {
public:
    // Adds a block within the file; its `what` must outlive the map.
    void add(const Lump& lump)
    {
        if (lump.count > 0) lumps_.push_back(lump);
    }
    // The message and place for the first two overlapping blocks.
    struct Overlap {
        std::string sentence;
        std::string where;
    };
    std::optional<Overlap> find_overlap();

private:
    std::vector<Lump> lumps_;
};

} // namespace vitrine::quake
