#include "loaders/ply/color.hpp"

#include <algorithm>
#include <cmath>

#include "loaders/base/ascii.hpp"
#include "loaders/base/srgb.hpp"

namespace vitrine::ply {
namespace {

bool is_scaled(const std::vector<glm::vec4>& colors)
{
    float largest = 0.0f;
    for (const glm::vec4& color : colors)
        for (const float part : {color.x, color.y, color.z}) {
            if (part != std::trunc(part)) return false;
            largest = std::max(largest, part);
        }
    return largest > 2.0f;
}

float clamped(float part)
{
    return part > 0.0f ? std::min(part, 1.0f) : 0.0f; // also of NaN
}

} // namespace

std::optional<std::size_t> color_channel(std::string_view name)
{
    if (name.starts_with("diffuse_")) name.remove_prefix(8);
    constexpr std::array<std::string_view, 4> words{"red", "green", "blue", "alpha"},
        letters{"r", "g", "b", "a"};
    for (std::size_t i = 0; i < words.size(); ++i)
        if (ascii::equal_ignoring_case(name, words[i]) || ascii::equal_ignoring_case(name, letters[i]))
            return i;
    return std::nullopt;
}

double color_range(Type type)
{
    if (!is_integer(type)) return 1.0;
    return type == Type::uint16 ? 65535.0 : 255.0;
}

void to_linear(std::vector<glm::vec4>& colors)
{
    const float scale = is_scaled(colors) ? 1.0f / 255.0f : 1.0f;
    const bool has_alpha = std::ranges::any_of(colors, [](const glm::vec4& color) { return color.w > 0.0f; });
    for (glm::vec4& color : colors) {
        const auto part = [scale](float value) { return linear_from_srgb(clamped(value * scale)); };
        const float alpha = color.w > 1.0f ? color.w * scale : color.w;
        color = {part(color.x), part(color.y), part(color.z), has_alpha ? clamped(alpha) : 1.0f};
    }
}

} // namespace vitrine::ply
