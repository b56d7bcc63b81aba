#pragma once
// What a material says in numbers, its textures apart: FBX's own Lambert and Phong, or the shader that a
// modelling program brought, as metallic-roughness. Everything is finite and in its range, whatever the file
// has.

#include <optional>

#include <glm/glm.hpp>

#include "loaders/fbx/materials/material_fields.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::fbx {

// A linear color and what it, or the texture in its place, is multiplied by.
struct WeightedColor {
    glm::vec3 color{0.0f};
    float weight = 1.0f;
    bool is_shaders = false; // else FBX's own, which is sRGB in the file, as in a color picker
};

struct Shading {
    WeightedColor base, emission;
    float opacity = 1.0f;
    float roughness = 1.0f, metallic = 0.0f;
    scene::MaterialExtensions extensions;
    glm::vec3 transmitted{1.0f}; // the color of what layers.transmission lets through, 0 to 1
    float bump = 1.0f;           // how high heights count
    bool unlit = false;
    std::optional<float> alpha_cutoff; // of a material that says itself that its alpha is a mask
};

// `from_blender`: by its exporter, which writes metalness as ReflectionFactor.
Shading read_shading(const Properties& properties, const MaterialFields& fields, bool from_blender);

} // namespace vitrine::fbx
