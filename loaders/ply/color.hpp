#pragma once
// Colors of vertices and faces.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/ply/header.hpp"

namespace vitrine::ply {

// Red, green, blue, alpha: 0 to 3; empty for other properties.
std::optional<std::size_t> color_channel(std::string_view name);

// Divisor of a channel's values: bytes and 16-bit integers have their full range, other integers are bytes,
// too. Fractions are 1, unless values are larger than a fraction can be (to_linear()).
double color_range(Type type);

// From sRGB to linear, in place. Values of which all are integers and some exceed 2 are bytes, whatever their
// type. An alpha that is 0 everywhere was not set.
void to_linear(std::vector<glm::vec4>& colors);

} // namespace vitrine::ply
