#include "tests/unit/dae/hostile.hpp"

namespace vitrine::dae::test {
namespace {

using testing::SizeIs;

TEST(DaeHostileGeometry, PrimitivesAreListedOnce)
{
    const std::string more = repeated(10'000, "<lines/>");
    std::string symbols;
    for (int i = 0; i < 10'000; ++i)
        symbols += "<lines material='m" + std::to_string(i) + "'/>";
    const std::string nodes = repeated(5'000, "<node><instance_geometry url='#g'/></node>");
    for (const std::string& primitives : {more, symbols}) {
        const std::string geometries = geometry("g", triangles("g", "0 1 2") + primitives);
        const scene::Scene scene =
            loaded_soon(Document{.libraries = library("geometries", geometries), .nodes = nodes}.text());
        EXPECT_THAT(scene.nodes, SizeIs(5'000));
        EXPECT_THAT(scene.meshes, SizeIs(1));
    }
}

TEST(DaeHostileGeometry, AccessorOfHugeElementsIsNotListed)
{
    const std::string normals = "<source id='n'><float_array id='na' count='3'>0 0 1</float_array>"
                                "<technique_common><accessor source='#na' count='1' stride='1048576'/>"
                                "</technique_common></source>";
    std::string inputs;
    for (const std::string semantic : {"NORMAL", "TEXCOORD", "COLOR"})
        inputs += "<input semantic='" + semantic + "' source='#n' offset='0'/>";
    const std::string lines =
        "<lines><input semantic='VERTEX' source='#g-v' offset='0'/>" + inputs + "<p>0 1</p></lines>";
    const scene::Scene scene = loaded_soon(Document{
        .libraries =
            library("geometries", geometry("g", triangles("g", "0 1 2") + repeated(2'000, lines), normals)),
        .nodes = "<node><instance_geometry url='#g'/></node>"}
                                               .text());
    EXPECT_EQ(scene.meshes.at(0).indices.size(), 3u + 4'000u);
}

TEST(DaeHostileGeometry, InputsOfVerticesAreReadOnce)
{
    const std::string vertex = "<input semantic='VERTEX' source='#g-v' offset='0'/>";
    std::string text = geometry("g", repeated(5'000, "<lines>" + vertex + "<p>0 1</p></lines>") + "<lines>" +
                                         repeated(20'000, vertex) + "<p>0 1</p></lines>");
    text.insert(text.find("</vertices>"), repeated(20'000, "<input semantic='X' source='#g-p'/>"));
    const scene::Scene scene = loaded_soon(Document{.libraries = library("geometries", text),
                                                    .nodes = "<node><instance_geometry url='#g'/></node>"}
                                               .text());
    EXPECT_EQ(scene.meshes.at(0).indices.size(), 2u * 5'001u);
}

// <vertices> has the first set, a second VERTEX the second, at its own offset.
TEST(DaeHostileGeometry, SecondVertexGivesTheSecondSetOfTextureCoordinates)
{
    const std::string uvs = source("t", "0 0 0.25 0 0.5 0 0.75 0", 4, 2);
    const std::string two = "<input semantic='VERTEX' source='#g-v' offset='0'/>"
                            "<input semantic='VERTEX' source='#g-v' offset='1'/>";
    std::string text = geometry("g", "<triangles>" + two + "<p>0 1 1 2 2 3</p></triangles>", uvs);
    text.insert(text.find("</vertices>"), "<input semantic='TEXCOORD' source='#t'/>");
    const scene::Scene scene = loaded_soon(Document{.libraries = library("geometries", text),
                                                    .nodes = "<node><instance_geometry url='#g'/></node>"}
                                               .text());
    const scene::Mesh& mesh = scene.meshes.at(0);
    ASSERT_THAT(mesh.uv0, SizeIs(3));
    ASSERT_THAT(mesh.uv1, SizeIs(3));
    EXPECT_EQ(mesh.uv0[0].x, 0.0f);
    EXPECT_EQ(mesh.uv1[0].x, 0.25f);
}

// One mesh per binding costs as much as the geometry has elements.
TEST(DaeHostileGeometry, MeshesOfOneGeometryAreBoundedByItsParts)
{
    std::string materials, nodes;
    for (int i = 0; i < 100; ++i) {
        const std::string id = "m" + std::to_string(i);
        materials += "<material id='" + id + "'/>";
        nodes += "<node><instance_geometry url='#g'><bind_material><technique_common><instance_material "
                 "symbol='s' target='#" +
                 id + "'/></technique_common></bind_material></instance_geometry></node>";
    }
    const std::string primitives = triangles("g", "0 1 2", "", "material='s'") + repeated(100, "<lines/>");
    Limits limits;
    limits.indices = 5'000;
    expect_rejected(load_soon(Document{.libraries = library("materials", materials) +
                                                    library("geometries", geometry("g", primitives)),
                                       .nodes = nodes}
                                  .text(),
                              limits),
                    "the limit indices = 5000");
}

TEST(DaeHostileGeometry, MorphTargetsAreLimitedByComparedVertices)
{
    const auto morph =
        MorphXml{.targets = repeated(100, "g "), .weights = repeated(100, "0 "), .weight_count = 100}.text();
    Limits limits;
    limits.morph_deltas = 350;
    const std::string text =
        Document{.libraries = library("geometries", square("g")) + library("controllers", morph),
                 .nodes = "<node><instance_controller url='#c'/></node>"}
            .text();
    expect_rejected(load_soon(text, limits), "the limit morph_deltas = 350");
}

} // namespace
} // namespace vitrine::dae::test
