#pragma once

#include <cstddef>

namespace vitrine::server {

// Of one upload: its parts, and its files after unpacking. `vitrine import` rejects larger folders before it
// sends them.
inline constexpr std::size_t max_upload_files = 10'000;

} // namespace vitrine::server
