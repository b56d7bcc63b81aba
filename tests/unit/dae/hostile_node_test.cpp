#include "tests/unit/dae/controllers.hpp"
#include "tests/unit/dae/hostile.hpp"

namespace vitrine::dae::test {
namespace {

using testing::SizeIs;

TEST(DaeHostileNode, NodeOfManyInstancesIsReadOnce)
{
    const std::string node =
        "<node id='n'>" + repeated(5'000, "<extra/>") + "<translate>1 two 3</translate></node>";
    const scene::Scene scene =
        loaded_soon(Document{.libraries = library("nodes", node),
                             .nodes = repeated(4'000, "<node><instance_node url='#n'/></node>")}
                        .text());
    EXPECT_THAT(scene.nodes, SizeIs(8'000));
    EXPECT_EQ(count_warnings(scene, "invalid_transform"), 1u);
}

// An element's unit is found without reading the <asset> each time.
TEST(DaeHostileNode, AssetIsReadOnce)
{
    const std::string node = "<node id='n'><asset>" + repeated(5'000, "<extra/>") +
                             "<unit meter='10'/></asset><translate>1 0 0</translate></node>";
    const scene::Scene scene =
        loaded_soon(Document{.libraries = library("nodes", node),
                             .nodes = repeated(4'000, "<node><instance_node url='#n'/></node>")}
                        .text());
    EXPECT_THAT(scene.nodes, SizeIs(8'000));
    EXPECT_EQ(scene.nodes[1].local.translation.x, 10.0f);
}

TEST(DaeHostileNode, PlacesThatBringNoNodesAreBounded)
{
    const std::string nowhere = "<node id='n'>" + repeated(500, "<instance_node url='#x'/>") + "</node>",
                      missing = "<node id='n'>" + repeated(500, "<instance_geometry url='#x'/>") + "</node>";
    Limits limits;
    limits.nodes = 5'000;
    const std::string nodes = repeated(1'000, "<node><instance_node url='#n'/></node>");
    expect_rejected(
        load_soon(Document{.libraries = library("nodes", nowhere), .nodes = nodes}.text(), limits),
        "the placements of nodes: more than the limit nodes = 5000");
    expect_rejected(
        load_soon(Document{.libraries = library("nodes", missing), .nodes = nodes}.text(), limits),
        "the placements of meshes: more than the limit nodes = 5000");
}

TEST(DaeHostileNode, TransformsInManyUnitsAreBounded)
{
    const std::string node = "<node id='n'>" + repeated(1'000, "<scale/>") + "</node>";
    std::string nodes;
    for (int i = 2; i < 100; ++i)
        nodes +=
            "<node><asset><unit meter='" + std::to_string(i) + "'/></asset><instance_node url='#n'/></node>";
    Limits limits;
    limits.nodes = 5'000;
    expect_rejected(
        load_soon(
            Document{.libraries = library("nodes", "<asset><unit meter='1'/></asset>" + node), .nodes = nodes}
                .text(),
            limits),
        "several units or axes: more than the limit nodes = 5000");
}

TEST(DaeHostileNode, JointsOfManyInstancesAreBounded)
{
    const Skin skin{.joints = names("j", repeated(100, "A "))};
    const std::string libraries = library("geometries", square("g")) + library("controllers", skin.text());
    Limits limits;
    limits.skin_joints = 1'000;
    const auto with_instances = [&](int count) {
        const std::string nodes = repeated(count, "<node><instance_controller url='#c'/></node>");
        return load_soon(Document{.libraries = libraries, .nodes = "<node sid='A'/>" + nodes}.text(), limits);
    };
    EXPECT_TRUE(with_instances(30));
    expect_rejected(with_instances(50), "than 4 times the limit skin_joints = 1000");
}

TEST(DaeHostileNode, PlacesOfASkeletonAreListedOnce)
{
    const Skin skin{.joints = names("j", "nowhere")};
    const std::string libraries =
        library("geometries", square("g")) + library("controllers", skin.text()) + library("nodes", skeleton);
    const std::string nodes =
        repeated(4'000, "<node><instance_node url='#root'/></node>") +
        repeated(
            4'000,
            "<node><instance_controller url='#c'><skeleton>#root</skeleton></instance_controller></node>");
    const scene::Scene scene = loaded_soon(Document{.libraries = libraries, .nodes = nodes}.text());
    EXPECT_THAT(scene.nodes, SizeIs(20'000));
    EXPECT_EQ(count_warnings(scene, "missing_joint"), 9u); // eight, and the number of further ones
}

} // namespace
} // namespace vitrine::dae::test
