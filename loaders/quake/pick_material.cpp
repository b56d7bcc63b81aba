#include "loaders/quake/texture_picker.hpp"

#include <fmt/format.h>

#include "loaders/images/image.hpp"
#include "loaders/io/text/text_reader.hpp"

namespace vitrine::quake {
namespace {

scene::Material named_material(const std::string& name)
{
    scene::Material out;
    out.name = io::to_utf8(name);
    out.double_sided = true; // as for all formats except glTF: no culling
    return out;
}

} // namespace

// Enables the alpha test for foliage and similar. MD2 can only express it by the image's alpha, and Cube 2,
// whose .cfg names skins, tests it by default; in Quake III a script defines the use of alpha.
void TexturePicker::cut_holes(scene::Material& material)
{
    const float alpha_test = config_.alpha_test();
    const std::uint32_t image = material.base_color_texture.image;
    const bool cuts = alpha_test > 0.0f || (tests_alpha_ && stage_images_.min_alpha(image) < 128);
    if (!cuts) return;
    material.alpha_mode = scene::AlphaMode::mask;
    if (alpha_test > 0.0f) material.alpha_cutoff = alpha_test;
}

void TexturePicker::apply_shader(const ShaderAppearance& appearance, scene::Material& material,
                                 const std::string& where)
{
    scene::Texture& texture = material.base_color_texture;
    if (texture.image == scene::none) return;
    if (appearance.clamps) texture.wrap_s = texture.wrap_t = scene::Wrap::clamp;
    texture.image = stage_images_.convert(texture.image, appearance);
    set_alpha_mode(appearance, material);
    if (material.alpha_mode == scene::AlphaMode::blend && stage_images_.min_alpha(texture.image) == 255)
        material.alpha_mode = scene::AlphaMode::opaque;
    if (appearance.unused_images > 0)
        warnings_.add("shader_simplified",
                      fmt::format("its script combines {} images; one is used", appearance.unused_images + 1),
                      where);
    if (material.unlit)
        warnings_.add("shader_simplified",
                      "its script uses additive or multiplicative blending; the image is blended "
                      "by alpha instead",
                      where);
}

// Reports that `asked` was not available and that `image`, if any, is used instead.
void TexturePicker::warn(const std::string& asked, std::uint32_t image, const std::string& where)
{
    const bool plain = image == scene::none;
    if (!unusable_image_.file.empty())
        warnings_.add("invalid_image",
                      images::unusable_image_message(unusable_image_.file, unusable_image_.reason) +
                          (plain ? "; the mesh has no texture" : ""),
                      where);
    if (plain && !unusable_image_.file.empty()) return;
    const auto whose = asked.empty() ? std::string("the mesh") : "shader " + io::shown(asked);
    warnings_.add(plain ? "missing_image" : "found_elsewhere",
                  plain ? fmt::format("no image exists for {}; it has no texture", whose)
                        : fmt::format("the image of {} is missing; the file {} is used, {}", whose,
                                      io::shown(found_.file), choice_reason_),
                  where);
}

// Sets what follows from the image: its use of alpha, and the normal map.
void TexturePicker::finish(scene::Material& material, const ShaderAppearance* appearance,
                           const std::string& normal_map, const std::string& base, const std::string& where)
{
    if (appearance != nullptr)
        apply_shader(*appearance, material, where);
    else if (material.base_color_texture.image != scene::none)
        cut_holes(material);
    unusable_image_ = {};
    material.normal_texture.image = first_usable({{normal_map, nullptr},
                                                  {appearance ? appearance->normal_image : "", nullptr},
                                                  {base + "_local", nullptr},
                                                  {base + "_norm", nullptr},
                                                  {base + "_nm", nullptr}});
    if (material.normal_texture.image == scene::none && !unusable_image_.file.empty())
        warnings_.add("invalid_image",
                      images::unusable_image_message(unusable_image_.file, unusable_image_.reason), where);
}

scene::Material TexturePicker::material(std::span<const std::string> shaders, const std::string& mesh)
{
    const std::string shader = shaders.empty() ? std::string() : shaders.front();
    const std::string& base = shader.empty() ? mesh : shader;
    scene::Material out = named_material(base);
    const std::string where = out.name.empty() ? source_.main_name() : out.name;
    const SkinImages* skin = config_.find_skin(mesh);
    unusable_image_ = {};
    found_ = {};
    std::uint32_t& image = out.base_color_texture.image;
    image = named(skin, shaders, where);
    const ShaderAppearance* appearance = image == scene::none ? scripts_.find(shader) : found_.appearance;
    if (image == scene::none && (appearance == nullptr || appearance->names_image())) {
        // When the named image exists but cannot be used, a guess would contradict the model.
        if (unusable_image_.file.empty()) image = likely(mesh);
        warn(skin && !skin->color.empty() ? skin->color : shader, image, where);
    }
    finish(out, appearance, skin ? skin->normal : "", base, where);
    return out;
}

std::optional<scene::Material> TexturePicker::find_material(const std::string& shader)
{
    scene::Material out = named_material(shader);
    unusable_image_ = {};
    found_ = {};
    out.base_color_texture.image = first_usable(wanted_of(nullptr, {&shader, 1}));
    if (out.base_color_texture.image == scene::none) return std::nullopt;
    const std::string where = out.name;
    finish(out, found_.appearance, {}, shader, where);
    return out;
}

} // namespace vitrine::quake
