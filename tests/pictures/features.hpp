#pragma once
// Scenes for renderer features that the sample library does not cover, one feature each, built in code.

#include <span>

#include "loaders/scene/scene.hpp"

namespace vitrine::test {

struct Feature {
    const char* name;
    scene::Scene (*make)();
};

std::span<const Feature> all_features();

} // namespace vitrine::test
