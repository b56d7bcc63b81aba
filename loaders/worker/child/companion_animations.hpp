#pragma once
// Files of nothing but animation, beside the character they belong to: which they are, and their clips in the
// character's Scene. In the loader process.

#include <functional>
#include <span>

#include "loaders/worker/child/formats.hpp"

namespace vitrine::worker {

// Whether the file is a model's animation without the model; told from its first glance, not by loading it.
bool is_animation_only(std::span<const Format> formats, std::string_view name, Bytes bytes);

// Calls `found` with the index in `names` of each file that only animates.
void find_animation_files(Source& source, const std::vector<std::string>& names,
                          std::span<const Format> formats, const std::function<void(std::uint32_t)>& found);

// Adds the clips of all other files of `source` that only animate, bound by name, in the order of their
// names. A file that cannot be loaded, or does not fit, is a warning.
void bind_companion_animations(Source& source, std::span<const Format> formats, const Limits& limits,
                               const ExtrapolationOptions& extrapolation, scene::Scene& scene);

} // namespace vitrine::worker
