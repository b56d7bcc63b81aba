#include "loaders/quake/lump_map.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace vitrine::quake {

void LumpMap::warn(std::string_view overlap_code, std::string_view size_code, std::uint64_t declared_bytes,
                   std::uint64_t file_bytes, io::WarningLog& warnings)
{
    std::ranges::sort(lumps_, {}, &Lump::at);
    const auto end_of = [](const Lump& lump) { return lump.at + lump.count * lump.size; };
    const Lump* before = nullptr; // the block with the largest end so far
    for (const Lump& lump : lumps_) {
        if (before != nullptr && lump.at < end_of(*before)) {
            warnings.add(overlap_code,
                         fmt::format("the {} from byte {} on overlap the {} from byte {} on; they may be "
                                     "shown incorrectly",
                                     lump.what, lump.at, before->what, before->at),
                         at_byte(lump.at));
            break;
        }
        if (before == nullptr || end_of(lump) > end_of(*before)) before = &lump;
    }
    if (file_bytes < declared_bytes)
        warnings.add(
            size_code,
            fmt::format("the header declares {} bytes and the file has {}; nothing visible is missing",
                        declared_bytes, file_bytes),
            at_byte(file_bytes));
}

} // namespace vitrine::quake
