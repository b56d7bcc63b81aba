#include <gmock/gmock.h>

#include "loaders/dae/document/numbers.hpp"
#include "loaders/dae/sources/number_array.hpp"
#include "loaders/scene/bounds/bounds.hpp"
#include "tests/unit/dae/document.hpp"
#include "tests/unit/dae/drawn_geometry.hpp"

namespace vitrine::dae::test {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

double area(const scene::Mesh& mesh)
{
    double sum = 0.0;
    for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
        const glm::vec3 a = mesh.positions[mesh.indices[i]], b = mesh.positions[mesh.indices[i + 1]],
                        c = mesh.positions[mesh.indices[i + 2]];
        sum += double{glm::cross(b - a, c - a).z} / 2.0;
    }
    return sum;
}

// As in customized/4d1 and 4d2 of the Conformance Test Suite.
TEST(DaeGeometry, PlacesAreDividedByTheirW)
{
    const auto bounds = [](const std::string& last) {
        std::string params;
        for (const std::string& name : {std::string("X"), std::string("Y"), std::string("Z"), last})
            params += "<param name='" + name + "' type='float'/>";
        const std::string mesh = "<geometry id='g'><mesh>" +
                                 source("g-p", "0 0 0 1  1 0 0 0.5  2 4 6 2  0 0 7 0", 4, 4, params) +
                                 "<vertices id='g-v'><input semantic='POSITION' source='#g-p'/></vertices>" +
                                 triangles("g", "0 1 2") + "</mesh></geometry>";
        return scene::static_bounds(loaded(with(mesh))).max;
    };
    EXPECT_EQ(bounds("W"), glm::vec3(2, 2, 3));
    EXPECT_EQ(bounds("Q"), glm::vec3(2, 4, 6)) << "something else";
}

TEST(DaeGeometry, TrianglesWithoutNormalsAreFlat)
{
    const scene::Scene scene = loaded(with(square("g")));
    ASSERT_THAT(scene.meshes, SizeIs(1));
    EXPECT_EQ(scene.source_vertices, 4u);
    EXPECT_EQ(scene.source_polygons, 2u);
    EXPECT_EQ(scene.meshes[0].positions.size(), 6u);
    for (const glm::vec3& n : scene.meshes[0].normals)
        EXPECT_EQ(n, glm::vec3(0, 0, 1));
    EXPECT_NEAR(area(scene.meshes[0]), 1.0, 1e-6);
}

TEST(DaeGeometry, EveryOffsetHasIndicesOfItsOwn)
{
    const std::string more = source("n", "0 0 1 0 0 -1", 2, 3) + source("t", "0 0 1 0 1 1", 3, 2);
    const std::string inputs = "<input semantic='NORMAL' source='#n' offset='2'/><input semantic='TEXCOORD' "
                               "source='#t' offset='1' set='0'/>";
    const scene::Scene scene =
        loaded(with(geometry("g", triangles("g", "0 0 0 1 1 0 2 2 0  0 0 0 2 2 0 3 1 0", inputs), more)));
    const scene::Mesh& mesh = scene.meshes.at(0);
    EXPECT_EQ(mesh.positions.size(), 4u); // shared where all indices agree
    EXPECT_THAT(mesh.indices, ElementsAre(0, 1, 2, 0, 2, 3));
    EXPECT_EQ(mesh.uv0[0], glm::vec2(0, 1)); // v points up in the file
    EXPECT_EQ(mesh.uv0[2], glm::vec2(1, 0));
    EXPECT_EQ(mesh.normals[0], glm::vec3(0, 0, 1));
}

// The usual output of exporters, followed by a primitive that differs.
TEST(DaeGeometry, OneIndexMayApplyToAllAttributes)
{
    const std::string more =
        source("n", "0 0 1 0 0 1 0 0 1 0 0 1", 4, 3) + source("t", "0 0 1 0 1 1 0 1", 4, 2);
    const auto inputs = [](int offset) {
        return "<input semantic='NORMAL' source='#n' offset='0'/><input semantic='TEXCOORD' source='#t' "
               "offset='" +
               std::to_string(offset) + "' set='0'/>";
    };
    const std::string one = triangles("g", "0 1 2", inputs(0));
    const std::string two = triangles("g", "0 0 2 2 3 3  0 1 2 2 3 3", inputs(1));
    const scene::Mesh mesh = loaded(with(geometry("g", one + two, more))).meshes.at(0);
    EXPECT_THAT(mesh.indices, ElementsAre(0, 1, 2, 0, 2, 3, 4, 2, 3));
    EXPECT_THAT(mesh.uv0, ElementsAre(glm::vec2(0, 1), glm::vec2(1, 1), glm::vec2(1, 0), glm::vec2(0, 0),
                                      glm::vec2(1, 1)));
    EXPECT_EQ(mesh.positions[4], mesh.positions[0]);
}

// The mesh takes over arrays whose elements are its vertices; a repeated request reads them again.
TEST(DaeGeometry, ArraysInTheOrderOfTheVerticesServeTwice)
{
    const std::string more =
        source("n", "0 0 2 0 0 1 0 1 0 1 0 0", 4, 3) + source("t", "0 0 1 0.25 1 1 0 1", 4, 2);
    const auto inputs = [](const std::string& normals) {
        return "<input semantic='NORMAL' source='#" + normals +
               "' offset='0'/><input semantic='TEXCOORD' source='#t' offset='0' set='0'/>"
               "<input semantic='TEXCOORD' source='#t' offset='0' set='1'/>";
    };
    const std::string first = geometry("g", triangles("g", "0 1 2 0 2 3", inputs("n")), more);
    // The second one's positions are also its normals, and its texture coordinates those of the first.
    const std::string second = geometry("h", triangles("h", "0 1 2 0 2 3", inputs("h-p")), "");
    const scene::Scene scene = loaded(Document{.libraries = library("geometries", first + second),
                                               .nodes = "<node id='x'><instance_geometry url='#g'/></node>"
                                                        "<node id='y'><instance_geometry url='#h'/></node>"}
                                          .text());
    ASSERT_THAT(scene.meshes, SizeIs(2));
    EXPECT_THAT(scene.meshes[0].normals,
                ElementsAre(glm::vec3(0, 0, 1), glm::vec3(0, 0, 1), glm::vec3(0, 1, 0), glm::vec3(1, 0, 0)));
    for (const scene::Mesh& mesh : scene.meshes) {
        EXPECT_NEAR(area(mesh), 1.0, 1e-6);
        for (const auto& uv : {mesh.uv0, mesh.uv1})
            EXPECT_THAT(uv,
                        ElementsAre(glm::vec2(0, 1), glm::vec2(1, 0.75f), glm::vec2(1, 0), glm::vec2(0, 0)));
    }
    EXPECT_EQ(scene.meshes[1].normals[2], glm::normalize(scene.meshes[1].positions[2]));
    EXPECT_THAT(scene.warnings, testing::IsEmpty());
}

TEST(DaeNumberArray, KeepsVectorsWhereTheyAreWhole)
{
    NumberArray threes("1 2 3 4 5 6", 6, 3);
    EXPECT_EQ(threes.size(), 6u);
    EXPECT_EQ(threes.data()[4], 5.0f);
    EXPECT_FALSE(threes.take<glm::vec2>());
    EXPECT_THAT(threes.take<glm::vec3>().value(), ElementsAre(glm::vec3(1, 2, 3), glm::vec3(4, 5, 6)));
    EXPECT_TRUE(threes.is_taken());
    for (const auto& [text, most] : {std::pair("1 2 3 4 5", 6), {"1 2 3 4 5 6", 5}}) {
        NumberArray loose(text, static_cast<std::size_t>(most), 3);
        EXPECT_EQ(loose.size(), 5u);
        EXPECT_EQ(loose.data()[4], 5.0f);
        EXPECT_FALSE(loose.take<glm::vec3>());
    }
    NumberArray bad("1 x 3", 3, 3);
    EXPECT_EQ(bad.bad(), 1u);
    EXPECT_EQ(bad.size(), 3u);
    EXPECT_FALSE(bad.take<glm::vec3>());
    EXPECT_EQ(NumberArray("", 3, 3).size(), 0u);
}

TEST(DaeGeometry, PolylistsOfAnySizeAndConcave)
{
    const std::string arrow = "0 0 0 4 0 0 1 1 0 0 4 0";
    const scene::Scene scene = loaded(with(geometry(
        "g", "<polylist count='2'>" + input("g") + "<vcount>4 3</vcount><p>0 1 2 3 0 1 2</p></polylist>", "",
        arrow)));
    EXPECT_EQ(scene.source_polygons, 2u);
    EXPECT_EQ(scene.meshes.at(0).indices.size(), 9u);
    EXPECT_NEAR(area(scene.meshes[0]), 4.0 + 2.0, 1e-5);
}

TEST(DaeGeometry, PolygonsHaveHoles)
{
    const std::string points = "0 0 0 4 0 0 4 4 0 0 4 0  1 1 0 2 1 0 2 2 0 1 2 0  3 3 0 3.5 3 0 3.5 3.5 0";
    const scene::Scene scene = loaded(with(geometry(
        "g",
        "<polygons count='1'>" + input("g") + "<ph><p>0 1 2 3</p><h>4 5 6 7</h><h>8 9 10</h></ph></polygons>",
        "", points, 11)));
    EXPECT_EQ(scene.source_polygons, 1u);
    EXPECT_NEAR(area(scene.meshes.at(0)), 16.0 - 1.0 - 0.125, 1e-5);
}

TEST(DaeGeometry, StripsAndFansKeepTheirWinding)
{
    const std::string strip = "<tristrips count='1'>" + input("g") + "<p>0 1 3 2</p></tristrips>";
    const std::string fan = "<trifans count='1'>" + input("g") + "<p>0 1 2 3</p></trifans>";
    for (const std::string& primitive : {strip, fan}) {
        const scene::Scene scene = loaded(with(geometry("g", primitive)));
        EXPECT_NEAR(area(scene.meshes.at(0)), 1.0, 1e-6) << primitive;
        EXPECT_EQ(scene.source_polygons, 2u);
    }
}

TEST(DaeGeometry, LinesAndLineStrips)
{
    const scene::Scene scene = loaded(
        with(geometry("g", "<lines count='1'>" + input("g") + "<p>0 1</p></lines><linestrips count='1'>" +
                               input("g") + "<p>1 2 3</p></linestrips>")));
    const scene::Mesh& mesh = scene.meshes.at(0);
    ASSERT_THAT(mesh.primitives, SizeIs(1));
    EXPECT_EQ(mesh.primitives[0].topology, scene::Topology::lines);
    EXPECT_THAT(mesh.indices, SizeIs(6));
}

TEST(DaeGeometry, LinesKnowWhetherTheyHaveNormals)
{
    const std::string normals = "<input semantic='NORMAL' source='#n' offset='1'/>";
    const scene::Scene scene =
        loaded(with(geometry("g",
                             "<lines count='1'>" + input("g") + "<p>0 1</p></lines><lines count='1'>" +
                                 input("g") + normals + "<p>1 0 2 0</p></lines>",
                             source("n", "0 0 1", 1, 3))));
    const scene::Mesh& mesh = scene.meshes.at(0);
    ASSERT_THAT(mesh.primitives, SizeIs(2));
    EXPECT_FALSE(mesh.primitives[0].has_normals);
    EXPECT_TRUE(mesh.primitives[1].has_normals);
}

TEST(DaeGeometry, VertexColorsAreLinear)
{
    const std::string more = source("c", "1 0 0.5", 1, 3);
    const scene::Scene scene = loaded(with(geometry(
        "g", triangles("g", "0 0 1 0 2 0", "<input semantic='COLOR' source='#c' offset='1'/>"), more)));
    const glm::vec4 color = scene.meshes.at(0).colors.at(0);
    EXPECT_NEAR(color.z, 0.2140, 1e-3);
    EXPECT_EQ(color.w, 1.0f);
}

TEST(DaeGeometry, AccessorsMaySkipNumbers)
{
    const std::string odd =
        "<geometry id='g'><mesh><source id='p'><float_array id='a' count='12'>9 0 0 5 9 1 0 5 9 0 "
        "1 5</float_array><technique_common><accessor source='#a' count='3' stride='4' "
        "offset='1'><param name='X' type='float'/><param name='Y' type='float'/><param "
        "type='float'/></accessor></technique_common></source><vertices id='g-v'><input "
        "semantic='POSITION' source='#p'/></vertices>" +
        triangles("g", "0 1 2") + "</mesh></geometry>";
    const scene::Scene scene = loaded(with(odd));
    EXPECT_EQ(scene.meshes.at(0).positions.at(1), glm::vec3(1, 0, 0));
    EXPECT_EQ(scene.meshes[0].positions[2], glm::vec3(0, 1, 0));
}

// Of any length, individually and in bulk, with unusual ones in between.
TEST(DaeNumbers, IndicesAtOnceAreThoseOneByOne)
{
    std::string text;
    std::uint32_t seed = 1;
    for (int i = 0; i < 5'000; ++i) {
        seed = seed * 1'664'525 + 1'013'904'223;
        text += std::to_string(seed >> seed % 31);
        text += i % 97 == 0 ? "\n\t " : " ";
        for (const auto& [every, odd] :
             {std::pair(41, "-1 "), {53, "x3 "}, {67, "4.0 "}, {71, "0007 "}, {73, "99999999999 "}})
            if (i % every == 0) text += odd;
    }
    for (const std::size_t cut : {text.size(), text.size() - 1, text.size() - 3}) {
        const std::string part = text.substr(0, cut) + "<";
        const std::string_view view(part.data(), cut);
        std::vector<std::uint32_t> one, many(7);
        NumberReader slow(view), fast(view);
        for (std::uint32_t value = 0; slow.next(value);)
            one.push_back(value);
        std::size_t at = 0;
        for (std::size_t read = many.size(); read == many.size(); at += read) {
            read = fast.next(std::span(many));
            for (std::size_t i = 0; i < read; ++i)
                ASSERT_EQ(many[i], one.at(at + i)) << at + i;
        }
        EXPECT_EQ(at, one.size());
        EXPECT_EQ(fast.bad(), slow.bad());
    }
}

} // namespace
} // namespace vitrine::dae::test
