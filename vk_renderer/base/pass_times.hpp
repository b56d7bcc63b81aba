#pragma once
// The time that a device worked on each pass; see Options::measures_passes.

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace vitrine::render {

// In the order of a batch. `shadow_cast` includes clearing the maps, `bounds` and `copy` their copies to the
// host.
enum class Pass : std::uint8_t { skinning, bounds, shadow_cast, shadow_blur, raster, resolve, copy };
inline constexpr std::array<std::string_view, 7> pass_names{"skinning", "bounds",  "shadowCast", "shadowBlur",
                                                            "raster",   "resolve", "copy"};

using PassTimes = std::array<std::chrono::nanoseconds, pass_names.size()>; // by Pass

} // namespace vitrine::render
