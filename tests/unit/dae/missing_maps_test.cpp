// The appearance of a material of which one map, of each kind in turn, cannot be used.

#include <functional>

#include <fmt/format.h>

#include "loaders/base/srgb.hpp"
#include "tests/support/broken_images.hpp"
#include "tests/unit/dae/surfaces.hpp"

namespace vitrine::dae::test {
namespace {

using scene::Material;

const glm::vec4 neutral_color(linear_from_srgb(glm::vec3(0.8f)), 1.0f);

struct MapRow {
    std::string shader; // {} is the texture
    std::function<bool(const Material&)> is_neutral;
};

bool is_white(const Material& m)
{
    return m.base_color == glm::vec4(1.0f) && m.alpha_mode == scene::AlphaMode::opaque;
}

const MapRow map_rows[]{
    {"<lambert><diffuse>{}</diffuse></lambert>",
     [](const Material& m) { return m.base_color == neutral_color; }},
    {"<phong><diffuse>{}</diffuse><emission><color>1 1 1 1</color></emission></phong>",
     [](const Material& m) { return m.base_color == neutral_color && m.emissive == glm::vec3(1.0f); }},
    {"<constant><emission>{}</emission></constant>",
     [](const Material& m) {
         return m.base_color == neutral_color && m.unlit && m.emissive == glm::vec3(0.0f);
     }},
    {lambert("<emission>{}</emission>"),
     [](const Material& m) { return is_white(m) && m.emissive == glm::vec3(0.0f); }},
    {lambert("<transparent>{}</transparent>"), is_white},
    {lambert("<transparent opaque='RGB_ZERO'>{}</transparent>"), is_white},
    {lambert("<transparent opaque='A_ZERO'>{}</transparent><transparency><float>1</float></transparency>"),
     is_white},
    {lambert("<transparent>{}</transparent><transparency><float>0.5</float></transparency>"),
     [](const Material& m) { return m.base_color.w == 0.5f && m.alpha_mode == scene::AlphaMode::blend; }},
    {lambert("<bump>{}</bump>"),
     [](const Material& m) { return is_white(m) && m.normal_texture.image == scene::none; }},
    {lambert("<extra><technique profile='FCOLLADA'><bump bumptype='NORMALMAP'>{}</bump></technique></extra>"),
     [](const Material& m) { return is_white(m) && m.normal_texture.image == scene::none; }}};

std::string with_texture(const std::string& shader, const std::string& texture)
{
    return fmt::format(fmt::runtime(shader), "<texture texture='" + texture + "' texcoord='UV0'/>");
}

TEST(DaeMissingMap, LeavesTheNeutralLook)
{
    for (const MapRow& row : map_rows) {
        for (const vitrine::test::BrokenImage& image : vitrine::test::broken_images()) {
            SCOPED_TRACE(row.shader + " " + image.file);
            const Surface surface{.shader = with_texture(row.shader, "img"),
                                  .images =
                                      "<image id='img'><init_from>" + image.file + "</init_from></image>"};
            const scene::Scene scene = loaded(surface.text(), image.files);
            EXPECT_PRED1(row.is_neutral, scene.materials.at(0));
            vitrine::test::expect_named(scene.warnings, image);
        }
    }
}

// Blender names an <image> that it does not write when it has no file.
TEST(DaeMissingMap, OfAnUndefinedImageLeavesTheNeutralLook)
{
    for (const MapRow& row : map_rows) {
        SCOPED_TRACE(row.shader);
        const auto scene = loaded(Surface{.shader = with_texture(row.shader, "gone")}.text());
        EXPECT_PRED1(row.is_neutral, scene.materials.at(0));
        EXPECT_TRUE(warns(scene, "missing_image"));
    }
}

} // namespace
} // namespace vitrine::dae::test
