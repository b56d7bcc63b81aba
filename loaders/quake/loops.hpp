#pragma once
// Which clips of whole-mesh frames (MD2, MD3) loop: their last frame runs into the first. Pure.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "loaders/scene/scene.hpp"

namespace vitrine::quake {

// By the name that games give their animations, whatever case, prefix or number: "run", "crwalk", "idle2",
// "LEGS_SWIM" loop, "death1", "pain3", "jump", "attack" end. Empty: the name does not tell.
std::optional<bool> loops_by_name(std::string_view clip);

// By the frames of all `meshes`: whether the step from the last frame to the first is there and no larger
// than the larger one of the two beside it (into the last and out of the first), as root mean square over the
// vertices. Never with fewer than three frames. Meshes whose frames end before the clip do not count.
bool loops_by_frames(std::span<const scene::Mesh* const> meshes, std::uint32_t first, std::uint32_t count);

// Whether the last frame runs into the first: by name, where that tells, else by frames. A single frame does
// not, nor a clip that moves and whose last frame is its first one again, within a tenth of the step beside
// it: that loops as it is.
bool loops(std::string_view clip, std::span<const scene::Mesh* const> meshes, std::uint32_t first,
           std::uint32_t count);

} // namespace vitrine::quake
