// Symbols of texture coordinates: which set of the mesh each map uses.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "loaders/images/image_ops.hpp"
#include "loaders/scene/uv_sets.hpp"
#include "tests/unit/dae/surfaces.hpp"

namespace vitrine::dae::test {
namespace {

// The symbol refers to the only set of the mesh.
TEST(DaeTexture, SecondSymbolUsesTheOnlySetOfTheMesh)
{
    const std::string map = "<texture texture='i' texcoord='";
    const Surface surface{.shader = "<lambert><emission>" + map + "CHANNEL1'/></emission><diffuse>" + map +
                                    "UVMap'/></diffuse></lambert>",
                          .images = "<image id='i'><init_from>a.bmp</init_from></image>",
                          .bind = "<bind_material><technique_common><instance_material symbol='m' "
                                  "target='#mat'/></technique_common></bind_material>"};
    std::string text = surface.text();
    const std::string second = "<input semantic='TEXCOORD' source='#t1' offset='0' set='1'/>";
    text.erase(text.find(second), second.size());
    const scene::Scene scene = loaded(text, {{"a.bmp", picture(10, 20, 30)}});
    const scene::Mesh& mesh = scene.meshes.at(0);
    ASSERT_EQ(mesh.uv0.size(), 3u);
    EXPECT_EQ(mesh.uv1, mesh.uv0);
}

// A material with a color, an emission and a normal map of the symbols A, B and C, bound to these sets.
Surface three_symbols(const std::vector<int>& sets, const std::string& emission = "i")
{
    const auto map = [](const std::string& image, const std::string& symbol) {
        return "<texture texture='" + image + "' texcoord='" + symbol + "'/>";
    };
    std::string bindings;
    for (std::size_t n = 0; n < sets.size(); ++n)
        bindings += fmt::format("<bind_vertex_input semantic='{}' input_semantic='TEXCOORD' input_set='{}'/>",
                                "ABC"[n], sets[n]);
    return {.shader = "<lambert><emission>" + map(emission, "B") + "</emission><diffuse>" + map("i", "A") +
                      "</diffuse></lambert>",
            .images = "<image id='i'><init_from>a.bmp</init_from></image>"
                      "<image id='gone'><init_from>gone.bmp</init_from></image>",
            .extra = "<extra><technique profile='FCOLLADA'><bump bumptype='NORMALMAP'>" + map("i", "C") +
                     "</bump></technique></extra>",
            .bind = "<bind_material><technique_common><instance_material symbol='m' target='#mat'>" +
                    bindings + "</instance_material></technique_common></bind_material>"};
}

// The sets of color, emission and normal map, as first corner's coordinate: 0 or 1 in the file's sets 0
// and 1.
std::vector<float> sets_used(const scene::Scene& scene, std::size_t material = 0)
{
    const scene::Material& m = scene.materials.at(material);
    const scene::Mesh& mesh = scene.meshes.at(material);
    std::vector<float> used;
    for (const scene::Texture* texture : {&m.base_color_texture, &m.emissive_texture, &m.normal_texture})
        used.push_back(scene::uvs_of(mesh, texture->uv_set).at(0).x);
    return used;
}

// COLLADA 1.4.1, bind_vertex_input: the set belongs to the binding, not to the order of the symbols.
TEST(DaeTexture, SymbolsOfOneSetShareIt)
{
    const std::map<std::string, std::string> files{{"a.bmp", picture(1, 2, 3)}};
    for (const std::vector<int>& sets : {std::vector{0, 0, 1}, {0, 1, 0}, {0, 1, 1}, {1, 0, 0}, {1, 1, 0}}) {
        const scene::Scene scene = loaded(three_symbols(sets).text(), files);
        EXPECT_THAT(sets_used(scene), testing::ElementsAre(sets[0], sets[1], sets[2]));
        EXPECT_TRUE(scene.warnings.empty());
    }
}

TEST(DaeTexture, InstancesMayBindSymbolsToDifferentSets)
{
    const std::string first = three_symbols({0, 1, 1}).text(), other = three_symbols({0, 0, 1}).bind;
    const std::string instance = "<instance_geometry url='#g'>" + other + "</instance_geometry>";
    std::string text = first;
    text.insert(text.rfind("</node>"), instance);
    const scene::Scene scene = loaded(text, {{"a.bmp", picture(1, 2, 3)}});
    ASSERT_EQ(scene.materials.size(), 2u);
    ASSERT_EQ(scene.meshes.size(), 2u);
    EXPECT_THAT(sets_used(scene, 0), testing::ElementsAre(0, 1, 1));
    EXPECT_THAT(sets_used(scene, 1), testing::ElementsAre(0, 0, 1));
}

// A mesh with a third set, whose coordinate is 2; without it the first is used.
TEST(DaeTexture, ThreeSetsAreRead)
{
    const std::map<std::string, std::string> files{{"a.bmp", picture(1, 2, 3)}};
    std::string text = three_symbols({0, 2, 1}).text();
    EXPECT_THAT(sets_used(loaded(text, files)), testing::ElementsAre(0, 0, 1));
    const std::string second = "<input semantic='TEXCOORD' source='#t1' offset='0' set='1'/>";
    text.insert(text.find(second), "<input semantic='TEXCOORD' source='#t2' offset='0' set='2'/>");
    text.insert(text.find("<vertices"), source("t2", "2 0 2 0 2 0", 3, 2));
    const scene::Scene scene = loaded(text, files);
    EXPECT_THAT(sets_used(scene), testing::ElementsAre(0, 2, 1));
    EXPECT_TRUE(scene.warnings.empty());
    const scene::Scene without = loaded(three_symbols({0, 2, 1}, "gone").text(), files);
    EXPECT_EQ(without.materials.at(0).normal_texture.uv_set, 1) << "a missing map needs no set";
    EXPECT_TRUE(without.meshes.at(0).more_uvs.empty());
}

// The third symbol without a binding takes the third set of the mesh, whose indices are its own.
TEST(DaeTexture, ThirdSymbolUsesTheThirdSetOfTheMesh)
{
    std::string text = three_symbols({}).text();
    const std::string second = "<input semantic='TEXCOORD' source='#t1' offset='0' set='1'/>";
    text.insert(text.find(second) + second.size(),
                "<input semantic='TEXCOORD' source='#t2' offset='1' set='7'/>");
    text.insert(text.find("<vertices"), source("t2", "9 0 2 0 3 0", 3, 2));
    text.replace(text.find("<p>0 1 2</p>"), 12, "<p>0 1 1 2 2 1</p>");
    const scene::Scene scene = loaded(text, {{"a.bmp", picture(1, 2, 3)}});
    EXPECT_THAT(sets_used(scene), testing::ElementsAre(0, 2, 1));
    EXPECT_EQ(scene.meshes.at(0).more_uvs.at(0), (scene::Array<glm::vec2>{{2, 1}, {3, 1}, {2, 1}}));
}

} // namespace
} // namespace vitrine::dae::test
