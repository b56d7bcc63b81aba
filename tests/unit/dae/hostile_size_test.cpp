// Small files whose parts multiply: what is read once must not be read again for each use. Each of these took
// minutes, or more memory than there is, while it was.

#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/unit/dae/controllers.hpp"

namespace vitrine::dae::test {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

std::string repeat(int count, const std::string& text)
{
    std::string out;
    for (int i = 0; i < count; ++i)
        out += text;
    return out;
}

std::size_t count_warnings(const scene::Scene& scene, std::string_view code)
{
    return static_cast<std::size_t>(std::ranges::count(scene.warnings, code, &scene::Warning::code));
}

void expect_refused(const LoadResult<scene::Scene>& scene, const std::string& detail)
{
    ASSERT_FALSE(scene);
    EXPECT_EQ(scene.error().code, LoadErrc::limit_exceeded);
    EXPECT_THAT(scene.error().detail, HasSubstr(detail));
    EXPECT_THAT(scene.error().where, testing::StartsWith("line "));
}

TEST(DaeHostileSize, ANodeIsReadOnceHoweverOftenItIsPlaced)
{
    const std::string node =
        "<node id='n'>" + repeat(30'000, "<extra/>") + "<translate>1 two 3</translate></node>";
    const scene::Scene scene = loaded(Document{
        .libraries = library("nodes", node), .nodes = repeat(8'000, "<node><instance_node url='#n'/></node>")}
                                          .text());
    EXPECT_THAT(scene.nodes, SizeIs(16'000));
    EXPECT_EQ(count_warnings(scene, "invalid_transform"), 1u);
}

// What is said of an element's unit is found without looking through the <asset> each time.
TEST(DaeHostileSize, AnAssetIsReadOnce)
{
    const std::string node = "<node id='n'><asset>" + repeat(30'000, "<extra/>") +
                             "<unit meter='10'/></asset><translate>1 0 0</translate></node>";
    const scene::Scene scene = loaded(Document{
        .libraries = library("nodes", node), .nodes = repeat(8'000, "<node><instance_node url='#n'/></node>")}
                                          .text());
    EXPECT_THAT(scene.nodes, SizeIs(16'000));
    EXPECT_EQ(scene.nodes[1].local.translation.x, 10.0f);
}

TEST(DaeHostileSize, PlacesThatBringNoNodesAreBounded)
{
    const std::string nowhere = "<node id='n'>" + repeat(500, "<instance_node url='#x'/>") + "</node>",
                      missing = "<node id='n'>" + repeat(500, "<instance_geometry url='#x'/>") + "</node>";
    Limits limits;
    limits.nodes = 5'000;
    const std::string nodes = repeat(1'000, "<node><instance_node url='#n'/></node>");
    expect_refused(load(Document{.libraries = library("nodes", nowhere), .nodes = nodes}.text(), limits),
                   "nodes are placed more often than the limit nodes = 5000");
    expect_refused(load(Document{.libraries = library("nodes", missing), .nodes = nodes}.text(), limits),
                   "meshes are placed more often than the limit nodes = 5000");
}

TEST(DaeHostileSize, TransformsInManyUnitsAreBounded)
{
    const std::string node = "<node id='n'>" + repeat(1'000, "<scale/>") + "</node>";
    std::string nodes;
    for (int i = 2; i < 100; ++i)
        nodes +=
            "<node><asset><unit meter='" + std::to_string(i) + "'/></asset><instance_node url='#n'/></node>";
    Limits limits;
    limits.nodes = 5'000;
    expect_refused(load(Document{.libraries = library("nodes", "<asset><unit meter='1'/></asset>" + node),
                                 .nodes = nodes}
                            .text(),
                        limits),
                   "transforms than the limit nodes = 5000");
}

TEST(DaeHostileSize, PrimitivesAreListedOnce)
{
    const std::string more = repeat(10'000, "<lines/>");
    std::string symbols;
    for (int i = 0; i < 10'000; ++i)
        symbols += "<lines material='m" + std::to_string(i) + "'/>";
    const std::string nodes = repeat(5'000, "<node><instance_geometry url='#g'/></node>");
    for (const std::string& primitives : {more, symbols}) {
        const std::string geometries = geometry("g", triangles("g", "0 1 2") + primitives);
        const scene::Scene scene =
            loaded(Document{.libraries = library("geometries", geometries), .nodes = nodes}.text());
        EXPECT_THAT(scene.nodes, SizeIs(5'000));
        EXPECT_THAT(scene.meshes, SizeIs(1));
    }
}

// A material with the name of a symbol counts where an instance binds none, and there alone.
TEST(DaeHostileSize, SymbolsMeanTheirOwnMaterialsWhereNothingIsBound)
{
    const std::string libraries =
        library("materials", "<material id='a'/><material id='b'/><material id='c'/>") +
        library("geometries", geometry("g", triangles("g", "0 1 2", "", "material='a'") +
                                                triangles("g", "0 2 3", "", "material='b'")));
    const std::string binding = "<bind_material><technique_common><instance_material symbol='a' "
                                "target='#c'/></technique_common></bind_material>";
    const std::string bound = "<node><instance_geometry url='#g'>" + binding + "</instance_geometry></node>",
                      bare = "<node><instance_geometry url='#g'/></node>";
    const auto materials_of = [&](const std::string& nodes) {
        std::string names;
        const scene::Scene scene = loaded(Document{.libraries = libraries, .nodes = nodes}.text());
        for (const scene::Mesh& mesh : scene.meshes)
            for (const scene::Primitive& primitive : mesh.primitives)
                names += scene.materials.at(primitive.material).name;
        return names + std::to_string(scene.materials.size());
    };
    EXPECT_EQ(materials_of(bound + bound), "cb2");
    EXPECT_EQ(materials_of(bound + bare + bound + bare), "cbab3");
}

TEST(DaeHostileSize, JointsOfManyInstancesAreBounded)
{
    const Skin skin{.joints = names("j", repeat(100, "A "))};
    const std::string libraries = library("geometries", square("g")) + library("controllers", skin.text());
    Limits limits;
    limits.skin_joints = 1'000;
    const auto with_instances = [&](int count) {
        const std::string nodes = repeat(count, "<node><instance_controller url='#c'/></node>");
        return load(Document{.libraries = libraries, .nodes = "<node sid='A'/>" + nodes}.text(), limits);
    };
    EXPECT_TRUE(with_instances(30));
    expect_refused(with_instances(50), "than 4 times the limit skin_joints = 1000");
}

TEST(DaeHostileSize, PlacesOfASkeletonAreListedOnce)
{
    const Skin skin{.joints = names("j", "nowhere")};
    const std::string libraries =
        library("geometries", square("g")) + library("controllers", skin.text()) + library("nodes", skeleton);
    const std::string nodes =
        repeat(4'000, "<node><instance_node url='#root'/></node>") +
        repeat(4'000,
               "<node><instance_controller url='#c'><skeleton>#root</skeleton></instance_controller></node>");
    const scene::Scene scene = loaded(Document{.libraries = libraries, .nodes = nodes}.text());
    EXPECT_THAT(scene.nodes, SizeIs(20'000));
    EXPECT_EQ(count_warnings(scene, "missing_joint"), 9u); // eight, and how many more
}

TEST(DaeHostileSize, AnAccessorOfHugeElementsIsNotListed)
{
    const std::string normals = "<source id='n'><float_array id='na' count='3'>0 0 1</float_array>"
                                "<technique_common><accessor source='#na' count='1' stride='1048576'/>"
                                "</technique_common></source>";
    std::string inputs;
    for (const std::string semantic : {"NORMAL", "TEXCOORD", "COLOR"})
        inputs += "<input semantic='" + semantic + "' source='#n' offset='0'/>";
    const std::string lines =
        "<lines><input semantic='VERTEX' source='#g-v' offset='0'/>" + inputs + "<p>0 1</p></lines>";
    const scene::Scene scene = loaded(
        Document{.libraries = library("geometries",
                                      geometry("g", triangles("g", "0 1 2") + repeat(2'000, lines), normals)),
                 .nodes = "<node><instance_geometry url='#g'/></node>"}
            .text());
    EXPECT_EQ(scene.meshes.at(0).indices.size(), 3u + 4'000u);
}

TEST(DaeHostileSize, InputsOfVerticesAreReadOnce)
{
    const std::string vertex = "<input semantic='VERTEX' source='#g-v' offset='0'/>";
    std::string text = geometry("g", repeat(5'000, "<lines>" + vertex + "<p>0 1</p></lines>") + "<lines>" +
                                         repeat(20'000, vertex) + "<p>0 1</p></lines>");
    text.insert(text.find("</vertices>"), repeat(20'000, "<input semantic='X' source='#g-p'/>"));
    const scene::Scene scene = loaded(Document{.libraries = library("geometries", text),
                                               .nodes = "<node><instance_geometry url='#g'/></node>"}
                                          .text());
    EXPECT_EQ(scene.meshes.at(0).indices.size(), 2u * 5'001u);
}

// <vertices> give the first set, a second VERTEX the second, at its own offset.
TEST(DaeHostileSize, ASecondVertexGivesTheSecondSetOfTextureCoordinates)
{
    const std::string uvs = source("t", "0 0 0.25 0 0.5 0 0.75 0", 4, 2);
    const std::string two = "<input semantic='VERTEX' source='#g-v' offset='0'/>"
                            "<input semantic='VERTEX' source='#g-v' offset='1'/>";
    std::string text = geometry("g", "<triangles>" + two + "<p>0 1 1 2 2 3</p></triangles>", uvs);
    text.insert(text.find("</vertices>"), "<input semantic='TEXCOORD' source='#t'/>");
    const scene::Scene scene = loaded(Document{.libraries = library("geometries", text),
                                               .nodes = "<node><instance_geometry url='#g'/></node>"}
                                          .text());
    const scene::Mesh& mesh = scene.meshes.at(0);
    ASSERT_THAT(mesh.uv0, SizeIs(3));
    ASSERT_THAT(mesh.uv1, SizeIs(3));
    EXPECT_EQ(mesh.uv0[0].x, 0.0f);
    EXPECT_EQ(mesh.uv1[0].x, 0.25f);
}

// One mesh for each binding costs as much as the geometry has parts.
TEST(DaeHostileSize, MeshesOfOneGeometryAreBoundedByItsParts)
{
    std::string materials, nodes;
    for (int i = 0; i < 100; ++i) {
        const std::string id = "m" + std::to_string(i);
        materials += "<material id='" + id + "'/>";
        nodes += "<node><instance_geometry url='#g'><bind_material><technique_common><instance_material "
                 "symbol='s' target='#" +
                 id + "'/></technique_common></bind_material></instance_geometry></node>";
    }
    const std::string primitives = triangles("g", "0 1 2", "", "material='s'") + repeat(100, "<lines/>");
    Limits limits;
    limits.indices = 5'000;
    expect_refused(load(Document{.libraries = library("materials", materials) +
                                              library("geometries", geometry("g", primitives)),
                                 .nodes = nodes}
                            .text(),
                        limits),
                   "the limit indices = 5000");
}

TEST(DaeHostileSize, InterpolationsAreReadOnce)
{
    std::string animations = "<animation>" + source("ti", "0 1", 2, 1) + source("to", "0 1", 2, 1) +
                             names("in", repeat(100'000, "STEP ")) + "</animation>";
    for (int i = 0; i < 1'000; ++i)
        animations += "<animation><sampler id='s" + std::to_string(i) +
                      "'><input semantic='INPUT' source='#ti'/><input semantic='OUTPUT' source='#to'/>"
                      "<input semantic='INTERPOLATION' source='#in'/></sampler><channel source='#s" +
                      std::to_string(i) + "' target='n/t.X'/></animation>";
    const scene::Scene scene =
        loaded(Document{.libraries = library("geometries", square("g")) + library("animations", animations),
                        .nodes = "<node id='n'><translate sid='t'>0 0 0</translate><instance_geometry "
                                 "url='#g'/></node>"}
                   .text());
    ASSERT_THAT(scene.clips, SizeIs(1));
    EXPECT_EQ(scene.clips[0].channels.at(0).interpolation, scene::Interpolation::step);
}

TEST(DaeHostileSize, MorphTargetsAreBoundedByTheVerticesThatTheyLookAt)
{
    const std::string morph = "<controller id='c'><morph source='#g'>" +
                              names("t", repeat(100, "g "), "IDREF_array") +
                              source("w", repeat(100, "0 "), 100, 1) +
                              "<targets><input semantic='MORPH_TARGET' source='#t'/><input "
                              "semantic='MORPH_WEIGHT' source='#w'/></targets></morph></controller>";
    Limits limits;
    limits.morph_deltas = 350;
    const std::string text =
        Document{.libraries = library("geometries", square("g")) + library("controllers", morph),
                 .nodes = "<node><instance_controller url='#c'/></node>"}
            .text();
    expect_refused(load(text, limits), "the limit morph_deltas = 350");
}

// A file of animations and clips that move a node by its translation.
LoadResult<scene::Scene> animated(const std::string& animations, const std::string& clips = "",
                                  const Limits& limits = {}, const std::string& transforms = "")
{
    return load(Document{.libraries = library("geometries", square("g")) + library("animations", animations) +
                                      library("animation_clips", clips),
                         .nodes = "<node id='n'><translate sid='t'>0 0 0</translate>" + transforms +
                                  "<instance_geometry url='#g'/></node>"}
                    .text(),
                limits);
}

std::string sampler(const std::string& id, const std::string& times)
{
    return "<sampler id='" + id + "'><input semantic='INPUT' source='#" + times +
           "'/><input semantic='OUTPUT' source='#to'/></sampler>";
}

TEST(DaeHostileSize, ClipsOfDeepAnimationsAreFoundAtOnce)
{
    const std::string channels = repeat(2'000, "<channel source='#s' target='n/t.X'/>");
    const std::string deep = repeat(300, "<animation>") + "<animation id='inner'>" + channels +
                             "</animation>" + repeat(300, "</animation>");
    const auto scene =
        animated("<animation id='a'>" + source("ti", "0 1", 2, 1) + source("to", "0 1", 2, 1) +
                     sampler("s", "ti") + deep + "</animation><animation id='b'/>",
                 repeat(200, "<animation_clip><instance_animation url='#a'/><instance_animation "
                             "url='#inner'/></animation_clip>") +
                     "<animation_clip><instance_animation url='#b'/></animation_clip>");
    ASSERT_TRUE(scene);
    EXPECT_THAT(scene->clips, SizeIs(200));
    EXPECT_EQ(count_warnings(*scene, "invalid_channel"), 0u);
    EXPECT_EQ(count_warnings(*scene, "invalid_clip"), 1u);
}

// Of the curves that have begun the last to begin counts.
TEST(DaeHostileSize, ManyCurvesOfOneElementCostAsMuchAsOne)
{
    std::string animations = "<animation>" + source("to", "0 7 1", 3, 1) + "</animation>";
    for (int i = 2'000; i-- > 0;) {
        const std::string name = fmt::format("t{}", i), id = fmt::format("s{}", i);
        animations +=
            fmt::format("<animation>{}{}<channel source='#{}' target='n/t.X'/></animation>",
                        source(name, fmt::format("{0} {0}.25 {0}.5", i), 3, 1), sampler(id, name), id);
    }
    const auto scene = animated(animations);
    ASSERT_TRUE(scene);
    ASSERT_THAT(scene->clips, SizeIs(1));
    const scene::Channel& channel = scene->clips[0].channels.at(0);
    ASSERT_GE(channel.times.size(), 6'000u);
    for (std::size_t k = 0; k < channel.times.size(); ++k) {
        const float part = channel.times[k] - std::floor(channel.times[k]);
        if (part == 0.25f) EXPECT_EQ(channel.values[3 * k], 7.0f) << channel.times[k];
    }
}

TEST(DaeHostileSize, RestingTransformsAreMultipliedOnce)
{
    std::string times, values;
    for (int i = 0; i < 2'000; ++i) {
        times += std::to_string(i) + " ";
        values += std::to_string(i % 7) + " ";
    }
    const std::string animations = "<animation>" + source("ti", times, 2'000, 1) +
                                   source("to", values, 2'000, 1) + sampler("s", "ti") +
                                   "<channel source='#s' target='n/t.X'/></animation>";
    const auto scene = animated(animations, "", {}, repeat(20'000, "<rotate>0 0 1 90</rotate>"));
    ASSERT_TRUE(scene);
    ASSERT_THAT(scene->clips, SizeIs(1));
    EXPECT_EQ(scene->clips[0].channels.at(0).path, scene::Path::translation);
    EXPECT_EQ(scene->clips[0].channels.at(0).values.at(3), 1.0f);
}

TEST(DaeHostileSize, KeysOfClipsThatMoveNothingAreBounded)
{
    const std::string animations = "<animation id='a'>" + source("ti", "0 1 2 3 4 5 6 7 8 9", 10, 1) +
                                   source("to", repeat(10, "0 "), 10, 1) + sampler("s", "ti") +
                                   "<channel source='#s' target='n/x'/></animation>";
    const std::string clip = "<animation_clip><instance_animation url='#a'/></animation_clip>";
    Limits limits;
    limits.key_values = 1'000;
    EXPECT_TRUE(animated(animations, repeat(10, clip), limits));
    const auto refused = animated(animations, repeat(200, clip), limits);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().detail, HasSubstr("the limit key_values = 1000"));
}

} // namespace
} // namespace vitrine::dae::test
