#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loaders/scene/motion/pose.hpp"
#include "tests/support/work_count.hpp"
#include "tests/unit/3ds/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;
using namespace vitrine::test::threeds;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

namespace {

const scene::Node* find(const scene::Scene& scene, std::string_view name)
{
    for (const auto& node : scene.nodes)
        if (node.name == name) return &node;
    return nullptr;
}

// Returns the first vertex of each drawn mesh in the static pose, in the file's axes.
std::vector<glm::vec3> first_points(const scene::Scene& scene)
{
    scene::Pose pose;
    scene::static_pose(scene, pose);
    std::vector<glm::vec3> out;
    for (const auto& instance : scene::find_instances(scene)) {
        const auto& position = scene.meshes[instance.mesh].positions[0];
        const auto p = glm::vec3(pose.model[instance.node] * glm::vec4(position, 1));
        out.emplace_back(p.x, -p.z, p.y);
    }
    return out;
}

std::string matrix(const std::vector<float>& rows)
{
    return chunk(0x4160, floats(rows));
}

std::string mesh_at(float x, float y, float z, const std::string& more = {})
{
    return object("o", points({x, y, z, x + 1, y, z, x, y + 1, z}) + faces({0, 1, 2}) + more);
}

std::string instance(std::string_view name)
{
    return chunk(0xB011, text(name));
}

} // namespace

TEST(ThreedsNode, PointsAreConvertedToMeshSpace)
{
    // The mesh is at (10, 0, 0) with a quarter turn; the keyframer places it elsewhere.
    const auto scene = load_valid(file(mesh_at(10, 2, 0, matrix({0, 1, 0, -1, 0, 0, 0, 0, 1, 10, 0, 0})),
                                       node(0, "o", no_parent, tracks(position(0, 0, 5)))));
    ASSERT_EQ(scene.meshes.size(), 1u);
    EXPECT_LT(glm::distance(scene.meshes[0].positions[0], glm::vec3(2, 0, 0)), 1e-5f) << "2 along its x";
    EXPECT_LT(glm::distance(first_points(scene).at(0), glm::vec3(2, 0, 5)), 1e-5f);
}

TEST(ThreedsNode, MirroringMatrixMirrorsX)
{
    const auto scene = load_valid(file(mesh_at(2, 0, 0, matrix({-1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0})),
                                       node(0, "o", no_parent, tracks())));
    EXPECT_LT(glm::distance(first_points(scene).at(0), glm::vec3(2, 0, 0)), 1e-6f);
}

TEST(ThreedsNode, MatrixWithoutInverseIsIgnored)
{
    const auto scene = load_valid(file(mesh_at(2, 0, 0, matrix({1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0})),
                                       node(0, "o", no_parent, tracks())));
    EXPECT_EQ(codes(scene), "mesh_matrix");
    EXPECT_LT(glm::distance(first_points(scene).at(0), glm::vec3(2, 0, 0)), 1e-6f);
}

TEST(ThreedsNode, ParentsByIdInAnyOrder)
{
    const auto scene = load_valid(file(triangle("child") + triangle("parent"),
                                       node(7, "child", 9, tracks(position(1, 0, 0))) +
                                           node(9, "parent", no_parent, tracks(position(0, 5, 0)))));
    ASSERT_NE(find(scene, "child"), nullptr);
    EXPECT_EQ(scene.nodes[find(scene, "child")->parent].name, "parent");
    EXPECT_THAT(first_points(scene), UnorderedElementsAre(glm::vec3(0, 5, 0), glm::vec3(1, 5, 0)));
}

TEST(ThreedsNode, WithoutIdsTheOrderCounts)
{
    const auto old_node = [](std::string_view name, int parent) {
        return chunk(0xB002, chunk(0xB010, text(name) + words({0, 0, parent})) + tracks());
    };
    const auto scene =
        load_valid(file(triangle("a") + triangle("b"), old_node("a", no_parent) + old_node("b", 0)));
    EXPECT_EQ(scene.nodes[find(scene, "b")->parent].name, "a");
}

TEST(ThreedsNode, CirclesAndMissingParentsAreDissolved)
{
    const auto scene =
        load_valid(file(triangle("a") + triangle("b") + triangle("c"),
                        node(0, "a", 1, tracks()) + node(1, "b", 0, tracks()) + node(2, "c", 77, tracks()) +
                            node(3, "nothing", no_parent, tracks())));
    EXPECT_EQ(scene.nodes.size(), 4u);
    EXPECT_THAT(codes(scene), HasSubstr("parent_cycle"));
    EXPECT_THAT(codes(scene), HasSubstr("missing_parent"));
    EXPECT_THAT(codes(scene), HasSubstr("missing_object"));
}

TEST(ThreedsNode, DeepNestingIsRejected)
{
    std::string nodes;
    for (int i = 0; i < 600; ++i)
        nodes += node(i, "$$$DUMMY", i == 0 ? no_parent : i - 1);
    const auto loaded = load_3ds_bytes(file(triangle("a"), nodes));
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().code, LoadErrc::limit_exceeded);
    EXPECT_EQ(loaded.error().detail, "the nesting of nodes: more than the limit depth = 512");
}

TEST(ThreedsNode, PivotsAndInstancesShareOneMesh)
{
    const std::string pivot = chunk(0xB013, floats({1, 0, 0}));
    const auto scene = load_valid(file(
        mesh_at(1, 0, 0), node(0, "o", no_parent, instance("left") + pivot + tracks()) +
                              node(1, "o", no_parent, instance("right") + pivot + tracks(position(4, 0, 0))) +
                              node(2, "o", no_parent, tracks(position(0, 9, 0)))));
    EXPECT_EQ(scene.meshes.size(), 1u);
    EXPECT_NE(find(scene, "o.left"), nullptr);
    EXPECT_NE(find(scene, "o.right"), nullptr);
    EXPECT_THAT(first_points(scene),
                UnorderedElementsAre(glm::vec3(0, 0, 0), glm::vec3(4, 0, 0), glm::vec3(1, 9, 0)))
        << "the third has no pivot";
}

TEST(ThreedsNode, ObjectsOfOneNameGoToItsNodesInOrder)
{
    const auto scene =
        load_valid(file(triangle("o") + mesh_at(3, 0, 0),
                        node(0, "o", no_parent, tracks()) + node(1, "o", no_parent, tracks())));
    EXPECT_THAT(first_points(scene), UnorderedElementsAre(glm::vec3(0, 0, 0), glm::vec3(3, 0, 0)));
}

TEST(ThreedsNode, DummiesCamerasAndLightsKeepTheirNames)
{
    const auto scene = load_valid(file(
        triangle("o"), node(0, "$$$DUMMY", no_parent, instance("hinge") + tracks()) +
                           node(1, "o", 0, tracks()) + node(2, "eye", no_parent, position(0, -5, 0), 0xB003) +
                           node(3, "eye", no_parent, position(0, 0, 0), 0xB004) +
                           node(4, "sun", no_parent, position(0, 0, 9), 0xB005)));
    for (const auto* name : {"hinge", "o", "eye", "eye.target", "sun"})
        EXPECT_NE(find(scene, name), nullptr) << name;
    EXPECT_EQ(first_points(scene).size(), 1u);
    EXPECT_EQ(codes(scene), "");
}

// The camera looks along its own -z: here along the file's y, with x to the right.
TEST(ThreedsNode, ChildrenOfACameraRotateWithIt)
{
    const auto scene =
        load_valid(file(triangle("o"), node(2, "eye", no_parent, position(0, -5, 0), 0xB003) +
                                           node(3, "eye", no_parent, position(0, 0, 0), 0xB004) +
                                           node(1, "o", 2, tracks(position(1, 2, -3)))));
    EXPECT_LT(glm::distance(first_points(scene).at(0), glm::vec3(1, -2, 2)), 1e-6f);
}

TEST(ThreedsNode, CameraWhoseTargetHasAnotherParentIsReported)
{
    const auto with_target_below = [](int parent) {
        return codes(
            load_valid(file(triangle("o"), node(1, "o", no_parent, tracks()) +
                                               node(2, "eye", no_parent, position(0, -5, 0), 0xB003) +
                                               node(3, "eye", parent, position(0, 0, 0), 0xB004))));
    };
    EXPECT_EQ(with_target_below(1), "camera_not_aimed");
    EXPECT_EQ(with_target_below(no_parent), "");
}

TEST(ThreedsNode, NodeWithoutTracksIsPlacedAtItsMesh)
{
    const auto scene =
        load_valid(file(mesh_at(2, 0, 0, matrix({0, 1, 0, -1, 0, 0, 0, 0, 1, 1, 0, 0})) + triangle("p"),
                        node(0, "p", no_parent, tracks(position(0, 0, 8))) + node(1, "o", 0)));
    const auto stands = [](const glm::vec3& p) { return glm::distance(p, glm::vec3(2, 0, 0)) < 1e-5f; };
    EXPECT_THAT(first_points(scene), testing::Contains(testing::ResultOf(stands, true)));
}

// Whatever its ancestors, in any order, with shear, next to a pivot or an instance with another one.
TEST(ThreedsNode, StaticNodesArePlacedWhereTheirMeshesAreStored)
{
    const std::string sheared = matrix({1, 0, 0, 0.5, 1, 0, 0, 0, 2, 4, 5, 6});
    const std::string turned = matrix({0, 1, 0, -1, 0, 0, 0, 0, 1, 1, 0, 0});
    const std::string pivot = chunk(0xB013, floats({1, 2, 3}));
    const std::string wide =
        tracks(position(0, 0, 8), track(0xB021, {{0, {0.5f, 0, 0, 1}}}), track(0xB022, {{0, {3, 1, 1}}}));
    const std::vector<std::string> keyframers = {
        node(0, "o", no_parent),
        node(0, "o", no_parent, pivot),
        node(0, "o", 1, pivot) + node(1, "p", no_parent, wide),
        node(1, "p", no_parent, wide) + node(0, "o", 1),
        node(0, "o", 1) + node(1, "p", 2, pivot) + node(2, "q", no_parent),
        node(0, "o", no_parent, pivot) + node(1, "o", no_parent, instance("again")),
    };
    for (const std::string& own : {sheared, turned, std::string()})
        for (const std::string& keyframer : keyframers) {
            const auto scene = load_valid(
                file(mesh_at(2, -1, 3, own) + triangle("p", turned) + triangle("q", sheared), keyframer));
            const auto stands = [](const glm::vec3& p) {
                return glm::distance(p, glm::vec3(2, -1, 3)) < 1e-4f;
            };
            const auto points = first_points(scene);
            EXPECT_EQ(std::ranges::count_if(points, stands), keyframer.contains("again") ? 2 : 1);
        }
}

// Each matrix was computed again from the root before.
TEST(ThreedsNode, ManyStillNodesAndCamerasAreFoundOnce)
{
    expect_work_below("20'000 nodes and cameras", 320'000'000, [] {
        std::string nodes = node(0, "o", no_parent);
        for (int i = 1; i < 20'000; ++i)
            nodes += node(i, "o", i % 500 == 0 ? 0 : i - 1) +
                     node(20'000 + i, "c" + std::to_string(i), no_parent, position(0, -5, 0), 0xB003);
        const auto scene = load_valid(file(mesh_at(2, -1, 3), nodes));
        for (const glm::vec3& point : first_points(scene))
            ASSERT_LT(glm::distance(point, glm::vec3(2, -1, 3)), 1e-4f);
    });
}

TEST(ThreedsNode, NonFinitePivotIsReported)
{
    const auto with_pivot = [](float x) {
        return codes(load_valid(
            file(triangle("o"), node(0, "o", no_parent, tracks() + chunk(0xB013, floats({x, 0, 0}))))));
    };
    EXPECT_EQ(with_pivot(NAN), "invalid_pivot");
    EXPECT_EQ(with_pivot(1.0f), "");
}

TEST(ThreedsNode, HiddenObjectsAreNotDrawn)
{
    const auto drawn = [](const std::string& bytes) { return first_points(load_valid(bytes)).size(); };
    const std::string mesh = points(triangle_points) + faces({0, 1, 2});
    EXPECT_EQ(drawn(file(object("o", mesh, chunk(0x4010, "")))), 0u);
    const auto hidden_node =
        chunk(0xB002, chunk(0xB010, text("o") + words({0x0800, 0, no_parent})) + tracks());
    EXPECT_EQ(drawn(file(triangle("o"), hidden_node)), 0u);
    const auto hide = track(0xB029, {{0, {}}});
    EXPECT_EQ(drawn(file(triangle("o"), node(0, "o", no_parent, tracks() + hide))), 0u) << "by its only key";
}

TEST(ThreedsNode, ObjectsThatNoNodeShowsStayInTheWorld)
{
    const auto scene = load_valid(
        file(triangle("p") + mesh_at(3, 0, 0), node(0, "p", no_parent, tracks(position(0, 0, 1)))));
    EXPECT_THAT(first_points(scene), UnorderedElementsAre(glm::vec3(0, 0, 1), glm::vec3(3, 0, 0)));
}

TEST(ThreedsNode, NamesUseTheFilesEncoding)
{
    const auto scene = load_valid(file(triangle("\x93\xAA") + triangle("\x83\x7B\x81\x5B\x83\x93")));
    EXPECT_EQ(scene.nodes[0].name, "\u982D");
    EXPECT_EQ(scene.nodes[1].name, "\u30DC\u30FC\u30F3");
}

TEST(ThreedsNode, TracksThatAreNotSupportedAreReported)
{
    const auto with_track = [](const std::string& track) {
        return codes(load_valid(file(triangle("o"), node(0, "o", no_parent, track))));
    };
    const auto morph = [](const std::vector<TestKey>& keys) { return tracks() + track(0xB026, keys); };
    EXPECT_EQ(with_track(morph({{0}, {9}})), "morph_track");
    EXPECT_EQ(with_track(morph({{0}})), "") << "it does not change";
    for (const int axis : {0x0100, 0x0200, 0x0400})
        EXPECT_EQ(with_track(tracks(track(0xB020, {{0, {0, 0, 0}}}, axis))), "unlinked_axis") << axis;
    EXPECT_EQ(with_track(tracks(track(0xB020, {{0, {0, 0, 0}}}, 0x0008))), "") << "locked, not unlinked";
}
