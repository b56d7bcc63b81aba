#pragma once
// The loops of loaders/scene/arrays/arrays.hpp written with Google Highway, with the same arguments and
// results except for the sign of a zero extreme. For comparison only.

#include <cstddef>
#include <cstdint>
#include <span>

#include <glm/glm.hpp>

#include "loaders/scene/arrays/arrays.hpp"

namespace vitrine::bench::highway {

const char* instruction_set(); // that this processor runs

bool all_finite(std::span<const float> values);
bool all_below(std::span<const std::uint32_t> indices, std::uint32_t count);
bool is_ascending(std::span<const std::uint32_t> values);
std::uint16_t max_value(std::span<const std::uint16_t> values);
bool add_points(std::span<const glm::vec3> points, glm::vec3& min, glm::vec3& max);
void transform_points(const scene::JointMatrix& matrix, std::span<const glm::vec3> points,
                      std::span<glm::vec3> out);
void skin_points(const scene::Influences& influences, std::span<const scene::JointMatrix> palette,
                 std::span<const glm::vec3> points, std::span<glm::vec3> out);

} // namespace vitrine::bench::highway
