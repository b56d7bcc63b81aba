#pragma once
// Converts from scene space to that of id's formats: Z up, the model faces +X.

#include <cmath>

#include <glm/glm.hpp>

#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

// Columns are the images of the scene's axes. Only quarter turns, so that boxes stay axis-aligned and numbers
// exact; a front direction between two axes is rounded to the nearer one.
inline glm::mat3 quake_axes(const scene::Scene& scene)
{
    const glm::vec3 facing = scene.file_space.front;
    const bool along_x = std::abs(facing.x) > std::abs(facing.z);
    const glm::vec3 up(0.0f, 1.0f, 0.0f);
    const glm::vec3 front = along_x ? glm::vec3(std::copysign(1.0f, facing.x), 0.0f, 0.0f)
                                    : glm::vec3(0.0f, 0.0f, std::copysign(1.0f, facing.z));
    return glm::transpose(glm::mat3(front, glm::cross(up, front), up));
}

} // namespace vitrine::exporting
