#pragma once
// A transform in double precision, before it becomes a scene::Trs.

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

namespace vitrine {

struct DoubleTrs {
    glm::dvec3 translation{0.0};
    glm::dquat rotation{1.0, 0.0, 0.0, 0.0};
    glm::dvec3 scale{1.0};
};

} // namespace vitrine
