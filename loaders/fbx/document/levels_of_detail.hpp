#pragma once
// Groups of levels of detail (FbxLODGroup): of the models below one, few are meant to be seen at a time.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "loaders/fbx/document/document.hpp"

namespace vitrine::fbx {

// By child, whether the group hides it: shown are those that it says, or else the first that it does not
// hide. Empty where `model` is no group.
std::vector<bool> hidden_levels(const Document& document, std::uint32_t model, std::size_t children);

} // namespace vitrine::fbx
