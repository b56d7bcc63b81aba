#pragma once

#include <gtest/gtest.h>

#include "loaders/scene/scene.hpp"
#include "tests/support/compare.hpp"

namespace vitrine::scene {

inline void expect_box(const Aabb& box, glm::vec3 min, glm::vec3 max)
{
    EXPECT_LT(test::difference(box.min, min), 2e-5);
    EXPECT_LT(test::difference(box.max, max), 2e-5);
}

} // namespace vitrine::scene
