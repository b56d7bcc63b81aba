#include "loaders/dae/materials/effect.hpp"

#include <array>
#include <numbers>
#include <string>
#include <unordered_map>

#include <fmt/format.h>

#include "loaders/dae/document/numbers.hpp"
#include "loaders/io/string_hash.hpp"
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

scene::Wrap wrap_of(io::XmlNode node)
{
    const std::string_view mode = node.text();
    if (mode == "MIRROR" || mode == "MIRROR_ONCE") return scene::Wrap::mirror;
    if (mode == "CLAMP" || mode == "BORDER" || mode == "NONE") return scene::Wrap::clamp;
    return scene::Wrap::repeat;
}

// The parameters of <newparam> and <setparam>; inner ones take precedence.
class Parameters {
public:
    void add(io::XmlNode scope, std::string_view element, std::string_view name)
    {
        for (io::XmlNode p = scope.child(element); p.exists(); p = p.next(element))
            by_sid_.try_emplace(p.attribute(name), p);
    }
    io::XmlNode find(std::string_view sid) const
    {
        const auto found = by_sid_.find(sid);
        return found == by_sid_.end() ? io::XmlNode() : found->second;
    }

private:
    std::unordered_map<std::string_view, io::XmlNode, io::StringHash> by_sid_;
};

class EffectReader {
public:
    EffectReader(io::XmlNode effect, Documents& documents) : effect_(effect), documents_(documents) {}

    Effect read(io::XmlNode instance_effect)
    {
        Effect out;
        const io::XmlNode profile = effect_.child("profile_COMMON");
        const io::XmlNode technique = profile.child("technique");
        parameters_.add(instance_effect, "setparam", "ref");
        parameters_.add(technique, "newparam", "sid");
        parameters_.add(profile, "newparam", "sid");
        parameters_.add(effect_, "newparam", "sid");
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
            out.shading = static_cast<Shading>(i);
            out.emission = color_or_texture(shader.child("emission"));
            out.diffuse = color_or_texture(shader.child("diffuse"));
            out.specular = color_or_texture(shader.child("specular"));
            out.transparent = color_or_texture(shader.child("transparent"));
            out.opaque = opaque_of(shader.child("transparent"));
            out.shininess = number_or_param(shader.child("shininess"));
            out.transparency = number_or_param(shader.child("transparency"));
            if (shader.child("bump").exists()) read_bump(shader.child("bump"), out);
            read_extras(shader, out);
            warn_of_maps(shader, out);
            return;
        }
    }

    // Programs also write the texture of <diffuse> into <ambient>; it is represented by the base color.
    void warn_of_maps(io::XmlNode shader, const Effect& out)
    {
        for (const std::string_view name : {"ambient", "specular", "reflective"}) {
            const io::XmlNode texture = shader.child(name).child("texture");
            if (!texture.exists()) continue;
            scene::Texture unused;
            const bool is_diffuse = name == "ambient" && out.diffuse.image.exists() &&
                                    image_of(texture, unused) == out.diffuse.image;
            if (!is_diffuse)
                warnings_.push_back({"map_not_shown",
                                     fmt::format("a texture of <{}> is not supported; it is ignored", name),
                                     texture});
        }
    }

    static Opaque opaque_of(io::XmlNode transparent)
    {
        const std::string_view mode = transparent.attribute("opaque");
        if (mode == "RGB_ZERO") return Opaque::rgb_zero;
        if (mode == "A_ZERO") return Opaque::a_zero;
        if (mode == "RGB_ONE") return Opaque::rgb_one;
        return Opaque::a_one;
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
        bool inexact = false;
        out.image = image_of(texture, out.texture, &inexact);
        if (inexact)
            warnings_.push_back({"inexact_texture_name",
                                 fmt::format("the texture {} is the name of no sampler and no image; the one "
                                             "whose name only ends otherwise is taken",
                                             io::shown(texture.attribute("texture"))),
                                 texture});
        if (!out.image.exists())
            warnings_.push_back({"missing_image", "a texture has no image; its color is used", texture});
        for (io::XmlNode extra = texture.child("extra"); extra.exists(); extra = extra.next("extra"))
            for (io::XmlNode t = extra.child("technique"); t.exists(); t = t.next("technique"))
                read_placement(t, out.texture);
    }

    // texture -> sampler2D -> surface -> image in 1.4, sampler2D -> instance_image in 1.5.
    io::XmlNode image_of(io::XmlNode texture, scene::Texture& out, bool* inexact = nullptr)
    {
        bool unused = false;
        bool& differs = inexact != nullptr ? *inexact : unused;
        return nearest(texture.attribute("texture"), differs, [&](std::string_view name) {
            const io::XmlNode sampler = parameters_.find(name).child("sampler2D");
            if (!sampler.exists()) return surface_or_image(texture, name);
            out.wrap_s = wrap_of(sampler.child("wrap_s"));
            out.wrap_t = wrap_of(sampler.child("wrap_t"));
            out.nearest = sampler.child("magfilter").text().starts_with("NEAREST");
            if (const io::XmlNode instance = sampler.child("instance_image"); instance.exists())
                return documents_.find(instance, instance.attribute("url"));
            return nearest(sampler.child("source").text(), differs,
                           [&](std::string_view source) { return surface_or_image(texture, source); });
        });
    }

    io::XmlNode surface_or_image(io::XmlNode texture, std::string_view name)
    {
        const io::XmlNode surface = parameters_.find(name).child("surface");
        if (surface.exists()) return image_of_surface(surface);
        const io::XmlNode image = documents_.try_find(texture, name);
        return image.is("image") ? image : find_by_sid(name);
    }

    // What `look` finds by a name, else by one that programs cut: the usual endings of samplers, surfaces and
    // images left out, or a '#' before it. `differs` becomes true for such a one.
    template <class Look>
    static io::XmlNode nearest(std::string_view name, bool& differs, Look look)
    {
        constexpr std::array<std::string_view, 8> endings{"-sampler", "_sampler", "-sampler2D", "-surface",
                                                          "_surface", "-image",   "_image",     "-img"};
        io::XmlNode found = look(name);
        if (found.exists() || name.empty()) return found;
        const std::string bare(name.substr(name.front() == '#' ? 1 : 0));
        if (bare != name) found = look(bare);
        for (const std::string_view ending : endings)
            if (!found.exists()) found = look(bare + std::string(ending));
        differs = differs || found.exists();
        return found;
    }

    io::XmlNode image_of_surface(io::XmlNode surface)
    {
        io::XmlNode init = surface.child("init_from");
        for (const std::string_view kind : {"init_planar", "init_2D", "init_as_target"})
            if (!init.exists() && surface.child(kind).exists()) init = surface.child(kind).child("all");
        const std::string_view ref = init.attribute("ref");
        const std::string_view name = ref.empty() ? init.text() : ref;
        const io::XmlNode image = documents_.try_find(surface, name);
        return image.is("image") ? image : find_by_sid(name);
    }

    // Images inside the effect may have only a sid or name.
    io::XmlNode find_by_sid(std::string_view name) const
    {
        for (const io::XmlNode scope : {effect_.child("profile_COMMON"), effect_})
            for (io::XmlNode image = scope.child("image"); image.exists(); image = image.next("image"))
                if (!name.empty() && (image.attribute("sid") == name || image.attribute("name") == name))
                    return image;
        return {};
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
    Documents& documents_;
    Parameters parameters_;
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
        if (may_override(effect)) return EffectReader(effect, documents_).read(instance_effect);
        documents_.warn(
            "unsupported_effect",
            "too many materials set parameters of large effects; the effects' own parameters are used", set);
    }
    std::optional<Effect>& known = cache_[effect.key()].effect;
    if (!known) known = EffectReader(effect, documents_).read({});
    return *known;
}

} // namespace vitrine::dae
