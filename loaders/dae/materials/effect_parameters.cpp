#include <array>
#include <string>

#include "loaders/dae/materials/effect.hpp"

namespace vitrine::dae {
namespace {

scene::Wrap wrap_of(io::XmlNode node)
{
    const std::string_view mode = node.text();
    if (mode == "MIRROR" || mode == "MIRROR_ONCE") return scene::Wrap::mirror;
    if (mode == "CLAMP" || mode == "BORDER" || mode == "NONE") return scene::Wrap::clamp;
    return scene::Wrap::repeat;
}

// Returns what `look` finds by the name, else by the name with a usual suffix of samplers, surfaces and
// images, which some programs omit, or without a leading '#'. The latter sets `is_exact` to false.
template <class Look>
io::XmlNode find_similar(std::string_view name, bool& is_exact, Look look)
{
    constexpr std::array<std::string_view, 8> suffixes{"-sampler", "_sampler", "-sampler2D", "-surface",
                                                       "_surface", "-image",   "_image",     "-img"};
    io::XmlNode found = look(name);
    if (found.exists() || name.empty()) return found;
    const std::string bare(name.substr(name.front() == '#' ? 1 : 0));
    if (bare != name) found = look(bare);
    for (const std::string_view suffix : suffixes)
        if (!found.exists()) found = look(bare + std::string(suffix));
    is_exact = is_exact && !found.exists();
    return found;
}

} // namespace

EffectParameters::EffectParameters(io::XmlNode instance_effect, io::XmlNode effect, Documents& documents)
    : effect_(effect), documents_(documents)
{
    const io::XmlNode profile = effect.child("profile_COMMON");
    add(instance_effect, "setparam", "ref");
    add(profile.child("technique"), "newparam", "sid");
    add(profile, "newparam", "sid");
    add(effect, "newparam", "sid");
}

void EffectParameters::add(io::XmlNode scope, std::string_view element, std::string_view name)
{
    for (io::XmlNode p = scope.child(element); p.exists(); p = p.next(element))
        by_sid_.try_emplace(p.attribute(name), p);
}

io::XmlNode EffectParameters::find(std::string_view sid) const
{
    const auto found = by_sid_.find(sid);
    return found == by_sid_.end() ? io::XmlNode() : found->second;
}

// texture -> sampler2D -> surface -> image in 1.4, sampler2D -> instance_image in 1.5.
EffectParameters::TextureImage EffectParameters::image_of(io::XmlNode texture, scene::Texture& out)
{
    TextureImage found;
    found.image = find_similar(texture.attribute("texture"), found.is_exact, [&](std::string_view name) {
        const io::XmlNode sampler = find(name).child("sampler2D");
        if (!sampler.exists()) return surface_or_image(texture, name);
        out.wrap_s = wrap_of(sampler.child("wrap_s"));
        out.wrap_t = wrap_of(sampler.child("wrap_t"));
        out.nearest = sampler.child("magfilter").text().starts_with("NEAREST");
        if (const io::XmlNode instance = sampler.child("instance_image"); instance.exists())
            return documents_.find(instance, instance.attribute("url"));
        return find_similar(sampler.child("source").text(), found.is_exact,
                            [&](std::string_view source) { return surface_or_image(texture, source); });
    });
    return found;
}

io::XmlNode EffectParameters::surface_or_image(io::XmlNode texture, std::string_view name)
{
    const io::XmlNode surface = find(name).child("surface");
    if (surface.exists()) return image_of_surface(surface);
    const io::XmlNode image = documents_.try_find(texture, name);
    return image.is("image") ? image : find_by_sid(name);
}

io::XmlNode EffectParameters::image_of_surface(io::XmlNode surface)
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
io::XmlNode EffectParameters::find_by_sid(std::string_view name) const
{
    for (const io::XmlNode scope : {effect_.child("profile_COMMON"), effect_})
        for (io::XmlNode image = scope.child("image"); image.exists(); image = image.next("image"))
            if (!name.empty() && (image.attribute("sid") == name || image.attribute("name") == name))
                return image;
    return {};
}

} // namespace vitrine::dae
