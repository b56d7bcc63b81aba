#pragma once
// What holds for the warnings of every load.

#include <gtest/gtest.h>

#include "loaders/scene/scene.hpp"

namespace vitrine::test {

// A warning that does not say where cannot be acted on.
inline void expect_places(const scene::Scene& scene)
{
    for (const auto& warning : scene.warnings) {
        EXPECT_NE(warning.code, "");
        EXPECT_NE(warning.message, "") << warning.code;
        EXPECT_NE(warning.where, "") << warning.code << ": " << warning.message;
    }
}

} // namespace vitrine::test
