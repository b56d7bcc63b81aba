// An element may have its own <asset>. Its scope follows the images of the Conformance Test Suite.

#include <gmock/gmock.h>

#include "loaders/base/utf8.hpp"
#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "tests/support/repeated.hpp"
#include "tests/unit/dae/document.hpp"

namespace vitrine::dae::test {
namespace {

const std::string centimeters = "<unit meter='0.01'/><up_axis>Y_UP</up_axis>";
const std::string tens = "<asset><unit meter='10'/></asset>",
                  upright = "<asset><up_axis>Z_UP</up_axis></asset>";

// A unit square in z = 0 at the given place; the geometry may have an asset of its own.
std::string shape(const std::string& asset = "")
{
    std::string text = square("g");
    return text.insert(text.find("<mesh>"), asset);
}

std::string node_with_asset(const std::string& asset,
                            const std::string& content = "<instance_geometry url='#g'/>")
{
    return "<node id='n'>" + asset + "<translate sid='t'>1 0 0</translate>" + content + "</node>";
}

scene::Aabb bounds(const std::string& geometry, const std::string& nodes, const std::string& more = "",
                   std::map<std::string, std::string> files = {})
{
    const Document document{
        .asset = centimeters, .libraries = library("geometries", geometry) + more, .nodes = nodes};
    return scene::static_bounds(loaded(document.text(), std::move(files)));
}

void expect_box(const scene::Aabb& box, const glm::vec3& min, const glm::vec3& max)
{
    EXPECT_LE(glm::length(box.min - min), 1e-5f * (1.0f + glm::length(min)))
        << box.min.x << " " << box.min.y << " " << box.min.z;
    EXPECT_LE(glm::length(box.max - max), 1e-5f * (1.0f + glm::length(max)))
        << box.max.x << " " << box.max.y << " " << box.max.z;
}

scene::Attribution declared_by(const std::string& asset)
{
    return loaded(Document{.asset = asset + centimeters,
                           .libraries = library("geometries", shape()),
                           .nodes = node_with_asset("")}
                      .text())
        .attribution;
}

TEST(DaeAsset, DeclaresItsOrigin)
{
    EXPECT_EQ(declared_by("<contributor><authoring_tool>Tool</authoring_tool></contributor>"
                          "<contributor><author> Ann </author><copyright>2019 Ann</copyright>"
                          "<source_data>file:///cat.ma</source_data></contributor>"
                          "<contributor><author>Bob</author><comments>a\nb</comments></contributor>"
                          "<title>Cat</title><subject>Pets</subject><keywords>pet fur</keywords>"
                          "<revision>7</revision>"),
              (scene::Attribution{.title = "Cat",
                                  .subject = "Pets",
                                  .author = "Ann",
                                  .copyright = "2019 Ann",
                                  .source = "file:///cat.ma",
                                  .keywords = "pet fur",
                                  .revision = "7",
                                  .comment = "a b"}));
}

TEST(DaeAsset, DeclaresItsOriginAsBefore1_4)
{
    EXPECT_EQ(declared_by("<author>Ann</author><copyright>2004</copyright><comments>old</comments>"),
              (scene::Attribution{.author = "Ann", .copyright = "2004", .comment = "old"}));
}

TEST(DaeAsset, PlaceholdersAreNoAuthor)
{
    EXPECT_EQ(declared_by("<contributor><author>Blender User</author></contributor>"
                          "<contributor><author>Ann</author></contributor>"),
              scene::Attribution{.author = "Ann"});
}

TEST(DaeAsset, DeclaredTextsAreBoundedAndUtf8)
{
    const auto found = declared_by("<contributor><author>x" + vitrine::test::repeated(100'000, "\xC3\xB6") +
                                   "</author><copyright>\xFF 2004</copyright></contributor>");
    EXPECT_LE(found.author.size(), scene::max_declared_bytes);
    EXPECT_GT(found.author.size(), scene::max_declared_bytes - 4);
    EXPECT_TRUE(is_utf8(found.author));
    EXPECT_TRUE(is_utf8(found.copyright));
    EXPECT_TRUE(found.copyright.ends_with(" 2004"));
}

TEST(DaeAsset, NodesUnitAndAxisCountForTheGeometryInIt)
{
    expect_box(bounds(shape(), node_with_asset("")), {0.01f, 0, 0}, {0.02f, 0.01f, 0});
    expect_box(bounds(shape(), node_with_asset(tens)), {10, 0, 0}, {20, 10, 0});
    expect_box(bounds(shape(), node_with_asset(upright)), {0.01f, 0, -0.01f}, {0.02f, 0, 0});
    expect_box(bounds(shape(), "<node>" + tens + node_with_asset(upright) + "</node>"), {10, 0, -10},
               {20, 0, 0});
}

TEST(DaeAsset, VisualScenesCountForAllInIt)
{
    expect_box(bounds(shape(), tens + node_with_asset("")), {10, 0, 0}, {20, 10, 0});
    expect_box(bounds(shape(), upright + node_with_asset(tens)), {10, 0, -10}, {20, 0, 0});
}

TEST(DaeAsset, AssetOfAGeometryTakesPrecedence)
{
    const std::string metre = "<asset><unit meter='1'/></asset>";
    expect_box(bounds(shape(metre), node_with_asset("")), {0.01f, 0, 0}, {1.01f, 1, 0});
    expect_box(bounds(shape(metre), node_with_asset(tens)), {10, 0, 0}, {11, 1, 0});
    expect_box(bounds(shape(upright), node_with_asset(tens)), {10, 0, -10}, {20, 0, 0});
    expect_box(bounds(metre + shape(), node_with_asset(tens)), {10, 0, 0}, {11, 1, 0}); // of its library
}

TEST(DaeAsset, NodeOfALibraryIsInTheCoordinatesAroundItsInstance)
{
    const std::string instance = "<node>" + tens + "<instance_node url='#n'/></node>";
    expect_box(bounds(shape(), instance, library("nodes", node_with_asset(""))), {10, 0, 0}, {20, 10, 0});
    expect_box(
        bounds(shape(), instance, library("nodes", node_with_asset("<asset><unit meter='2'/></asset>"))),
        {2, 0, 0}, {4, 2, 0});
}

TEST(DaeAsset, AnotherDocumentsUnitCountsForWhatIsInIt)
{
    const std::string other = "<COLLADA><asset><unit meter='3'/></asset>" +
                              library("geometries", square("g")) + library("nodes", node_with_asset("")) +
                              "</COLLADA>";
    const std::string far = "<instance_geometry url='other.dae#g'/>";
    expect_box(bounds("", node_with_asset("", far), "", {{"other.dae", other}}), {0.01f, 0, 0},
               {3.01f, 3, 0});
    expect_box(bounds("", node_with_asset(tens, far), "", {{"other.dae", other}}), {10, 0, 0}, {13, 3, 0});
    expect_box(bounds("", "<node><instance_node url='other.dae#n'/></node>", "", {{"other.dae", other}}),
               {3, 0, 0}, {6, 3, 0});
}

// A skeleton outside the scene uses the unit of its own document, wherever its controller is placed.
TEST(DaeAsset, AnotherDocumentsSkeletonKeepsItsUnit)
{
    const std::string controller =
        "<controller id='c'><skin source='#g'>" + names("j", "bone") +
        source("b", "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1", 1, 16) + source("w", "1", 1, 1) +
        "<joints><input semantic='JOINT' source='#j'/><input semantic='INV_BIND_MATRIX' "
        "source='#b'/></joints>"
        "<vertex_weights count='4'><input semantic='JOINT' source='#j' offset='0'/><input semantic='WEIGHT' "
        "source='#w' offset='1'/><vcount>1 1 1 1</vcount><v>0 0 0 0 0 0 0 "
        "0</v></vertex_weights></skin></controller>";
    const std::string other =
        "<COLLADA><asset>" + centimeters + "</asset>" + library("geometries", square("g")) +
        library("controllers", controller) +
        library("nodes", "<node id='body'><instance_controller url='#c'><skeleton>#bone</skeleton>"
                         "</instance_controller></node><node id='bone' sid='bone' type='JOINT'/>") +
        "</COLLADA>";
    const Document main{.asset = "<unit meter='1'/><up_axis>Y_UP</up_axis>",
                        .nodes = "<node><instance_node url='other.dae#body'/></node>"};
    expect_box(scene::static_bounds(loaded(main.text(), {{"other.dae", other}})), {0, 0, 0},
               {0.01f, 0.01f, 0});
}

TEST(DaeAsset, GeometryWithoutAnySceneKeepsItsUnit)
{
    const std::string text = "<COLLADA><asset>" + centimeters + "</asset>" +
                             library("geometries", shape("<asset><unit meter='1'/></asset>")) + "</COLLADA>";
    expect_box(scene::static_bounds(loaded(text)), {0, 0, 0}, {1, 1, 0});
}

TEST(DaeAsset, KeysUseCoordinatesOfTheirElementUnlessDeclared)
{
    const auto end = [](const std::string& of_animation, const std::string& of_node) {
        const std::string animation = "<animation>" + of_animation + source("i", "0 1", 2, 1) +
                                      source("o", "0 0 0 0 0 5", 2, 3) +
                                      "<sampler id='s'><input semantic='INPUT' source='#i'/><input "
                                      "semantic='OUTPUT' source='#o'/></sampler>"
                                      "<channel source='#s' target='n/t'/></animation>";
        const scene::Scene scene =
            loaded(Document{.asset = centimeters,
                            .libraries = library("geometries", shape()) + library("animations", animation),
                            .nodes = node_with_asset(of_node)}
                       .text());
        scene::Pose pose;
        scene::sample_pose(scene, 0, 1.0, pose);
        return scene::pose_bounds(scene, pose);
    };
    expect_box(end("", ""), {0, 0, 0.05f}, {0.01f, 0.01f, 0.05f});
    expect_box(end("", tens), {0, 0, 50}, {10, 10, 50});
    expect_box(end(tens, ""), {0, 0, 50}, {0.01f, 0.01f, 50});
    expect_box(end("<asset><unit meter='0.01'/></asset>", tens), {0, 0, 0.05f}, {10, 10, 0.05f});
    expect_box(end("", upright), {0, 0.05f, -0.01f}, {0.01f, 0.05f, 0});
    expect_box(end(upright, ""), {0, 0.05f, 0}, {0.01f, 0.06f, 0});
}

} // namespace
} // namespace vitrine::dae::test
