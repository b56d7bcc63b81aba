#pragma once
// Limits the number of normals drawn for a dense model. Pure functions.

#include <cstdint>

#include <glm/glm.hpp>

#include "vk_renderer/shaders/shared.h"

namespace vitrine::render {

// Returns the number of lines at which they are a few pixels apart on a model with a box of that size.
// Finite, at least 1.
double max_line_count(const shared::ImageParams& params, const glm::vec3& size);

// Returns how often `count` must be halved to be less than twice `limit`. Powers of two, so that zooming does
// not change the selected lines at every step. At least one of `count` remains.
std::uint32_t decimation_shift_for(double limit, std::uint64_t count);

} // namespace vitrine::render
