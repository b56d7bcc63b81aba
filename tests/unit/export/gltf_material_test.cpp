// Materials and variants, written as GLB and read back.

#include <gtest/gtest.h>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/uv_sets.hpp"
#include "tests/support/scenes.hpp"
#include "tests/unit/export/gltf_round_trip.hpp"

namespace vitrine::exporting {
namespace {

using scene::Scene;

// Materials, variants of each primitive and the order of names are those of the scene.
TEST(GltfExport, VariantsAreKept)
{
    Scene scene = test::textured_cube();
    scene.materials.resize(3);
    scene.variants = {"day", "night", "dusk", "night"};
    scene.meshes[0].primitives[0].material = 1;
    scene.meshes[0].primitives[0].variants = {{0, 2}, {1, 0}, {3, 2}};
    const auto read = round_trip(scene);
    EXPECT_EQ(read.scene.variants, scene.variants);
    EXPECT_EQ(read.scene.meshes.at(0).primitives.at(0).material, 1u);
    EXPECT_EQ(read.scene.meshes.at(0).primitives.at(0).variants, scene.meshes[0].primitives[0].variants);
    EXPECT_TRUE(read.scene.warnings.empty());
    EXPECT_NE(read.file.find(R"("mappings":[{"material":0,"variants":[1]},{"material":2,"variants":[0,3]}])"),
              std::string::npos)
        << "a mapping for each material";
}

TEST(GltfExport, NoVariantMembersWithoutVariants)
{
    EXPECT_EQ(round_trip(test::textured_cube()).file.find("variants"), std::string::npos);
}

// With a morph target that turns normals.
TEST(GltfWriter, LinesAndPointsWithoutNormalsStayUnlit)
{
    Scene scene = test::morphing_quad();
    auto& mesh = scene.meshes[0];
    mesh.morph_targets[1].normal_deltas.assign(4, {0.5f, 0.0f, 0.0f});
    mesh.primitives.clear();
    for (const auto topology : {scene::Topology::lines, scene::Topology::points})
        for (const bool has_normals : {false, true}) {
            const auto first = static_cast<std::uint32_t>(mesh.indices.size());
            mesh.indices.insert(mesh.indices.end(), {0, 1});
            mesh.primitives.push_back(
                {.topology = topology, .first = first, .count = 2, .has_normals = has_normals});
        }
    const auto exported = round_trip(scene);
    const auto& read = exported.scene.meshes.at(0).primitives;
    ASSERT_EQ(read.size(), 4u);
    for (std::size_t p = 0; p < 4; ++p) {
        EXPECT_EQ(read[p].topology, mesh.primitives[p].topology);
        EXPECT_EQ(read[p].has_normals, mesh.primitives[p].has_normals) << p;
    }
    expect_same_motion(scene, exported.scene);
}

TEST(GltfWriter, ColorsOfNodesBecomeMaterials)
{
    Scene scene = test::textured_cube();
    scene.materials.resize(1);
    scene.materials[0].base_color = {0.5f, 0.5f, 1.0f, 1.0f};
    scene.materials[0].roughness = 0.25f;
    scene.meshes[0].primitives[0].material = 0;
    const std::vector<glm::vec4> colors{{1, 1, 1, 1}, {1, 0, 0, 1}, {0, 1, 0.5f, 0.5f}, {1, 0, 0, 1}};
    scene.nodes.resize(1);
    for (std::size_t i = 1; i < colors.size(); ++i) {
        scene::Node node = scene.nodes[0];
        node.color = colors[i];
        scene.nodes.push_back(node);
    }
    const auto exported = round_trip(scene);
    EXPECT_FALSE(warns(exported, "color_clamped"));
    const auto& read = exported.scene;
    ASSERT_EQ(read.nodes.size(), colors.size());
    EXPECT_EQ(read.nodes[1].mesh, read.nodes[3].mesh) << "equal colors share";
    for (std::size_t i = 0; i < colors.size(); ++i) {
        const auto& primitive = read.meshes.at(read.nodes[i].mesh).primitives.at(0);
        const auto& material = read.materials.at(primitive.material);
        EXPECT_EQ(material.base_color, colors[i] * scene.materials[0].base_color) << i;
        EXPECT_EQ(material.roughness, 0.25f);
    }
    scene.nodes[1].color.x = 3.0f;
    EXPECT_TRUE(warns(round_trip(scene), "color_clamped"));
}

// Some formats draw both sides of triangles without a material: so does the material of a node color.
TEST(GltfWriter, ColorsOfNodesWithoutAMaterial)
{
    Scene scene = test::textured_cube();
    scene.materials.clear();
    scene.images.clear();
    for (auto& primitive : scene.meshes[0].primitives)
        primitive.material = scene::none;
    scene.nodes.resize(1);
    scene.nodes.push_back(scene.nodes[0]);
    scene.nodes[1].color = {0.25f, 0.5f, 1.0f, 1.0f};
    const auto read = round_trip(scene).scene;
    const auto material_of = [&](std::size_t node) {
        return read.materials.at(read.meshes.at(read.nodes.at(node).mesh).primitives.at(0).material);
    };
    EXPECT_EQ(material_of(0).base_color, glm::vec4(1.0f));
    EXPECT_EQ(material_of(1).base_color, scene.nodes[1].color);
    EXPECT_TRUE(material_of(1).double_sided);
}

TEST(GltfWriter, KeepsMaterialExtensions)
{
    Scene scene = test::textured_cube();
    ASSERT_FALSE(scene.images.empty());
    scene.materials[0].extensions = test::odd_extensions(0, 0);
    scene.materials[0].emissive = glm::vec3(3.0f); // an additional extension
    const auto written = round_trip(scene);
    EXPECT_EQ(written.scene.materials[0].extensions, scene.materials[0].extensions);
    EXPECT_EQ(written.scene.materials[0].emissive, glm::vec3(3.0f));
    for (const std::string_view name : {"ior", "specular", "clearcoat", "sheen", "transmission", "volume"})
        EXPECT_TRUE(written.file.contains("\"KHR_materials_" + std::string(name) + "\"")) << name;
    scene.meshes[0].uv0.clear(); // a texture of a material extension requires them too
    scene.meshes[0].tangents.clear();
    scene.materials[0] = {};
    scene.materials[0].extensions = test::odd_extensions(0, 0);
    EXPECT_TRUE(round_trip(scene).file.contains("\"TEXCOORD_1\""));
    scene.materials[0].extensions = {};
    EXPECT_FALSE(round_trip(scene).file.contains("KHR_materials_clearcoat"));
}

TEST(GltfWriter, KeepsEverySetOfTextureCoordinates)
{
    Scene scene = test::textured_cube();
    auto& mesh = scene.meshes[0];
    auto& material = scene.materials[0];
    material.extensions.clearcoat = 0.5f;
    const auto textures = scene::textures_of(material);
    for (std::uint8_t set = 0; set < scene::max_uv_sets; ++set) {
        scene::make_uvs(mesh, set).assign(mesh.positions.size(), glm::vec2(set, 0.5f));
        *textures[set] = {.image = 0, .uv_set = static_cast<std::uint8_t>(scene::max_uv_sets - 1 - set)};
    }
    const auto read = round_trip(scene).scene;
    const auto textures_read = scene::textures_of(read.materials.at(0));
    for (std::uint8_t set = 0; set < scene::max_uv_sets; ++set)
        EXPECT_EQ(scene::uvs_of(read.meshes.at(0), textures_read[set]->uv_set).at(0).x,
                  textures[set]->uv_set);
    EXPECT_TRUE(read.warnings.empty());
}

TEST(GltfWriter, BacksAreShownAsTheFormatShowsThem)
{
    Scene cube = test::textured_cube();
    cube.materials[0].double_sided = false;
    auto& mesh = cube.meshes[0];
    mesh.primitives[0].count /= 2;
    mesh.primitives.push_back(
        {.first = mesh.primitives[0].count,
         .count = static_cast<std::uint32_t>(mesh.indices.size()) - mesh.primitives[0].count});
    const auto backs_of = [&](const char* format) {
        cube.format = format;
        const Scene read = round_trip(cube).scene;
        std::vector<bool> out;
        for (const auto& primitive : read.meshes[0].primitives)
            out.push_back(primitive.material != scene::none &&
                          read.materials[primitive.material].double_sided);
        return out;
    };
    EXPECT_EQ(backs_of("obj"), (std::vector<bool>{true, true}));
    EXPECT_EQ(backs_of("glb"), (std::vector<bool>{false, false}));
    EXPECT_EQ(backs_of(""), (std::vector<bool>{false, false})) << "made, not read";
}

} // namespace
} // namespace vitrine::exporting
