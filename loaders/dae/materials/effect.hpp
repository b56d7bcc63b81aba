#pragma once
// <effect> as it stands in the file: parameters resolved, nothing converted yet.

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/dae/document/documents.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::dae {

enum class Shading : std::uint8_t { constant, lambert, phong, blinn };

// A color or a picture, as <diffuse> and its like hold.
struct ColorOrTexture {
    bool exists = false;
    glm::vec4 color{0.0f, 0.0f, 0.0f, 1.0f}; // as in the file
    bool is_texture = false;                 // also where it leads to no image
    io::XmlNode image;                       // <image>; absent: the color counts
    std::string_view texcoord;               // symbol of the texture coordinates
    scene::Texture texture;                  // wrap, filter, transform of its UVs; no image
};

enum class Opaque : std::uint8_t { a_one, rgb_zero, a_zero, rgb_one };

struct Effect {
    Shading shading = Shading::lambert;
    ColorOrTexture emission, diffuse, specular, transparent, bump;
    bool bump_is_normal_map = false;
    Opaque opaque = Opaque::a_one;
    std::optional<double> shininess, transparency;
    bool has_profile = false; // a profile_COMMON

    // What each material of the effect is warned of.
    struct Warning {
        std::string_view code;
        std::string message;
        io::XmlNode at;
    };
    std::vector<Warning> warnings;
};

class Effects {
public:
    // It outlives this.
    explicit Effects(Documents& documents) : documents_(documents) {}

    // `instance_effect` may override parameters; each is asked for once. Follows texture -> sampler ->
    // surface -> image, in the standard's way and in the ways of programs that leave steps out.
    Effect read(io::XmlNode instance_effect, io::XmlNode effect);

private:
    bool may_override(io::XmlNode effect);

    struct CachedEffect {
        std::optional<Effect> effect; // as it stands, once it was asked for
        std::uint64_t elements = 0;   // in it, once they were counted
    };

    Documents& documents_;
    std::unordered_map<const void*, CachedEffect> cache_; // by <effect>
    std::uint64_t read_again_ = 0;                        // elements
};

} // namespace vitrine::dae
