#pragma once
// The time that a device worked on each pass, see Options::measures_passes; and that the host spent on each
// step of a batch.

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

// `pose`: sampling, palettes and other data that the host writes; `record`: command buffers; `submit`: the
// call of the driver; `copy`: frames from readback memory. Without uploads of scenes and framing.
enum class HostStep : std::uint8_t { pose, record, submit, copy };
inline constexpr std::array<std::string_view, 4> host_step_names{"pose", "record", "submit", "copy"};

using HostTimes = std::array<std::chrono::nanoseconds, host_step_names.size()>; // by HostStep

} // namespace vitrine::render
