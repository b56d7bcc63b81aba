#pragma once
// Scenes that show what the sample library does not: each one thing that the renderer can, built by code.

#include <span>

#include "loaders/scene/scene.hpp"

namespace vitrine::test {

struct Feature {
    const char* name;
    scene::Scene (*make)();
};

std::span<const Feature> all_features();

} // namespace vitrine::test
