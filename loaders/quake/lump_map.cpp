#include "loaders/quake/lump_map.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace vitrine::quake {

void LumpMap::warn(std::string_view overlap_code, std::string_view size_code, std::uint64_t announced,
                   std::uint64_t size, io::WarningLog& warnings)
{
    std::ranges::sort(lumps_, {}, &Lump::at);
    const auto end_of = [](const Lump& lump) { return lump.at + lump.count * lump.size; };
    const Lump* before = nullptr; // that reaches farthest
    for (const Lump& lump : lumps_) {
        if (before != nullptr && lump.at < end_of(*before)) {
            warnings.add(
                overlap_code,
                fmt::format("the {} from byte {} on overlap the {} from byte {} on: what is shown of "
                            "them may be wrong",
                            lump.what, lump.at, before->what, before->at),
                at_byte(lump.at));
            break;
        }
        if (before == nullptr || end_of(lump) > end_of(*before)) before = &lump;
    }
    if (size < announced)
        warnings.add(size_code,
                     fmt::format("the file announces {} bytes and has {}; nothing that is shown is missing",
                                 announced, size),
                     at_byte(size));
}

} // namespace vitrine::quake
