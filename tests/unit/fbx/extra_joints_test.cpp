// Skins with more than normalized weights: remainders, additive clusters with associate models, skins with
// animated visibility. Each is posed and compared with the formula, computed from the models' own matrices.

#include <algorithm>
#include <numbers>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "loaders/fbx/fbx.hpp"
#include "loaders/scene/motion/file_nodes.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/skinning/skinner.hpp"
#include "tests/support/load_model.hpp"
#include "tests/support/memory_source.hpp"

namespace vitrine {
namespace {

using testing::ElementsAre;

constexpr std::uint32_t nothing = scene::none;

std::string moved(double x, double y, double z)
{
    return fmt::format("*16 {{ a: 1,0,0,0,0,1,0,0,0,0,1,0,{},{},{},1 }}\n", x, y, z);
}

std::string lcl(const std::string& kind, const std::string& xyz)
{
    return "P: \"Lcl " + kind + "\", \"Lcl " + kind + "\", \"\", \"A\"," + xyz + "\n";
}

// Linear from one value to the other between 0 s and 2 s.
std::string linear_curve(int id, double from, double to)
{
    return fmt::format("AnimationCurve: {}, \"AnimCurve::\", \"\" {{ KeyTime: *2 {{ a: 0,92372316000 }}\n"
                       "KeyValueFloat: *2 {{ a: {},{} }}\nKeyAttrFlags: *1 {{ a: 4 }}\n"
                       "KeyAttrDataFloat: *4 {{ a: 0,0,0,0 }}\nKeyAttrRefCount: *1 {{ a: 2 }} }}\n",
                       id, from, to);
}

std::string animate(int node, int model, const std::string& property, const std::string& channel,
                    int linear_curve)
{
    return fmt::format("C: \"OO\",{0},51\nC: \"OP\",{0},{1}, \"{2}\"\nC: \"OP\",{4},{0}, \"d|{3}\"\n", node,
                       model, property, channel, linear_curve);
}

// A triangle (1: model, 2: geometry) at y = 1, under a root (10) with a limb (11) and a guide (12), all
// animated. Only the limb has weights, those of `cluster`.
scene::Scene load_cluster(const std::string& cluster, const std::string& connections = {},
                          const Limits& limits = Limits{})
{
    std::string nodes;
    for (const int id : {60, 61, 62, 63, 64})
        nodes += fmt::format("AnimationCurveNode: {}, \"AnimCurveNode::\", \"\" {{ }}\n", id);
    const std::string text =
        "; FBX 7.4.0 project file\nGlobalSettings: { Properties70: { P: \"UnitScaleFactor\", \"double\", "
        "\"Number\", \"\",100 } }\nObjects: {\nModel: 1, \"Model::m\", \"Mesh\" { Properties70: {\n" +
        lcl("Translation", "0,1,0") +
        "} }\nGeometry: 2, \"Geometry::g\", \"Mesh\" { Vertices: *9 { a: 0,0,0,1,0,0,0,1,0 }\n"
        "PolygonVertexIndex: *3 { a: 0,1,-3 } }\nDeformer: 3, \"Deformer::s\", \"Skin\" { }\n"
        "Deformer: 4, \"SubDeformer::a\", \"Cluster\" { " +
        cluster + "Transform: " + moved(-2, 1, -4) + "TransformLink: " + moved(2, 0, 4) +
        " }\nModel: 10, \"Model::root\", \"LimbNode\" { Properties70: {\n" + lcl("Translation", "0,0,4") +
        "} }\nModel: 11, \"Model::limb\", \"LimbNode\" { Properties70: {\n" + lcl("Translation", "2,0,0") +
        "} }\nModel: 12, \"Model::guide\", \"LimbNode\" { Properties70: {\n" + lcl("Translation", "0,3,0") +
        lcl("Scaling", "2,2,2") +
        "} }\nAnimationStack: 50, \"AnimStack::walk\", \"\" { }\nAnimationLayer: 51, \"AnimLayer::b\", \"\" "
        "{ }\n" +
        nodes + linear_curve(70, 0, 90) + linear_curve(71, 0, -60) + linear_curve(72, 3, 5) +
        linear_curve(73, 0, 8) + linear_curve(74, 1, 0) +
        "}\nConnections: {\nC: \"OO\",1,0\nC: \"OO\",2,1\nC: \"OO\",3,2\nC: \"OO\",4,3\nC: \"OO\",10,0\n"
        "C: \"OO\",11,10\nC: \"OO\",12,10\nC: \"OO\",11,4\nC: \"OO\",51,50\n" +
        animate(60, 10, "Lcl Rotation", "Y", 70) + animate(61, 11, "Lcl Rotation", "Z", 71) +
        animate(62, 12, "Lcl Translation", "Y", 72) + animate(63, 1, "Lcl Translation", "X", 73) +
        connections + "}\n";
    test::MemorySource source("m.fbx", {{"m.fbx", text}});
    return test::valid(load_fbx(source, limits));
}

std::string weights(const std::string& values, const std::string& mode)
{
    return "Mode: \"" + mode + "\"\nIndexes: *3 { a: 0,1,2 }\nWeights: *3 { a: " + values + " }\n";
}

std::uint32_t find(const scene::Scene& scene, std::string_view name)
{
    const auto found = std::ranges::find(scene.nodes, name, &scene::Node::name);
    return found == scene.nodes.end() ? nothing : static_cast<std::uint32_t>(found - scene.nodes.begin());
}

std::vector<glm::vec3> positions_at(const scene::Scene& scene, double time, scene::Pose& pose)
{
    scene::sample_pose(scene, 0, time, pose);
    return scene::Skinner(scene).skin(pose)[0].positions;
}

std::vector<std::string> codes(const scene::Scene& scene)
{
    std::vector<std::string> out;
    for (const scene::Warning& warning : scene.warnings)
        out.push_back(warning.code);
    return out;
}

glm::mat4 translation(float x, float y, float z)
{
    glm::mat4 m(1.0f);
    m[3] = {x, y, z, 1.0f};
    return m;
}

void expect_near(const glm::vec3& a, const glm::vec3& b)
{
    EXPECT_LT(glm::distance(a, b), 1e-5f)
        << a.x << ' ' << a.y << ' ' << a.z << " is not " << b.x << ' ' << b.y << ' ' << b.z;
}

// By the formula a cluster moves a mesh point to mesh * change * point.
void expect_rule(const scene::Scene& scene, auto matrix_of, float weight)
{
    ASSERT_EQ(scene.clips.size(), 1u);
    for (const double time : {0.0, 0.7, 2.0}) {
        scene::Pose pose;
        const glm::vec3 corner = positions_at(scene, time, pose).at(1);
        const glm::mat4 mesh = pose.model[find(scene, "m")];
        const glm::vec4 point(1.0f, 0.0f, 0.0f, 1.0f);
        const glm::vec4 by_cluster = matrix_of(pose, mesh) * point, stays = mesh * point;
        expect_near(corner, glm::vec3(weight * by_cluster + (1.0f - weight) * stays));
    }
}

TEST(FbxExtraJoints, RemainingAdditiveWeightStaysWithTheMesh)
{
    const auto scene = load_cluster(weights("1,0.25,0.5", "Additive"));
    EXPECT_THAT(codes(scene), ElementsAre());
    expect_rule(
        scene,
        [&](const scene::Pose& pose, const glm::mat4&) {
            return pose.model[find(scene, "limb")] * translation(-2, 1, -4);
        },
        0.25f);
    for (const std::string mode : {"Normalize", "Total1"}) {
        const auto shares = load_cluster(weights("1,0.25,0.5", mode));
        EXPECT_THAT(shares.meshes[0].influences.weights, ElementsAre(1, 1, 1)) << mode;
    }
}

TEST(FbxExtraJoints, WeightsAboveOneReplaceTheMesh)
{
    const auto scene = load_cluster(weights("4,1,0.999999", "Additive"));
    EXPECT_THAT(scene.meshes[0].influences.weights, ElementsAre(1, 1, 1));
    EXPECT_EQ(scene.skins[0].joints.size(), 1u);
}

TEST(FbxExtraJoints, AdditiveClusterMovesAsSeenFromItsAssociate)
{
    const std::string bound = "TransformAssociateModel: *16 { a: 2,0,0,0,0,2,0,0,0,0,2,0,0,3,4,1 }\n";
    for (const std::string associate : {"AssociateModel: 12\n", "AssociateModel: \"Model::guide\"\n", ""}) {
        const auto scene = load_cluster(associate + bound + weights("1,0.25,0.5", "Additive"),
                                        associate.empty() ? "C: \"OO\",12,4\n" : "");
        EXPECT_THAT(codes(scene), ElementsAre()) << associate;
        const glm::mat4 reference = translation(0, 1, 0);
        const glm::mat4 guide = translation(0, 3, 4) * glm::mat4(glm::mat3(2.0f)); // as at bind time
        expect_rule(
            scene,
            [&](const scene::Pose& pose, const glm::mat4& mesh) {
                return mesh * glm::inverse(reference) * guide *
                       glm::inverse(pose.model[find(scene, "guide")]) * pose.model[find(scene, "limb")] *
                       glm::inverse(translation(2, 0, 4)) * reference;
            },
            0.25f);
        EXPECT_EQ(scene::file_node(scene, scene.skins[0].joints[0]), find(scene, "limb"));
        const std::set<std::string> files{"m", "root", "guide", "limb"};
        for (const scene::Node& node : scene.nodes)
            if (!scene::is_helper(node)) {
                EXPECT_TRUE(files.contains(node.name)) << node.name;
            }
    }
}

TEST(FbxExtraJoints, AssociateWithoutRoomForItsNodesIsIgnored)
{
    const auto scene =
        load_cluster("AssociateModel: 12\n" + weights("1,1,1", "Additive"), {}, Limits{.nodes = 5});
    EXPECT_THAT(codes(scene), ElementsAre("unsupported_link_mode"));
    EXPECT_EQ(scene.skins[0].joints.at(0), find(scene, "limb"));
}

const std::string hides =
    "C: \"OO\",64,51\nC: \"OP\",64,1, \"Visibility\"\nC: \"OP\",74,64, \"d|Visibility\"\n";

// Two points follow the limb, one the mesh; all three coincide while it is hidden.
TEST(FbxExtraJoints, HiddenMeshCollapsesToASkeletonPoint)
{
    const std::string cluster = "Indexes: *2 { a: 0,1 }\nWeights: *2 { a: 1,1 }\n";
    const auto hidden = load_cluster(cluster, hides), shown = load_cluster(cluster);
    EXPECT_THAT(codes(hidden), ElementsAre());
    ASSERT_EQ(hidden.skins.at(0).joints.size(), 1u);
    EXPECT_EQ(scene::file_node(hidden, hidden.skins[0].joints[0]), find(hidden, "limb"));
    EXPECT_EQ(hidden.nodes[find(hidden, "m.geometry")].skin, 0u);
    scene::Pose pose;
    const auto early = positions_at(hidden, 1.9, pose), reference = positions_at(shown, 1.9, pose);
    for (std::size_t i = 0; i < 3; ++i)
        expect_near(early[i], reference[i]);
    const auto gone = positions_at(hidden, 2.0, pose);
    EXPECT_EQ(gone[0], gone[1]);
    expect_near(gone[0], glm::vec3(pose.model[find(hidden, "limb")][3])); // at the skeleton
    expect_near(gone[2], glm::vec3(pose.model[find(hidden, "m")][3]));
}

TEST(FbxExtraJoints, SkinOfSeveralJointsHidesAtTheirCommonParent)
{
    const std::string cluster = "Indexes: *2 { a: 0,1 }\nWeights: *2 { a: 1,1 } }\n"
                                "Deformer: 5, \"SubDeformer::b\", \"Cluster\" { Indexes: *1 { a: 2 }\n"
                                "Weights: *1 { a: 1 }\n";
    // The second cluster gets the following content; the first gets its bind matrix from the static pose.
    const std::string both = hides + "C: \"OO\",5,3\nC: \"OO\",12,5\n";
    const auto hidden = load_cluster(cluster, both);
    const auto shown = load_cluster(cluster, "C: \"OO\",5,3\nC: \"OO\",12,5\n");
    scene::Pose pose;
    const auto early = positions_at(hidden, 1.0, pose), reference = positions_at(shown, 1.0, pose);
    for (std::size_t i = 0; i < 3; ++i)
        expect_near(early[i], reference[i]);
    for (const glm::vec3& point : positions_at(hidden, 2.0, pose))
        expect_near(point, glm::vec3(pose.model[find(hidden, "root")][3]));
    EXPECT_EQ(hidden.nodes[hidden.skins.at(0).joints.at(1)].name, "guide");
    EXPECT_EQ(hidden.skins.size(), 2u) << "this and the loose joints";
}

// A second model shows the same geometry and stays visible.
TEST(FbxExtraJoints, SkinThatAnotherModelShowsStaysThere)
{
    const auto scene =
        load_cluster("Indexes: *3 { a: 0,1,2 }\nWeights: *3 { a: 1,1,1 } }\nModel: 30, \"Model::twin\", "
                     "\"Mesh\" { Properties70: { }\n",
                     hides + "C: \"OO\",30,0\nC: \"OO\",2,30\n");
    const std::uint32_t hidden = scene.nodes[find(scene, "m.geometry")].skin,
                        stays = scene.nodes[find(scene, "twin")].skin;
    ASSERT_NE(hidden, nothing);
    ASSERT_NE(stays, nothing);
    EXPECT_NE(hidden, stays);
    EXPECT_EQ(scene.skins[stays].joints.at(0), find(scene, "limb"));
}

TEST(FbxExtraJoints, SkinWithoutRoomForCopiesIsShownThroughout)
{
    const auto scene =
        load_cluster("Indexes: *1 { a: 0 }\nWeights: *1 { a: 1 }\n", hides, Limits{.nodes = 5});
    EXPECT_THAT(codes(scene), ElementsAre("fbx_visibility_animated"));
}

} // namespace
} // namespace vitrine
