#include "loaders/export/dae/dae_libraries.hpp"

#include <algorithm>

#include "loaders/export/dae/dae_text.hpp"
#include "loaders/export/png/png.hpp"
#include "loaders/export/srgb_color.hpp"

namespace vitrine::exporting {
namespace {

using scene::none;

std::string color(const glm::vec3& linear, float alpha)
{
    return fmt::format("<color>{} {} {} {}</color>", to_srgb(linear.x), to_srgb(linear.y), to_srgb(linear.z),
                       alpha);
}

class MaterialWriter {
public:
    MaterialWriter(const scene::Scene& scene, const std::string& stem, DaeText& out,
                   std::vector<NamedFile>& files)
        : scene_(scene), stem_(stem), out_(out), files_(files)
    {
    }

    void run()
    {
        out_.section("library_images", [&] {
            for (std::size_t i = 0; i < scene_.images.size(); ++i) {
                if (scene_.images[i].pixels.empty()) continue;
                const std::string file = fmt::format("{}_{}.png", stem_, i);
                out_.line("<image id=\"image-{}\"><init_from>{}</init_from></image>", i, file);
                files_.push_back({file, write_png(scene_.images[i])});
            }
        });
        out_.section("library_materials", [&] {
            for (std::size_t m = 0; m < scene_.materials.size(); ++m)
                out_.line("<material id=\"material-{0}\" name=\"{1}\">"
                          "<instance_effect url=\"#effect-{0}\"/></material>",
                          m, escaped(scene_.materials[m].name));
        });
        out_.section("library_effects", [&] {
            for (std::size_t m = 0; m < scene_.materials.size(); ++m)
                write_effect(m, scene_.materials[m]);
        });
    }

private:
    bool has_pixels(std::uint32_t image) const
    {
        return image != none && !scene_.images[image].pixels.empty();
    }

    void write_sampler(const char* name, const scene::Texture& texture)
    {
        const auto mode = [](scene::Wrap wrap) {
            return wrap == scene::Wrap::repeat ? "WRAP" : wrap == scene::Wrap::clamp ? "CLAMP" : "MIRROR";
        };
        out_.line("<newparam sid=\"{0}-surface\"><surface type=\"2D\">"
                  "<init_from>image-{1}</init_from></surface></newparam>"
                  "<newparam sid=\"{0}-sampler\"><sampler2D><source>{0}-surface</source>"
                  "<wrap_s>{2}</wrap_s><wrap_t>{3}</wrap_t></sampler2D></newparam>",
                  name, texture.image, mode(texture.wrap_s), mode(texture.wrap_t));
    }

    std::string surface(const char* name, const scene::Texture& texture, const glm::vec3& linear) const
    {
        if (!has_pixels(texture.image)) return color(linear, 1.0f);
        return fmt::format("<texture texture=\"{}-sampler\" texcoord=\"UV{}\"/>", name, texture.uv_set);
    }

    void write_effect(std::size_t index, const scene::Material& m)
    {
        out_.line("<effect id=\"effect-{}\"><profile_COMMON>", index);
        if (has_pixels(m.base_color_texture.image)) write_sampler("base", m.base_color_texture);
        if (has_pixels(m.emissive_texture.image)) write_sampler("glow", m.emissive_texture);
        const std::string base = surface("base", m.base_color_texture, glm::vec3(m.base_color));
        const std::string glow = surface("glow", m.emissive_texture, m.emissive);
        const bool by_texture =
            m.alpha_mode != scene::AlphaMode::opaque && has_pixels(m.base_color_texture.image);
        const std::string opacity =
            by_texture ? fmt::format("<transparent opaque=\"A_ONE\">{}</transparent>"
                                     "<transparency><float>{}</float></transparency>",
                                     base, m.base_color.w)
                       : fmt::format("<transparent opaque=\"A_ONE\"><color>0 0 0 {}</color></transparent>",
                                     m.base_color.w);
        if (m.unlit) {
            out_.line("<technique sid=\"common\"><constant><emission>{}</emission>{}</constant></technique>",
                      base, opacity);
        } else {
            const float n = 2.0f / std::max(m.roughness * m.roughness, 1e-3f) - 2.0f;
            out_.line("<technique sid=\"common\"><phong><emission>{}</emission><diffuse>{}</diffuse>"
                      "<specular><color>0.2 0.2 0.2 1</color></specular>"
                      "<shininess><float>{}</float></shininess>{}</phong></technique>",
                      glow, base, n, opacity);
        }
        out_.line("</profile_COMMON></effect>");
    }

    const scene::Scene& scene_;
    const std::string& stem_;
    DaeText& out_;
    std::vector<NamedFile>& files_;
};

} // namespace

void write_dae_materials(const scene::Scene& scene, const std::string& stem, DaeText& out,
                         std::vector<NamedFile>& files)
{
    MaterialWriter(scene, stem, out, files).run();
}

} // namespace vitrine::exporting
