#include "loaders/dae/materials/effect.hpp"

#include <array>
#include <numbers>
#include <string>

#include <fmt/format.h>

#include "loaders/dae/document/numbers.hpp"
#include "loaders/io/text/text_reader.hpp"

namespace vitrine::dae {
namespace {

std::optional<double> number_in(io::XmlNode node)
{
    double value = 0.0;
    if (!node.exists() || read_into(node.text(), std::span(&value, 1)) == 0) return std::nullopt;
    return value;
}

std::optional<bool> flag_in(io::XmlNode node)
{
    return node.exists() ? read_flag(node.text()) : std::nullopt;
}

class EffectReader {
public:
    EffectReader(io::XmlNode instance_effect, io::XmlNode effect, Documents& documents)
        : effect_(effect), parameters_(instance_effect, effect, documents)
    {
    }

    Effect read()
    {
        Effect out;
        const io::XmlNode profile = effect_.child("profile_COMMON");
        const io::XmlNode technique = profile.child("technique");
        out.has_profile = profile.exists();
        read_shading(technique, out);
        for (const io::XmlNode scope : {technique, profile, effect_})
            read_extras(scope, out);
        out.warnings = std::move(warnings_);
        return out;
    }

private:
    void read_shading(io::XmlNode technique, Effect& out)
    {
        constexpr std::array<std::string_view, 4> names{"constant", "lambert", "phong", "blinn"};
        for (std::size_t i = 0; i < names.size(); ++i) {
            const io::XmlNode shader = technique.child(names[i]);
            if (!shader.exists()) continue;
            out.shading = static_cast<ShadingModel>(i);
            out.emission = color_or_texture(shader.child("emission"));
            out.diffuse = color_or_texture(shader.child("diffuse"));
            out.specular = color_or_texture(shader.child("specular"));
            out.transparent = color_or_texture(shader.child("transparent"));
            out.opaque = opaque_of(shader.child("transparent"));
            out.shininess = number_or_param(shader.child("shininess"));
            out.transparency = number_or_param(shader.child("transparency"));
            if (shader.child("bump").exists()) read_bump(shader.child("bump"), out);
            read_extras(shader, out);
            warn_about_maps(shader, out);
            return;
        }
    }

    // Programs also write the texture of <diffuse> into <ambient>; it is represented by the base color.
    void warn_about_maps(io::XmlNode shader, const Effect& out)
    {
        for (const std::string_view name : {"ambient", "specular", "reflective"}) {
            const io::XmlNode texture = shader.child(name).child("texture");
            if (!texture.exists()) continue;
            scene::Texture unused;
            const bool is_diffuse = name == "ambient" && out.diffuse.image.exists() &&
                                    parameters_.image_of(texture, unused).image == out.diffuse.image;
            if (!is_diffuse)
                warnings_.push_back({"map_not_shown",
                                     fmt::format("a texture of <{}> is not supported; it is ignored", name),
                                     texture});
        }
    }

    static OpaqueMode opaque_of(io::XmlNode transparent)
    {
        const std::string_view mode = transparent.attribute("opaque");
        if (mode == "RGB_ZERO") return OpaqueMode::rgb_zero;
        if (mode == "A_ZERO") return OpaqueMode::a_zero;
        if (mode == "RGB_ONE") return OpaqueMode::rgb_one;
        return OpaqueMode::a_one;
    }

    io::XmlNode parameter(io::XmlNode param) const
    {
        const std::string_view ref = param.attribute("ref");
        return parameters_.find(ref.empty() ? param.text() : ref);
    }

    std::optional<double> number_or_param(io::XmlNode node) const
    {
        if (const auto number = number_in(node.child("float"))) return number;
        const io::XmlNode param = node.child("param");
        return param.exists() ? number_in(parameter(param).child("float")) : std::nullopt;
    }

    static bool read_color(io::XmlNode node, glm::vec4& color)
    {
        if (!node.exists()) return false;
        std::array<double, 4> values{0.0, 0.0, 0.0, 1.0};
        if (read_into(node.text(), values) == 0) return false;
        color = glm::vec4(values[0], values[1], values[2], values[3]);
        return true;
    }

    ColorOrTexture color_or_texture(io::XmlNode node)
    {
        ColorOrTexture out;
        if (!node.exists()) return out;
        out.exists = read_color(node.child("color"), out.color);
        if (const io::XmlNode param = node.child("param"); !out.exists && param.exists()) {
            const io::XmlNode value = parameter(param);
            for (const std::string_view type : {"float4", "float3", "color"})
                if (!out.exists) out.exists = read_color(value.child(type), out.color);
        }
        if (const io::XmlNode texture = node.child("texture"); texture.exists()) {
            out.exists = out.is_texture = true;
            read_texture(texture, out);
        }
        return out;
    }

    void read_texture(io::XmlNode texture, ColorOrTexture& out)
    {
        out.texcoord = texture.attribute("texcoord");
        const auto [image, is_exact] = parameters_.image_of(texture, out.texture);
        out.image = image;
        if (!is_exact)
            warnings_.push_back(
                {"inexact_texture_name",
                 fmt::format("the texture {} names no sampler or image; one whose name differs "
                             "only in its suffix is used",
                             io::shown(texture.attribute("texture"))),
                 texture});
        if (!out.image.exists())
            warnings_.push_back({"missing_image", "a texture has no image; its color is used", texture});
        for (io::XmlNode extra = texture.child("extra"); extra.exists(); extra = extra.next("extra"))
            for (io::XmlNode t = extra.child("technique"); t.exists(); t = t.next("technique"))
                read_placement(t, out.texture);
    }

    // Maya's place2dTexture, and the same names by other programs. V points up in the file: v' = repeat v +
    // offset becomes 1 - v' in the Scene.
    static void read_placement(io::XmlNode technique, scene::Texture& out)
    {
        const auto number = [&](std::string_view name, double fallback) {
            return static_cast<float>(number_in(technique.child(name)).value_or(fallback));
        };
        const auto wrap = [&](std::string_view wraps, std::string_view mirrors, scene::Wrap& mode) {
            if (flag_in(technique.child(wraps)) == false) mode = scene::Wrap::clamp;
            if (flag_in(technique.child(mirrors)) == true) mode = scene::Wrap::mirror;
        };
        wrap("wrapU", "mirrorU", out.wrap_s);
        wrap("wrapV", "mirrorV", out.wrap_t);
        const glm::vec2 repeat(number("repeatU", 1.0), number("repeatV", 1.0));
        const glm::vec2 offset(number("offsetU", 0.0), number("offsetV", 0.0));
        const float angle = number("rotateUV", 0.0) * std::numbers::pi_v<float> / 180.0f;
        if (repeat == glm::vec2(1.0f) && offset == glm::vec2(0.0f) && angle == 0.0f) return;
        // Rotated about the center of the image.
        const glm::vec2 start(offset.x, 1.0f - repeat.y - offset.y);
        const float c = std::cos(angle), s = std::sin(angle);
        const glm::vec2 from_middle = start - 0.5f;
        out.scale = repeat;
        out.rotation = angle;
        out.offset =
            glm::vec2(c * from_middle.x + s * from_middle.y, -s * from_middle.x + c * from_middle.y) + 0.5f;
    }

    void read_bump(io::XmlNode bump, Effect& out)
    {
        if (out.bump.exists) return;
        out.bump = color_or_texture(bump);
        const std::string_view type = bump.attribute("bumptype");
        out.bump_is_normal_map = type == "NORMALMAP" || bump.is("normal") || bump.is("normalmap");
    }

    // Programs write these into their own techniques, at any of four places.
    void read_extras(io::XmlNode scope, Effect& out)
    {
        for (io::XmlNode extra = scope.child("extra"); extra.exists(); extra = extra.next("extra"))
            for (io::XmlNode t = extra.child("technique"); t.exists(); t = t.next("technique")) {
                for (const std::string_view name : {"bump", "normal", "normalmap"})
                    if (const io::XmlNode bump = t.child(name); bump.child("texture").exists())
                        read_bump(bump, out);
            }
    }

    io::XmlNode effect_;
    EffectParameters parameters_;
    std::vector<Effect::Warning> warnings_;
};

// Limit for all materials that set parameters of their effect, above that of real files.
constexpr std::uint64_t max_elements = 1u << 21;

std::uint64_t count_elements(io::XmlNode node)
{
    std::uint64_t count = 1;
    for (const io::XmlNode child : node)
        count += count_elements(child);
    return count;
}

} // namespace

bool Effects::may_override(io::XmlNode effect)
{
    std::uint64_t& elements = cache_[effect.key()].elements;
    if (elements == 0) elements = count_elements(effect);
    read_again_ += elements;
    return read_again_ <= max_elements;
}

// Limits repeated reads: a hostile file has one large effect used by many materials.
Effect Effects::read(io::XmlNode instance_effect, io::XmlNode effect)
{
    if (const io::XmlNode set = instance_effect.child("setparam"); set.exists()) {
        if (may_override(effect)) return EffectReader(instance_effect, effect, documents_).read();
        documents_.warn(
            "unsupported_effect",
            "too many materials set parameters of large effects; the effects' own parameters are used", set);
    }
    std::optional<Effect>& known = cache_[effect.key()].effect;
    if (!known) known = EffectReader({}, effect, documents_).read();
    return *known;
}

} // namespace vitrine::dae
