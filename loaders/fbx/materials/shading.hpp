#pragma once
// The numeric values of a material without its textures, as metallic-roughness: from FBX's own Lambert and
// Phong or from a modeling program's shader. All values are finite and in range, whatever the file contains.

#include <optional>

#include <glm/glm.hpp>

#include "loaders/fbx/materials/material_fields.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::fbx {

// A linear color, multiplied by its factor, and the factor of a texture that replaces the color.
struct WeightedColor {
    glm::vec3 color{0.0f};
    float texture_weight = 1.0f;
    bool is_shaders = false; // from a shader property; otherwise FBX's own color, stored as sRGB
};

struct Shading {
    WeightedColor base, emission;
    float opacity = 1.0f;
    float roughness = 1.0f, metallic = 0.0f;
    scene::MaterialExtensions extensions;
    glm::vec3 transmitted{1.0f}; // tint of the light passed by extensions.transmission, 0 to 1
    float bump = 1.0f;           // scale of bump heights
    bool unlit = false;
    std::optional<float> alpha_cutoff; // of a material that declares alpha masking
};

// `from_blender`: the file was written by Blender, which stores metalness as ReflectionFactor.
Shading read_shading(const Properties& properties, const MaterialFields& fields, bool from_blender);

} // namespace vitrine::fbx
