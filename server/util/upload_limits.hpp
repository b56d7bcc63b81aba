#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace vitrine::server {

// Of one upload: its parts, and its files after unpacking. `vitrine import` rejects larger folders before it
// sends them.
inline constexpr std::size_t max_upload_files = 10'000;

// Of uploads in pieces that no asset names yet.
struct UploadLimits {
    std::uint64_t max_bytes = 64ull << 30; // declared lengths of all
    std::size_t max_uploads = 1'000;
    std::size_t max_parts = 10'000;              // pieces of one upload
    std::chrono::seconds lifetime{24 * 60 * 60}; // after the last piece
};

} // namespace vitrine::server
