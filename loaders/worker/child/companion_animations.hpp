#pragma once
// Finds animation-only files next to the character they belong to, and adds their clips to the character's
// Scene. Used in the loader process.

#include <functional>
#include <span>

#include "loaders/worker/child/formats.hpp"

namespace vitrine::worker {

// Whether the file contains only the animation of a model. Determined from its first bytes or structure
// without loading it.
bool is_animation_only(std::span<const Format> formats, std::string_view name, Bytes bytes);

// Calls `found` with the index in `names` of each animation-only file.
void find_animation_files(Source& source, const std::vector<std::string>& names,
                          std::span<const Format> formats, const std::function<void(std::uint32_t)>& found);

// Adds the clips of all other animation-only files of `source`, bound by name, in the order of the file
// names. A file that cannot be loaded or does not fit gives a warning.
void bind_companion_animations(Source& source, std::span<const Format> formats, const Limits& limits,
                               const ExtrapolationOptions& extrapolation, scene::Scene& scene);

} // namespace vitrine::worker
