#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "loaders/base/srgb.hpp"
#include "loaders/export/fbx/fbx_objects.hpp"
#include "loaders/export/png/png.hpp"

namespace vitrine::exporting {
namespace {

using scene::none;

double to_srgb(float linear)
{
    return srgb_from_linear(std::clamp(double{linear}, 0.0, 1.0));
}

glm::dvec3 to_srgb(const glm::vec3& linear)
{
    return {to_srgb(linear.x), to_srgb(linear.y), to_srgb(linear.z)};
}

// Embeds the image in the file.
std::int64_t write_texture(const scene::Scene& scene, const scene::Texture& texture, std::string_view name,
                           FbxObjects& objects)
{
    std::int64_t id = 0, video = 0;
    const scene::Image& image = scene.images[texture.image];
    const std::string file =
        (image.name.empty() ? fmt::format("image{}", texture.image) : image.name) + ".png";
    FbxElement& element = objects.add("Texture", fmt::format("Texture::{}", name), "", id);
    element.add("Type", {std::string("TextureVideoClip")});
    element.add("FileName", {file});
    element.add("RelativeFilename", {file});
    FbxElement& p = element.add("Properties70");
    p.property("WrapModeU", "enum", "", "", {std::int32_t{texture.wrap_s == scene::Wrap::clamp}});
    p.property("WrapModeV", "enum", "", "", {std::int32_t{texture.wrap_t == scene::Wrap::clamp}});
    FbxElement& clip = objects.add("Video", fmt::format("Video::{}", name), "Clip", video);
    clip.add("Type", {std::string("Clip")});
    clip.add("Filename", {file});
    clip.add("RelativeFilename", {file});
    clip.add("Content", {FbxRaw{write_png(image)}});
    objects.connect(video, id);
    return id;
}

} // namespace

void write_fbx_materials(const scene::Scene& scene, FbxIds& ids, FbxObjects& objects)
{
    for (const scene::Material& material : scene.materials) {
        std::int64_t id = 0;
        FbxElement& element = objects.add("Material", "Material::" + material.name, "", id);
        element.add("Version", {std::int32_t{102}});
        element.add("ShadingModel", {std::string("phong")});
        FbxElement& p = element.add("Properties70");
        p.property("DiffuseColor", "Color", "", "A", fbx_numbers(to_srgb(glm::vec3(material.base_color))));
        p.property("EmissiveColor", "Color", "", "A", fbx_numbers(to_srgb(material.emissive)));
        p.property("Opacity", "double", "Number", "", {double{material.base_color.w}});
        p.property("TransparencyFactor", "Number", "", "A", {1.0 - double{material.base_color.w}});
        p.property("ShininessExponent", "Number", "", "A",
                   {std::pow(10.0 * (1.0 - double{material.roughness}), 2.0)});
        p.property("Vitrine|metallic", "double", "Number", "A", {double{material.metallic}});
        p.property("Vitrine|roughness", "double", "Number", "A", {double{material.roughness}});
        const auto connect = [&](const scene::Texture& texture, std::string_view property) -> std::int64_t {
            if (texture.image == none || scene.images[texture.image].pixels.empty()) return 0;
            const auto written = write_texture(scene, texture, property, objects);
            objects.connect(written, id, property);
            return written;
        };
        const auto base = connect(material.base_color_texture, "DiffuseColor");
        if (base != 0 && material.alpha_mode != scene::AlphaMode::opaque)
            objects.connect(base, id, "TransparentColor");
        connect(material.normal_texture, "NormalMap");
        connect(material.emissive_texture, "EmissiveColor");
        ids.materials.push_back(id);
    }
}

} // namespace vitrine::exporting
