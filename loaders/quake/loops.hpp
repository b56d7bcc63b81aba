#pragma once
// Which clips of whole-mesh frames (MD2, MD3) loop: their last frame runs into the first. Pure.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "loaders/scene/scene.hpp"

namespace vitrine::quake {

// By the name that games give their animations, whatever case, prefix or number: "run", "crwalk", "idle2",
// "LEGS_SWIM" loop, "death1", "pain3", "jump", "attack" end. Empty: unknown from the name.
std::optional<bool> loops_by_name(std::string_view clip);

// By the frames of all `meshes`: whether the step from the last frame to the first is not zero and at most as
// large as the larger of its two neighbors (into the last and out of the first frame), as root mean square
// over the vertices. Never with fewer than three frames. Meshes whose frames end before the clip do not
// count.
bool loops_by_frames(std::span<const scene::Mesh* const> meshes, std::uint32_t first, std::uint32_t count);

// Whether the step from the last frame to the first must be added for the clip to loop: by name if that is
// known, otherwise by frames. Not for a single frame, nor for a moving clip whose first and last frame match
// (within a tenth of the step next to them).
bool loops(std::string_view clip, std::span<const scene::Mesh* const> meshes, std::uint32_t first,
           std::uint32_t count);

} // namespace vitrine::quake
