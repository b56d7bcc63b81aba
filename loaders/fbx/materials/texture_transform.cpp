#include "loaders/fbx/materials/textures.hpp"

#include <cmath>
#include <numbers>

namespace vitrine::fbx {
namespace {

// Reads the texture transform from a property, or from an element as older programs and Blender write it.
glm::dvec3 stated_or_element(const Object& texture, std::string_view property, std::string_view element,
                             double otherwise)
{
    const Element stored = texture.element[element];
    const glm::dvec3 fallback = texture.properties.vec3(property, glm::dvec3(otherwise));
    if (texture.properties.has_own(property) || !stored[0u].is_number() || !stored[1u].is_number())
        return fallback;
    return {stored[0u].real(), stored[1u].real(), fallback.z};
}

} // namespace

// Scaling is the number of repetitions. Rotation and scaling have pivots. v points up in FBX; with F the flip
// of v and e the vector with v = 1: q' = F R S F q + F (R S e + t - e). Swapped u and v (P), which no known
// program writes together with the rest, apply first: F R S P F = (F R F) (-P) diag(S.y, S.x), and -P is a
// quarter turn of diag(-1, 1).
void set_transform(const Object& texture, scene::Texture& out)
{
    const Properties& properties = texture.properties;
    const glm::dvec3 scale = stated_or_element(texture, "Scaling", "ModelUVScaling", 1.0);
    const glm::dvec3 move = stated_or_element(texture, "Translation", "ModelUVTranslation", 0.0);
    const glm::dvec3 turn = properties.vec3("Rotation");
    const glm::dvec3 scale_pivot = properties.vec3("TextureScalingPivot");
    const glm::dvec3 turn_pivot = properties.vec3("TextureRotationPivot");
    const double angle = turn.z * std::numbers::pi / 180.0;
    const glm::dmat2 r(std::cos(angle), std::sin(angle), -std::sin(angle), std::cos(angle));
    const glm::dmat2 s(scale.x, 0.0, 0.0, scale.y);
    const glm::dvec2 scaled = glm::dvec2(scale_pivot) - s * glm::dvec2(scale_pivot);
    const glm::dvec2 moved =
        r * (scaled - glm::dvec2(turn_pivot)) + glm::dvec2(turn_pivot) + glm::dvec2(move);
    const bool swapped = properties.boolean("UVSwap");
    const glm::dvec2 e(0.0, 1.0), e_there = swapped ? glm::dvec2(1.0, 0.0) : e;
    const glm::dvec2 offset = r * (s * e_there) + moved - e;
    const glm::vec2 flipped(static_cast<float>(offset.x), static_cast<float>(-offset.y));
    const bool finite = std::isfinite(flipped.x) && std::isfinite(flipped.y) && std::isfinite(angle) &&
                        std::isfinite(scale.x) && std::isfinite(scale.y);
    if (!finite) return;
    out.scale = swapped ? glm::vec2(-scale.y, scale.x) : glm::vec2(scale);
    out.offset = flipped;
    out.rotation = static_cast<float>(swapped ? angle - std::numbers::pi / 2 : angle);
}

} // namespace vitrine::fbx
