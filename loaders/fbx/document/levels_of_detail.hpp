#pragma once
// Level-of-detail groups (FbxLODGroup): only some of a group's child models are shown at a time.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "loaders/fbx/document/document.hpp"

namespace vitrine::fbx {

// Returns, by child, whether the group hides it. Shown are the levels that the group sets to visible, or else
// the first level that is not hidden. Empty when `model` is not a group.
std::vector<bool> hidden_levels(const Document& document, std::uint32_t model, std::size_t children);

} // namespace vitrine::fbx
