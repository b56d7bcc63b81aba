#pragma once
// <effect> as stored in the file: parameters resolved, not converted.

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

// A color or texture, the content of <diffuse> and similar elements.
struct ColorOrTexture {
    bool exists = false;
    glm::vec4 color{0.0f, 0.0f, 0.0f, 1.0f}; // as in the file
    bool is_texture = false;                 // also when no image is found
    io::XmlNode image;                       // <image>; absent: the color is used
    std::string_view texcoord;               // symbol of the texture coordinates
    scene::Texture texture;                  // wrap, filter, UV transform; no image
};

enum class Opaque : std::uint8_t { a_one, rgb_zero, a_zero, rgb_one };

struct Effect {
    Shading shading = Shading::lambert;
    ColorOrTexture emission, diffuse, specular, transparent, bump;
    bool bump_is_normal_map = false;
    Opaque opaque = Opaque::a_one;
    std::optional<double> shininess, transparency;
    bool has_profile = false; // has a profile_COMMON

    // A warning reported for each material that uses the effect.
    struct Warning {
        std::string_view code;
        std::string message;
        io::XmlNode at;
    };
    std::vector<Warning> warnings;
};

class Effects {
public:
    // `documents` must outlive this.
    explicit Effects(Documents& documents) : documents_(documents) {}

    // `instance_effect` may override parameters; call once per instance. Resolves texture -> sampler ->
    // surface -> image as the standard defines and as programs that omit steps write it.
    Effect read(io::XmlNode instance_effect, io::XmlNode effect);

private:
    bool may_override(io::XmlNode effect);

    struct CachedEffect {
        std::optional<Effect> effect; // without overrides; read on first use
        std::uint64_t elements = 0;   // number of elements in it; counted on first use
    };

    Documents& documents_;
    std::unordered_map<const void*, CachedEffect> cache_; // by <effect>
    std::uint64_t read_again_ = 0;                        // elements
};

} // namespace vitrine::dae
