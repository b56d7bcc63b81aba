#pragma once
// The materials, textures and images of a Scene.

#include <cstdint>
#include <string>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/scene/array.hpp"
#include "loaders/scene/index.hpp"

namespace vitrine::scene {

enum class Wrap : std::uint8_t { repeat, clamp, mirror };

// Sets of texture coordinates of a mesh, and of a material's textures.
inline constexpr std::uint32_t max_uv_sets = 8;

// A reference to an image by a material. UV' = offset + rotate(rotation) * (scale * UV), as defined by
// KHR_texture_transform.
struct Texture {
    std::uint32_t image = none;
    std::uint8_t uv_set = 0; // below max_uv_sets
    Wrap wrap_s = Wrap::repeat;
    Wrap wrap_t = Wrap::repeat;
    bool nearest = false;
    glm::vec2 offset{0.0f};
    glm::vec2 scale{1.0f};
    float rotation = 0.0f; // radians, counter-clockwise

    bool operator==(const Texture&) const = default;
};

enum class AlphaMode : std::uint8_t { opaque, mask, blend };

// Material layers and transmission as defined by glTF's extensions KHR_materials_ior, specular, clearcoat,
// sheen, transmission and volume; colors are linear. Most materials use the defaults.
struct MaterialExtensions {
    float ior = 1.5f; // 0: infinite, so that reflectance at normal incidence is the specular color
    float specular = 1.0f;
    Texture specular_texture; // linear: A
    glm::vec3 specular_color{1.0f};
    Texture specular_color_texture; // sRGB
    float clearcoat = 0.0f;
    Texture clearcoat_texture; // linear: R
    float clearcoat_roughness = 0.0f;
    Texture clearcoat_roughness_texture; // linear: G
    glm::vec3 sheen{0.0f};
    Texture sheen_texture; // sRGB
    float sheen_roughness = 0.0f;
    Texture sheen_roughness_texture; // linear: A
    float transmission = 0.0f;
    Texture transmission_texture;      // linear: R
    float thickness = 0.0f;            // of the volume below the surface, in mesh units; 0: thin wall
    float attenuation_distance = 0.0f; // meters until white light has attenuation_color; 0: no attenuation
    glm::vec3 attenuation_color{1.0f};

    bool operator==(const MaterialExtensions&) const = default;
};

// Metallic-roughness as in glTF 2.0; colors are linear. Loaders convert older material models.
struct Material {
    std::string name;
    glm::vec4 base_color{1.0f};
    Texture base_color_texture; // sRGB
    float metallic = 0.0f;
    float roughness = 1.0f;
    Texture metallic_roughness_texture; // linear: G roughness, B metallic
    Texture normal_texture;             // linear, tangent space, Y up
    float normal_scale = 1.0f;
    Texture occlusion_texture; // linear: R
    float occlusion_strength = 1.0f;
    glm::vec3 emissive{0.0f}; // may exceed 1
    Texture emissive_texture; // sRGB
    AlphaMode alpha_mode = AlphaMode::opaque;
    float alpha_cutoff = 0.5f;
    bool double_sided = false;
    bool unlit = false;
    MaterialExtensions extensions{};
};

// Decoded in the loader process: RGBA, 8 bits each, top row first, no padding, straight alpha, unmodified (no
// color conversion). No pixels: the image is not available; a warning gives the reason, and the material's
// color is used alone.
struct Image {
    std::string name; // name of the file or of the embedded image
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    Array<std::uint8_t> pixels;
    // In the loader process, for callers that need no pixels: the file was decoded without an error, all its
    // pixels are opaque, and they were not kept.
    bool is_checked = false;

    bool is_available() const { return is_checked || !pixels.empty(); }
};

} // namespace vitrine::scene
