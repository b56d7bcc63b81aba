#pragma once
// <effect> as stored in the file: parameters resolved, not converted.

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/dae/document/documents.hpp"
#include "loaders/io/string_hash.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::dae {

enum class ShadingModel : std::uint8_t { constant, lambert, phong, blinn };

// A color or texture, the content of <diffuse> and similar elements.
struct ColorOrTexture {
    bool exists = false;
    glm::vec4 color{0.0f, 0.0f, 0.0f, 1.0f}; // as in the file
    bool is_texture = false;                 // also when no image is found
    io::XmlNode image;                       // <image>; absent: the color is used
    std::string_view texcoord;               // symbol of the texture coordinates
    scene::Texture texture;                  // wrap, filter, UV transform; no image
};

enum class OpaqueMode : std::uint8_t { a_one, rgb_zero, a_zero, rgb_one };

struct Effect {
    ShadingModel shading = ShadingModel::lambert;
    ColorOrTexture emission, diffuse, specular, transparent, bump;
    bool bump_is_normal_map = false;
    OpaqueMode opaque = OpaqueMode::a_one;
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

// The parameters of an effect and of its instance, inner ones first, and the images that its textures name.
class EffectParameters {
public:
    // `documents` must outlive this.
    EffectParameters(io::XmlNode instance_effect, io::XmlNode effect, Documents& documents);

    // Returns the <newparam> or <setparam>; absent without one.
    io::XmlNode find(std::string_view sid) const;

    struct TextureImage {
        io::XmlNode image;    // <image>; absent when the texture names none
        bool is_exact = true; // false: a name that differs only in its suffix
    };
    // Resolves texture -> sampler -> surface -> image as the standard defines and as programs that omit steps
    // write it. Sets the wrap modes and the filter of `out`.
    TextureImage image_of(io::XmlNode texture, scene::Texture& out);

private:
    void add(io::XmlNode scope, std::string_view element, std::string_view name);
    io::XmlNode surface_or_image(io::XmlNode texture, std::string_view name);
    io::XmlNode image_of_surface(io::XmlNode surface);
    io::XmlNode find_by_sid(std::string_view name) const;

    io::XmlNode effect_;
    Documents& documents_;
    std::unordered_map<std::string_view, io::XmlNode, io::StringHash> by_sid_;
};

class Effects {
public:
    // `documents` must outlive this.
    explicit Effects(Documents& documents) : documents_(documents) {}

    // `instance_effect` may override parameters; call once per instance.
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

// The opacity of a surface from <transparent> and <transparency>, as the 1.4.1 specification defines it
// ("Determining transparency") and as deviating programs intended it.
enum class TransparencyMode : std::uint8_t {
    as_specified,
    zero_is_opaque, // an amount of 0, which would be invisible, is opaque; others are as specified
    inverted,       // the amount is the transparency, not the opacity
    rgb_zero,       // color times amount is the transparency, declared or not
};

// Selects the mode by names and versions of the authoring tools (authoring_tool.hpp).
TransparencyMode transparency_mode(std::string_view programs);

// Converts the numeric values of `effect` to the specification's definition.
void normalize_transparency(Effect& effect, TransparencyMode mode);

// Returns the opacity, 0 .. 1. A texture counts as fully opaque.
float opacity_of(const Effect& effect);

// Returns an image whose alpha is the opacity of `from` combined with effect.transparency.
scene::Image opacity_mask(const scene::Image& from, const Effect& effect);

} // namespace vitrine::dae
