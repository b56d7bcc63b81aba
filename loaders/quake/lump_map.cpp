#include "loaders/quake/lump_map.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace vitrine::quake {

std::optional<LumpMap::Overlap> LumpMap::find_overlap()
{
    std::ranges::sort(lumps_, {}, &Lump::at);
    const auto end_of = [](const Lump& lump) { return lump.at + lump.count * lump.size; };
    const Lump* before = nullptr; // the block with the largest end so far
    for (const Lump& lump : lumps_) {
        if (before != nullptr && lump.at < end_of(*before))
            return Overlap{fmt::format("the {} from byte {} on overlap the {} from byte {} on; they may be "
                                       "shown incorrectly",
                                       lump.what, lump.at, before->what, before->at),
                           at_byte(lump.at)};
        if (before == nullptr || end_of(lump) > end_of(*before)) before = &lump;
    }
    return std::nullopt;
}

} // namespace vitrine::quake
