#include "loaders/export/dae/dae_writer.hpp"

#include <gmock/gmock.h>

#include "loaders/scene/uv_sets.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::exporting {
namespace {

std::string dae_of(const scene::Scene& scene)
{
    const auto file = write_dae(scene, "model").at(0);
    return {reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()};
}

TEST(DaeWriter, WritesEverySetOfTextureCoordinates)
{
    scene::Scene scene = test::textured_cube();
    auto& mesh = scene.meshes[0];
    scene::make_uvs(mesh, 3).assign(mesh.positions.size(), glm::vec2(0.25f, 0.5f));
    scene.materials[0].emissive_texture = scene.materials[0].base_color_texture;
    scene.materials[0].emissive_texture.uv_set = 3;
    const auto text = dae_of(scene);
    for (const std::string_view part :
         {"<source id=\"mesh-0-uv0\">", "<source id=\"mesh-0-uv3\">",
          "source=\"#mesh-0-uv3\" offset=\"0\" set=\"3\"/>", "texcoord=\"UV3\"",
          "<bind_vertex_input semantic=\"UV3\" input_semantic=\"TEXCOORD\" input_set=\"3\"/>"})
        EXPECT_THAT(text, testing::HasSubstr(std::string(part)));
    for (const std::string_view part : {"mesh-0-uv1", "mesh-0-uv2", "UV4"})
        EXPECT_THAT(text, testing::Not(testing::HasSubstr(std::string(part))));
}

} // namespace
} // namespace vitrine::exporting
