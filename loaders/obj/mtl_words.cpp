#include "loaders/obj/mtl_words.hpp"

#include <algorithm>
#include <cmath>

#include "loaders/base/ascii.hpp"
#include "loaders/base/srgb.hpp"
#include "loaders/io/text/number_scanner.hpp"
#include "loaders/obj/scan.hpp"

namespace vitrine::obj {
namespace {

// CIE XYZ to sRGB (IEC 61966-2-1, white D65).
glm::vec3 srgb_of_xyz(const glm::vec3& xyz)
{
    const glm::mat3 linear_of_xyz{{3.2406f, -0.9689f, 0.0557f},  // x
                                  {-1.5372f, 1.8758f, -0.2040f}, // y
                                  {-0.4986f, 0.0415f, 1.0570f}}; // z
    const glm::vec3 light = glm::max(linear_of_xyz * xyz, 0.0f); // negative outside the sRGB gamut
    return {srgb_from_linear(light.x), srgb_from_linear(light.y), srgb_from_linear(light.z)};
}

} // namespace

std::string_view take_word(std::string_view& rest)
{
    rest = ascii::trimmed(rest, is_white);
    const auto end = std::ranges::find_if(rest, is_white);
    const std::string_view word = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
    rest = ascii::trimmed(rest.substr(word.size()), is_white);
    return word;
}

std::optional<float> to_number(std::string_view word)
{
    const auto value = io::parse_number(word);
    if (!value || !(std::abs(*value) <= 1e6)) return std::nullopt;
    return static_cast<float>(*value);
}

std::optional<glm::vec3> to_color(std::string_view rest)
{
    std::string_view behind = rest;
    const bool is_xyz = ascii::lower(take_word(behind)) == "xyz";
    if (is_xyz) rest = behind;
    const auto red = to_number(take_word(rest));
    if (!red) return std::nullopt;
    const auto green = to_number(take_word(rest));
    const auto blue = to_number(take_word(rest));
    const glm::vec3 color(*red, green.value_or(*red), blue.value_or(green.value_or(*red)));
    return is_xyz ? srgb_of_xyz(color) : glm::max(color, 0.0f);
}

} // namespace vitrine::obj
