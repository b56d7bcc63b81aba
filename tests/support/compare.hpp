#pragma once
// Comparison of scenes and their parts, for tests.

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::test {

// Largest absolute difference of the elements; no number where one of them is none.
double difference(const glm::vec3& a, const glm::vec3& b);
double difference(const glm::vec4& a, const glm::vec4& b);
double difference(const glm::mat4& a, const glm::mat4& b);
double difference(const scene::Aabb& a, const scene::Aabb& b);
// As rotations: q and -q are the same.
double difference(const glm::quat& a, const glm::quat& b);

// Bit by bit the same in every field, as their blobs tell; but for the sign of a NaN nothing escapes.
bool same(const scene::Scene& a, const scene::Scene& b);

// M * p by one palette entry.
glm::vec3 transform(const scene::PaletteEntry& entry, const glm::vec3& point);

} // namespace vitrine::test
