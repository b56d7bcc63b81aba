#pragma once
// Why a picture may be empty.

#include <string>

#include "loaders/scene/scene.hpp"

namespace vitrine::test {

// What keeps a scene from being seen in its static pose, from whichever side, worked out from its elements
// and materials: "no elements", "no area", "transparent". Empty: something must be seen.
std::string reason_for_nothing(const scene::Scene& scene);

} // namespace vitrine::test
