#pragma once
// Compares scenes and their parts.

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::test {

// Largest absolute difference of the elements; NaN if an element is NaN.
double difference(const glm::vec3& a, const glm::vec3& b);
double difference(const glm::vec4& a, const glm::vec4& b);
double difference(const glm::mat4& a, const glm::mat4& b);
double difference(const scene::Aabb& a, const scene::Aabb& b);
// As rotations: q and -q are equal.
double difference(const glm::quat& a, const glm::quat& b);

// Bitwise equality of every field, by their serialized form; only the sign of a NaN is ignored.
bool same(const scene::Scene& a, const scene::Scene& b);

// The product of a palette entry and a point.
glm::vec3 transform(const scene::PaletteEntry& entry, const glm::vec3& point);

} // namespace vitrine::test
