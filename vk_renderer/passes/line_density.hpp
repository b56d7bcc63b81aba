#pragma once
// How many of a dense model's normals a picture has room for. Pure.

#include <cstdint>

#include <glm/glm.hpp>

#include "vk_renderer/shaders/shared.h"

namespace vitrine::render {

// Lines on a model with a box of that size that stand a few pixels apart where they are seen. Finite, at
// least 1.
double max_line_count(const shared::FrameParams& params, const glm::vec3& size);

// How often `count` is halved before that few are left, less than twice as many. By powers of two, or each
// step of a zoom would show other lines. At least one of `count` is left.
std::uint32_t decimation_shift_for(double few, std::uint64_t count);

} // namespace vitrine::render
