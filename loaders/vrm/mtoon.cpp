#include <algorithm>
#include <span>

#include "loaders/base/srgb.hpp"
#include "loaders/gltf/document/fields.hpp"
#include "loaders/vrm/extensions.hpp"

namespace vitrine::vrm {
namespace {

// MToon shows a lit and a shade color, with a narrow transition where the light falls flat. The approximation
// is a matte surface that emits a part of its shade color, so that its dark side is not darker than that.
constexpr float emitted_part_of_shade = 0.5f;

void approximate_toon(const glm::vec3& shade, scene::Material& out)
{
    out.unlit = false;
    out.metallic = 0.0f;
    out.roughness = 1.0f;
    out.metallic_roughness_texture = {};
    out.extensions.specular = 0.0f;
    if (out.emissive != glm::vec3(0.0f)) return; // a texture of its own
    const glm::vec3 lit(out.base_color);
    out.emissive = emitted_part_of_shade * glm::min(shade, lit);
    out.emissive_texture = out.base_color_texture;
    out.base_color = glm::vec4(lit - out.emissive, out.base_color.w);
}

class MToonReader {
public:
    MToonReader(const VrmExtension& extension, scene::Scene& scene) : extension_(extension), scene_(scene) {}

    // VRMC_materials_mtoon, which the table of extensions warns about.
    void read_version_1()
    {
        const io::JsonValue materials = extension_.document.list("materials");
        for (std::uint32_t m = 0; m < scene_.materials.size(); ++m) {
            gltf::LenientFields fields(materials[m], extension_.warnings());
            const io::JsonValue toon = fields.extension("VRMC_materials_mtoon");
            if (!toon.exists()) continue;
            glm::vec3 shade(0.0f); // the default
            gltf::LenientFields(toon, extension_.warnings())
                .numbers("shadeColorFactor", std::span<float, 3>(&shade[0], 3), gltf::unit_range);
            approximate_toon(shade, scene_.materials[m]);
        }
    }

    // A list beside the glTF materials, with properties of Unity's shaders.
    void read_version_0()
    {
        const io::JsonValue list = extension_.object["materialProperties"];
        for (std::uint32_t m = 0; m < scene_.materials.size(); ++m) {
            const std::string_view shader = list[m]["shader"].string().value_or("");
            if (shader.starts_with("VRM/Unlit")) scene_.materials[m].unlit = true;
            if (shader != "VRM/MToon") continue;
            extension_.warnings().add("extension_approximated", "MToon is supported only in part",
                                      list[m].pointer());
            read_properties(list[m], scene_.materials[m]);
        }
    }

private:
    void read_properties(io::JsonValue properties, scene::Material& out)
    {
        const io::JsonValue colors = properties["vectorProperties"], numbers = properties["floatProperties"];
        glm::vec4 lit(1.0f),
            shade(0.97f, 0.81f, 0.86f, 1.0f); // defaults of the shader; sRGB, alpha is linear
        gltf::LenientFields fields(colors, extension_.warnings());
        if (fields.numbers("_Color", std::span<float, 4>(&lit[0], 4), gltf::unit_range))
            out.base_color = glm::vec4(linear_from_srgb(glm::vec3(lit)), lit.w);
        fields.numbers("_ShadeColor", std::span<float, 4>(&shade[0], 4), gltf::unit_range);
        read_blending(gltf::LenientFields(numbers, extension_.warnings()), out);
        approximate_toon(linear_from_srgb(glm::vec3(shade)), out);
    }

    // _BlendMode: opaque, cutout, transparent, transparent with depth; _CullMode: off, front, back.
    static void read_blending(gltf::LenientFields numbers, scene::Material& out)
    {
        const float mode = numbers.number("_BlendMode", -1.0f);
        if (mode == 0.0f) out.alpha_mode = scene::AlphaMode::opaque;
        if (mode == 1.0f) out.alpha_mode = scene::AlphaMode::mask;
        if (mode >= 2.0f) out.alpha_mode = scene::AlphaMode::blend;
        out.alpha_cutoff = numbers.number("_Cutoff", out.alpha_cutoff, gltf::not_negative);
        if (numbers.number("_CullMode", 2.0f) == 0.0f) out.double_sided = true;
    }

    const VrmExtension& extension_;
    scene::Scene& scene_;
};

} // namespace

void read_mtoon_materials(const VrmExtension& extension, scene::Scene& scene)
{
    MToonReader reader(extension, scene);
    if (extension.kind == VrmKind::version_0)
        reader.read_version_0();
    else
        reader.read_version_1();
}

} // namespace vitrine::vrm
