// Textures name their UV set; each mesh has its own sets in its own order.

#include <gmock/gmock.h>

#include "loaders/scene/uv_sets.hpp"
#include "tests/unit/fbx/built_mesh.hpp"
#include "tests/unit/fbx/text_file.hpp"

namespace vitrine {
namespace {

using namespace test::fbx;

// A triangle whose set "a" is (1, 1) everywhere, "b" (2, 1), "c" (3, 1), in the order of `sets`.
std::string geometry(int id, std::string_view sets)
{
    std::string out = "Geometry: " + std::to_string(id) +
                      ", \"Geometry::g\", \"Mesh\" { Vertices: *9 { a: 0,0,0,1,0,0,0,1,0 }\n"
                      "PolygonVertexIndex: *3 { a: 0,1,-3 }\n";
    for (std::size_t i = 0; i < sets.size(); ++i)
        out += "LayerElementUV: " + std::to_string(i) + " { Name: \"" + sets[i] +
               "\"\nMappingInformationType: \"AllSame\"\nReferenceInformationType: \"Direct\"\nUV: *2 { a: " +
               std::to_string(sets[i] - 'a' + 1) + ",0 } }\n";
    return out + "}\n";
}

// Two models with one material, whose texture names a set.
scene::Scene load_two_models(std::string_view first, std::string_view second, const std::string& asked)
{
    const std::string model = ", \"Model::m\", \"Mesh\" { }\n";
    return test::fbx::load(
        version_7("Model: 1" + model + "Model: 2" + model + geometry(3, first) + geometry(4, second) +
                      "Material: 5, \"Material::m\", \"\" { }\n"
                      "Texture: 6, \"Texture::t\", \"\" { RelativeFilename: \"gone.png\"\nProperties70: {\n"
                      "P: \"UVSet\", \"KString\", \"\", \"\", \"" +
                      asked + "\"\n} }\n",
                  "C: \"OO\",1,0\nC: \"OO\",2,0\nC: \"OO\",3,1\nC: \"OO\",4,2\nC: \"OO\",5,1\nC: \"OO\",5,2\n"
                  "C: \"OP\",6,5, \"DiffuseColor\"\n"));
}

// u of the set that the mesh's texture uses.
float u_of(const scene::Scene& scene, std::size_t mesh)
{
    const scene::Mesh& found = scene.meshes.at(mesh);
    const auto set = scene.materials.at(found.primitives.at(0).material).base_color_texture.uv_set;
    return scene::uvs_of(found, set).at(0).x;
}

TEST(FbxUvSet, IsFoundByNameInEachMesh)
{
    for (const auto& [first, second] : {std::pair("ab", "b"), std::pair("b", "ab"), std::pair("ab", "ba")}) {
        const auto scene = load_two_models(first, second, "b");
        EXPECT_EQ(u_of(scene, 0), 2.0f) << first << ' ' << second;
        EXPECT_EQ(u_of(scene, 1), 2.0f) << first << ' ' << second;
        EXPECT_EQ(scene.materials.size(), 2u);
    }
    EXPECT_EQ(load_two_models("ab", "ab", "b").materials.size(), 1u);
}

TEST(FbxUvSet, BeyondTheSecondIsReadWhereATextureNamesIt)
{
    EXPECT_EQ(u_of(load_two_models("abc", "a", "c"), 0), 3.0f);
    EXPECT_EQ(u_of(load_two_models("abc", "a", "c"), 1), 1.0f)
        << "the first, where the mesh has none of that name";
    EXPECT_EQ(u_of(load_two_models("abc", "a", "b"), 0), 2.0f);
}

std::string texture(int id, std::string_view set)
{
    const std::string named = set.empty() ? ""
                                          : "Properties70: {\nP: \"UVSet\", \"KString\", \"\", \"\", \"" +
                                                std::string(set) + "\"\n} ";
    return "Texture: " + std::to_string(id) + ", \"Texture::t\", \"\" { RelativeFilename: \"gone.png\"\n" +
           named + "}\n";
}

float u_of(const scene::Mesh& mesh, std::size_t primitive, const scene::Texture& used)
{
    return scene::uvs_of(mesh, used.uv_set).at(mesh.indices.at(mesh.primitives.at(primitive).first)).x;
}

bool is_complete(const scene::Scene& scene)
{
    return std::ranges::none_of(scene.warnings, [](const auto& w) { return w.code == "unsupported_uv_set"; });
}

// Triangles of two materials in one mesh: base color and normal of the first by two sets that are not the
// mesh's first, the base color of the second by a fourth.
TEST(FbxUvSet, EachMaterialHasItsOwn)
{
    std::string mesh = geometry(3, "abcd");
    const std::string one = "PolygonVertexIndex: *3 { a: 0,1,-3 }\n";
    mesh.replace(
        mesh.find(one), one.size(),
        "PolygonVertexIndex: *6 { a: 0,1,-3,0,1,-3 }\nLayerElementMaterial: 0 { MappingInformationType: "
        "\"ByPolygon\"\nReferenceInformationType: \"IndexToDirect\"\nMaterials: *2 { a: 0,1 } }\n");
    const auto load = [&](const std::string& more_textures, const std::string& more_links) {
        return test::fbx::load(
            version_7("Model: 1, \"Model::m\", \"Mesh\" { }\n" + mesh +
                          "Material: 5, \"Material::m\", \"\" { }\nMaterial: 6, \"Material::n\", \"\" { }\n" +
                          texture(7, "b") + texture(8, "c") + texture(9, "d") + more_textures,
                      "C: \"OO\",1,0\nC: \"OO\",3,1\nC: \"OO\",5,1\nC: \"OO\",6,1\n"
                      "C: \"OP\",7,5, \"DiffuseColor\"\nC: \"OP\",8,5, \"NormalMap\"\nC: \"OP\",9,6, "
                      "\"DiffuseColor\"\n" +
                          more_links));
    };
    const auto expect = [](const scene::Scene& scene) {
        const auto& found = scene.meshes.at(0);
        ASSERT_EQ(found.primitives.size(), 2u);
        const auto& first = scene.materials.at(found.primitives[0].material);
        EXPECT_EQ(u_of(found, 0, first.base_color_texture), 2.0f);
        EXPECT_EQ(u_of(found, 0, first.normal_texture), 3.0f);
        EXPECT_EQ(u_of(found, 1, scene.materials.at(found.primitives[1].material).base_color_texture), 4.0f);
        EXPECT_TRUE(is_complete(scene));
    };
    const auto two = load("", "");
    expect(two);
    EXPECT_TRUE(two.meshes.at(0).more_uvs.empty());
    const auto three = load(texture(10, "d"), "C: \"OP\",10,5, \"EmissiveColor\"\n");
    expect(three);
    const auto& found = three.meshes.at(0);
    ASSERT_EQ(found.more_uvs.size(), 1u);
    EXPECT_EQ(u_of(found, 0, three.materials.at(found.primitives[0].material).emissive_texture), 4.0f);
}

// A texture that names no set uses the mesh's first.
TEST(FbxUvSet, MoreThanTwoWithAnUnnamedOne)
{
    const auto scene = test::fbx::load(version_7(
        "Model: 1, \"Model::m\", \"Mesh\" { }\n" + geometry(3, "abc") +
            "Material: 5, \"Material::m\", \"\" { }\n" + texture(7, "c") + texture(8, "b") + texture(9, ""),
        "C: \"OO\",1,0\nC: \"OO\",3,1\nC: \"OO\",5,1\nC: \"OP\",7,5, \"DiffuseColor\"\n"
        "C: \"OP\",8,5, \"NormalMap\"\nC: \"OP\",9,5, \"EmissiveColor\"\n"));
    const auto& mesh = scene.meshes.at(0);
    const auto& material = scene.materials.at(mesh.primitives.at(0).material);
    EXPECT_EQ(u_of(mesh, 0, material.base_color_texture), 3.0f);
    EXPECT_EQ(u_of(mesh, 0, material.normal_texture), 2.0f);
    EXPECT_EQ(u_of(mesh, 0, material.emissive_texture), 1.0f);
    EXPECT_TRUE(is_complete(scene));
}

} // namespace
} // namespace vitrine

namespace vitrine::fbx {
namespace {

TEST(FbxMesh, ReadsUvOfEveryMappingAndReference)
{
    const auto uvs = [](std::string_view mapping, std::string_view reference, std::string_view arrays) {
        const auto mesh = load_mesh(one_quad + layer("UV", mapping, reference, arrays)).built.mesh;
        std::vector<glm::vec2> by_corner;
        for (const std::uint32_t v : {0u, 1u, 2u, 3u})
            if (!mesh.uv0.empty())
                by_corner.push_back(mesh.uv0[std::min<std::size_t>(v, mesh.uv0.size() - 1)]);
        return by_corner;
    };
    const std::vector<glm::vec2> expected{
        {0.0f, 1.0f}, {1.0f, 1.0f}, {1.0f, 0.0f}, {0.0f, 0.0f}}; // v flipped
    EXPECT_EQ(uvs("ByPolygonVertex", "Direct", "UV: *8 { a: 0,0,1,0,1,1,0,1 }"), expected);
    EXPECT_EQ(
        uvs("ByPolygonVertex", "IndexToDirect", "UV: *8 { a: 1,1,0,0,1,0,0,1 }\nUVIndex: *4 { a: 1,2,0,3 }"),
        expected);
    EXPECT_EQ(uvs("ByVertice", "Direct", "UV: *8 { a: 0,0,1,0,1,1,0,1 }"), expected);
    EXPECT_EQ(uvs("ByVertex", "IndexToDirect", "UV: *8 { a: 1,1,0,0,1,0,0,1 }\nUVIndex: *4 { a: 1,2,0,3 }"),
              expected);
    EXPECT_EQ(uvs("", "Direct", "UV: *8 { a: 0,0,1,0,1,1,0,1 }"), expected);
    EXPECT_EQ(uvs("ByPolygon", "Direct", "UV: *2 { a: 0.5,0.25 }"),
              std::vector<glm::vec2>(4, glm::vec2(0.5f, 0.75f)));
    EXPECT_EQ(uvs("AllSame", "Direct", "UV: *2 { a: 0.5,0.25 }"),
              std::vector<glm::vec2>(4, glm::vec2(0.5f, 0.75f)));
    EXPECT_EQ(uvs("ByNothing", "Direct", "UV: *6 { a: 0,0,1,0,1,1 }"), std::vector<glm::vec2>());
}

TEST(FbxMesh, TakesUvSetsInTheOrderOfTheLayers)
{
    const auto loaded = load_mesh(
        one_quad + "LayerElementUV: 1 { Name: \"second\"\nMappingInformationType: \"AllSame\"\nUV: 1,1 }\n"
                   "LayerElementUV: 0 { Name: \"first\"\nMappingInformationType: \"AllSame\"\nUV: 0,0 }\n"
                   "Layer: 0 { LayerElement: { Type: \"LayerElementUV\"\nTypedIndex: 0 } }\n"
                   "Layer: 1 { LayerElement: { Type: \"LayerElementUV\"\nTypedIndex: 1 } }\n");
    ASSERT_EQ(loaded.source.uv_sets.size(), 2u);
    EXPECT_EQ(loaded.source.uv_sets[0].name, "first");
    EXPECT_EQ(loaded.built.mesh.uv1[0], glm::vec2(1.0f, 0.0f));
}

} // namespace
} // namespace vitrine::fbx
