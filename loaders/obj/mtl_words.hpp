#pragma once
// Parses the words of an MTL line as numbers and colors.

#include <optional>
#include <string_view>

#include <glm/glm.hpp>

namespace vitrine::obj {

// Removes the first word from `rest` and returns it.
std::string_view take_word(std::string_view& rest);

// Returns nullopt for words that are not numbers and values outside the range of materials.
std::optional<float> to_number(std::string_view word);

// Parses "r g b", "r" alone, or "xyz x y z" to sRGB without negative values; nullopt without a number.
std::optional<glm::vec3> to_color(std::string_view rest);

} // namespace vitrine::obj
