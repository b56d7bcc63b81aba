#pragma once
// The words of an MTL line, as numbers and colors.

#include <optional>
#include <string_view>

#include <glm/glm.hpp>

namespace vitrine::obj {

// Cuts the first word off `rest`.
std::string_view take_word(std::string_view& rest);

// Empty for what is no number and for what no material has.
std::optional<float> to_number(std::string_view word);

// "r g b", "r" alone, or "xyz x y z"; in sRGB, none below 0. Empty where no number is given.
std::optional<glm::vec3> to_color(std::string_view rest);

} // namespace vitrine::obj
