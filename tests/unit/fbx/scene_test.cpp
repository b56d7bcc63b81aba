// Whole files, from text to the scene: nodes and what becomes of scales, clips, axes.

#include <glm/gtc/matrix_transform.hpp>
#include <gmock/gmock.h>

#include "loaders/fbx/fbx.hpp"
#include "loaders/fbx/visibility.hpp"
#include "loaders/scene/pose.hpp"
#include "loaders/scene/validate.hpp"
#include "tests/support/memory_source.hpp"

namespace vitrine {
namespace {

using testing::ElementsAre;

scene::Scene load(const std::string& text, const OutsideKeys& outside = {})
{
    test::MemorySource source("model.fbx", {{"model.fbx", text}});
    auto loaded = load_fbx_outside(source, Limits{}, outside);
    EXPECT_TRUE(loaded) << loaded.error().where << ": " << loaded.error().detail;
    if (!loaded) return {};
    const auto valid = scene::validate(*loaded);
    EXPECT_TRUE(valid) << valid.error().where << ": " << valid.error().detail;
    return *std::move(loaded);
}

std::string version_7(const std::string& objects, const std::string& connections,
                      const std::string& settings = {})
{
    return "; FBX 7.4.0 project file\nFBXHeaderExtension: { FBXVersion: 7400 }\n"
           "GlobalSettings: { Properties70: {\n P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",100\n" +
           settings + " } }\nObjects: {\n" + objects + "}\nConnections: {\n" + connections + "}\n";
}

std::string model(int id, const std::string& name, const std::string& properties = {})
{
    return "Model: " + std::to_string(id) + ", \"Model::" + name + "\", \"Null\" { Properties70: {\n" +
           properties + "} }\n";
}

std::string vec3(const std::string& name, const std::string& xyz)
{
    return "P: \"" + name + "\", \"Vector3D\", \"Vector\", \"A\"," + xyz + "\n";
}

std::string inherit(int type)
{
    return "P: \"InheritType\", \"enum\", \"\", \"\"," + std::to_string(type) + "\n";
}

// A linear curve; times in seconds.
std::string curve(int id, const std::string& times, const std::string& values, const std::string& ends = {})
{
    const auto count = std::to_string(1 + std::ranges::count(times, ','));
    std::string in_ticks, at;
    for (const char c : times + ",") {
        if (c != ',') {
            at += c;
            continue;
        }
        in_ticks += std::to_string(std::stoll(at) * 46'186'158'000) + ",";
        at.clear();
    }
    in_ticks.pop_back();
    return "AnimationCurve: " + std::to_string(id) + ", \"AnimCurve::\", \"\" { KeyTime: *" + count +
           " { a: " + in_ticks + " } KeyValueFloat: *" + count + " { a: " + values +
           " } KeyAttrFlags: *1 { a: 4 } KeyAttrDataFloat: *4 { a: 0,0,0,0 } KeyAttrRefCount: *1 { a: " +
           count + " } " + ends + " }\n";
}

std::string node(int id)
{
    return "AnimationCurveNode: " + std::to_string(id) + ", \"AnimCurveNode::T\", \"\" { }\n";
}

const std::string stack = "AnimationStack: 90, \"AnimStack::walk\", \"\" { Properties70: {\n"
                          "P: \"LocalStart\", \"KTime\", \"Time\", \"\",46186158000\n"
                          "P: \"LocalStop\", \"KTime\", \"Time\", \"\",138558474000\n} }\n"
                          "AnimationLayer: 91, \"AnimLayer::base\", \"\" { }\n";
const std::string stack_connections = "C: \"OO\",91,90\n";

std::uint32_t find(const scene::Scene& scene, std::string_view name)
{
    for (std::uint32_t n = 0; n < scene.nodes.size(); ++n)
        if (scene.nodes[n].name == name) return n;
    ADD_FAILURE() << "no node " << name;
    return 0;
}

glm::mat4 model_matrix(const scene::Scene& scene, std::string_view name, double time = -1.0)
{
    scene::Pose pose;
    if (time < 0.0)
        scene::rest_pose(scene, pose);
    else
        scene::sample_curves(scene, 0, time, scene::Outside::extrapolated, pose);
    return pose.model[find(scene, name)];
}

void expect_near(const glm::mat4& found, const glm::mat4& wanted)
{
    for (int c = 0; c < 4; ++c)
        for (int r = 0; r < 4; ++r)
            EXPECT_NEAR(found[c][r], wanted[c][r], 2e-5f) << "column " << c << " row " << r;
}

glm::mat4 moved(float x, float y, float z)
{
    return glm::translate(glm::mat4(1.0f), {x, y, z});
}
glm::mat4 turned_z(float degrees)
{
    return glm::rotate(glm::mat4(1.0f), glm::radians(degrees), {0, 0, 1});
}
glm::mat4 scaled(float x, float y, float z)
{
    return glm::scale(glm::mat4(1.0f), {x, y, z});
}

// A stretched parent and a child turned by 30 degrees, itself stretched.
scene::Scene stretched(int type)
{
    return load(
        version_7(model(1, "parent", vec3("Lcl Scaling", "2,1,1") + vec3("Lcl Translation", "5,0,0")) +
                      model(2, "child",
                            vec3("Lcl Translation", "1,2,3") + vec3("Lcl Rotation", "0,0,30") +
                                vec3("Lcl Scaling", "1,3,1") + inherit(type)),
                  "C: \"OO\",1,0\nC: \"OO\",2,1\n"));
}

TEST(FbxScene, PlainInheritanceMultipliesMatrices)
{
    const scene::Scene scene = stretched(1);
    EXPECT_EQ(scene.nodes.size(), 2u);
    expect_near(model_matrix(scene, "child"),
                moved(5, 0, 0) * scaled(2, 1, 1) * moved(1, 2, 3) * turned_z(30) * scaled(1, 3, 1));
}

TEST(FbxScene, ScalesMayComeAfterAllRotations)
{
    const scene::Scene scene = stretched(0);
    expect_near(model_matrix(scene, "child"),
                moved(5, 0, 0) * moved(2, 2, 3) * turned_z(30) * scaled(2, 3, 1));
    expect_near(model_matrix(scene, "parent.scale"), moved(5, 0, 0) * scaled(2, 1, 1));
}

TEST(FbxScene, AParentsScaleMayBeLeftOut)
{
    const scene::Scene scene = stretched(2);
    expect_near(model_matrix(scene, "child"),
                moved(5, 0, 0) * moved(2, 2, 3) * turned_z(30) * scaled(1, 3, 1));
}

TEST(FbxScene, AnEvenScaleNeedsNoHelper)
{
    const scene::Scene scene = load(version_7(
        model(1, "parent", vec3("Lcl Scaling", "2,2,2")) +
            model(2, "child", vec3("Lcl Translation", "1,0,0") + vec3("Lcl Scaling", "1,3,1") + inherit(2)) +
            model(3, "grandchild",
                  vec3("Lcl Translation", "1,1,0") + vec3("Lcl Scaling", "5,1,1") + inherit(2)),
        "C: \"OO\",1,0\nC: \"OO\",2,1\nC: \"OO\",3,2\n"));
    expect_near(model_matrix(scene, "child.scale"), moved(2, 0, 0) * scaled(1, 3, 1));
    expect_near(model_matrix(scene, "grandchild"), moved(2, 0, 0) * moved(1, 3, 0) * scaled(5, 1, 1));
    EXPECT_EQ(scene.nodes[find(scene, "parent")].local.scale, glm::vec3(2.0f));
}

TEST(FbxScene, ChainsOfScalesAreInheritedOnce)
{
    const scene::Scene scene = load(version_7(
        model(1, "a", vec3("Lcl Scaling", "2,1,1")) +
            model(2, "b", vec3("Lcl Rotation", "0,0,90") + vec3("Lcl Scaling", "1,3,1") + inherit(0)) +
            model(3, "c", vec3("Lcl Translation", "1,1,1") + vec3("Lcl Scaling", "1,1,4") + inherit(0)) +
            model(4, "d", vec3("Lcl Translation", "1,1,1") + inherit(2)),
        "C: \"OO\",1,0\nC: \"OO\",2,1\nC: \"OO\",3,2\nC: \"OO\",4,3\n"));
    const glm::mat4 b = turned_z(90);
    const glm::mat4 c = b * moved(2, 3, 1);
    expect_near(model_matrix(scene, "b.scale"), b * scaled(2, 3, 1));
    expect_near(model_matrix(scene, "c.scale"), c * scaled(2, 3, 4));
    expect_near(model_matrix(scene, "d"), c * moved(2, 3, 4) * scaled(2, 3, 1));
}

TEST(FbxScene, AnAnimatedScaleReachesChildrenAsItShould)
{
    const scene::Scene scene = load(version_7(
        model(1, "parent") +
            model(2, "child",
                  vec3("Lcl Translation", "1,2,3") + vec3("Lcl Rotation", "0,0,30") + inherit(2)) +
            stack + node(80) + curve(81, "1,3", "1,5"),
        stack_connections + "C: \"OO\",1,0\nC: \"OO\",2,1\nC: \"OO\",80,91\nC: \"OP\",80,1, \"Lcl Scaling\"\n"
                            "C: \"OP\",81,80, \"d|X\"\n"));
    expect_near(model_matrix(scene, "child", 1.0), moved(3, 2, 3) * turned_z(30));
    expect_near(model_matrix(scene, "parent.scale", 1.0), scaled(3, 1, 1));
}

TEST(FbxScene, StacksBecomeClipsOnTheFilesTimeLine)
{
    const scene::Scene scene = load(
        version_7(model(1, "box", vec3("Lcl Translation", "7,8,9")) + stack + node(80) +
                      curve(81, "0,4", "0,40") + curve(82, "2", "5"),
                  stack_connections + "C: \"OO\",1,0\nC: \"OO\",80,91\nC: \"OP\",80,1, \"Lcl Translation\"\n"
                                      "C: \"OP\",81,80, \"d|X\"\nC: \"OP\",82,80, \"d|Z\"\n",
                  "P: \"TimeMode\", \"enum\", \"\", \"\",6\n"));
    ASSERT_EQ(scene.clips.size(), 1u);
    const scene::Clip& clip = scene.clips[0];
    EXPECT_EQ(clip.name, "walk");
    EXPECT_EQ(clip.start_time, 1.0);
    EXPECT_EQ(clip.duration, 2.0);
    EXPECT_EQ(clip.frame_rate, 30.0);
    EXPECT_EQ(clip.frames, 61u);
    ASSERT_EQ(clip.channels.size(), 1u);
    EXPECT_THAT(clip.channels[0].times, ElementsAre(-1.0f, 3.0f));
    EXPECT_THAT(clip.channels[0].values, ElementsAre(0, 8, 5, 40, 8, 5));
    expect_near(model_matrix(scene, "box", 0.5), moved(15, 8, 5));
    expect_near(model_matrix(scene, "box"), moved(7, 8, 9));
}

TEST(FbxScene, CurvesWithoutAStackMakeAClip)
{
    const scene::Scene scene =
        load(version_7(model(1, "box") + node(80) + curve(81, "1,3", "0,40"),
                       "C: \"OO\",1,0\nC: \"OP\",80,1, \"Lcl Translation\"\nC: \"OP\",81,80, \"d|X\"\n"));
    ASSERT_EQ(scene.clips.size(), 1u);
    EXPECT_EQ(scene.clips[0].start_time, 1.0);
    EXPECT_EQ(scene.clips[0].duration, 2.0);
    EXPECT_EQ(scene.warnings.at(0).code, "fbx_no_stack");
}

TEST(FbxScene, PivotsMoveATurningNode)
{
    const scene::Scene scene = load(version_7(
        model(1, "door", vec3("RotationPivot", "1,0,0") + "P: \"RotationActive\", \"bool\", \"\", \"\",1\n") +
            stack + node(80) + curve(81, "1,3", "0,170"),
        stack_connections + "C: \"OO\",1,0\nC: \"OO\",80,91\nC: \"OP\",80,1, \"Lcl Rotation\"\n"
                            "C: \"OP\",81,80, \"d|Z\"\n"));
    for (const float time : {0.0f, 0.37f, 1.0f, 1.9f})
        expect_near(model_matrix(scene, "door", double{time}),
                    moved(1, 0, 0) * turned_z(85.0f * time) * moved(-1, 0, 0));
}

TEST(FbxScene, MutedLayersCountNothing)
{
    const std::string layers = "AnimationStack: 90, \"AnimStack::walk\", \"\" { }\n"
                               "AnimationLayer: 91, \"AnimLayer::base\", \"\" { }\n"
                               "AnimationLayer: 92, \"AnimLayer::more\", \"\" { }\n"
                               "AnimationLayer: 93, \"AnimLayer::muted\", \"\" { Properties70: {\n"
                               "P: \"Mute\", \"bool\", \"\", \"\",1\n} }\n";
    const scene::Scene scene = load(version_7(
        model(1, "box") + layers + node(80) + node(82) + node(84) + curve(81, "0,2", "0,2") +
            curve(83, "0", "10") + curve(85, "0", "100"),
        "C: \"OO\",91,90\nC: \"OO\",92,90\nC: \"OO\",93,90\nC: \"OO\",1,0\nC: \"OO\",80,91\nC: \"OO\",82,92\n"
        "C: \"OO\",84,93\nC: \"OP\",80,1, \"Lcl Translation\"\nC: \"OP\",82,1, \"Lcl Translation\"\n"
        "C: \"OP\",84,1, \"Lcl Translation\"\nC: \"OP\",81,80, \"d|X\"\nC: \"OP\",83,82, \"d|X\"\n"
        "C: \"OP\",85,84, \"d|X\"\n"));
    expect_near(model_matrix(scene, "box", 1.0), moved(11, 0, 0));
}

// Whatever a property rests at, the first layer that is heard says its value.
TEST(FbxScene, WarnsOfWhatElseWouldMoveANode)
{
    const auto codes = [](const std::string& properties, const std::string& more = {}) {
        const scene::Scene scene = load(version_7(
            model(1, "box", properties) + model(2, "target") + stack + node(80) + curve(81, "0,2", "0,50"),
            stack_connections +
                "C: \"OO\",1,0\nC: \"OO\",2,0\nC: \"OO\",80,91\n"
                "C: \"OP\",80,1, \"Lcl Rotation\"\nC: \"OP\",81,80, \"d|X\"\n" +
                more));
        std::vector<std::string> found;
        for (const scene::Warning& warning : scene.warnings)
            found.push_back(warning.code);
        return found;
    };
    const std::string active = "P: \"RotationActive\", \"bool\", \"\", \"\",1\n";
    const std::string limit = "P: \"RotationMaxX\", \"bool\", \"\", \"\",1\n";
    EXPECT_THAT(codes(active + limit + vec3("RotationMax", "40,0,0")), ElementsAre("fbx_limits"));
    EXPECT_THAT(codes(active + limit + vec3("RotationMax", "60,0,0")), ElementsAre()) << "never reached";
    EXPECT_THAT(codes(limit + vec3("RotationMax", "40,0,0")), ElementsAre()) << "switched off";
    EXPECT_THAT(codes("P: \"QuaternionInterpolate\", \"enum\", \"\", \"\",2\n"),
                ElementsAre("fbx_quaternion_curves"));
    EXPECT_THAT(codes("", "C: \"OP\",2,1, \"LookAtProperty\"\n"), ElementsAre("unsupported_constraint"));
}

TEST(FbxScene, TheFirstHeardLayerIsTheBase)
{
    const std::string layers = "AnimationStack: 90, \"AnimStack::walk\", \"\" { }\n"
                               "AnimationLayer: 91, \"AnimLayer::base\", \"\" { Properties70: {\n"
                               "P: \"Mute\", \"bool\", \"\", \"\",1\n} }\n"
                               "AnimationLayer: 92, \"AnimLayer::more\", \"\" { }\n";
    const scene::Scene scene = load(
        version_7(model(1, "box", vec3("Lcl Scaling", "2,2,2")) + layers + node(80) + curve(81, "0,2", "3,5"),
                  "C: \"OO\",91,90\nC: \"OO\",92,90\nC: \"OO\",1,0\nC: \"OO\",80,92\n"
                  "C: \"OP\",80,1, \"Lcl Scaling\"\nC: \"OP\",81,80, \"d|X\"\n"));
    expect_near(model_matrix(scene, "box", 1.0), scaled(4, 2, 2));
}

TEST(FbxScene, ExtrapolationStaysWithTheChannel)
{
    const scene::Scene scene = load(
        version_7(model(1, "box") + stack + node(80) +
                      curve(81, "1,2", "0,6", "Post-Extrapolation: { Type: A  Repetition: 2 }"),
                  stack_connections + "C: \"OO\",1,0\nC: \"OO\",80,91\nC: \"OP\",80,1, \"Lcl Translation\"\n"
                                      "C: \"OP\",81,80, \"d|X\"\n"));
    EXPECT_EQ(scene.clips[0].channels[0].after.mode, scene::ExtrapolationMode::repeat_offset);
    EXPECT_EQ(scene.clips[0].channels[0].after.repeats, 2u);
    expect_near(model_matrix(scene, "box", 1.5), moved(9, 0, 0));
    expect_near(model_matrix(scene, "box", 9.0), moved(18, 0, 0));
}

// A cycle, a slope and a held curve of different lengths share a channel: its keys go on where any of them
// does.
TEST(FbxScene, EndsAreHeldCurveByCurve)
{
    const std::string text = version_7(
        model(1, "box") + stack + node(80) +
            curve(81, "1,2", "0,6", "Post-Extrapolation: { Type: R  Repetition: -1 }") +
            curve(82, "1,3", "0,6",
                  "Pre-Extrapolation: { Type: K  Repetition: -1 } Post-Extrapolation: { Type: K  Repetition: "
                  "-1 }") +
            curve(83, "0,4", "1,5"),
        stack_connections + "C: \"OO\",1,0\nC: \"OO\",80,91\nC: \"OP\",80,1, \"Lcl Translation\"\n"
                            "C: \"OP\",81,80, \"d|X\"\nC: \"OP\",82,80, \"d|Y\"\nC: \"OP\",83,80, \"d|Z\"\n");
    // The clip starts at second 1.
    for (const auto& [time, x, y, z] : {std::tuple(0.5, 3.f, 1.5f, 2.5f), std::tuple(1.5, 3.f, 4.5f, 3.5f),
                                        std::tuple(2.5, 3.f, 7.5f, 4.5f), std::tuple(4.5, 3.f, 13.5f, 5.f)})
        expect_near(model_matrix(load(text), "box", time), moved(x, y, z));
    for (const auto& [time, x, y, z] : {std::tuple(0.5, 3.f, 1.5f, 2.5f), std::tuple(1.5, 6.f, 4.5f, 3.5f),
                                        std::tuple(2.5, 6.f, 6.f, 4.5f), std::tuple(4.5, 6.f, 6.f, 5.f)})
        expect_near(model_matrix(load(text, {.held = true}), "box", time), moved(x, y, z));
}

TEST(FbxScene, ACountedSlopeIsHeld)
{
    for (const auto& [count, wanted] : {std::pair("-1", 54.0f), std::pair("0", 6.0f), std::pair("2", 6.0f)}) {
        const scene::Scene scene = load(version_7(
            model(1, "box") + stack + node(80) +
                curve(81, "1,2", "0,6",
                      std::string("Post-Extrapolation: { Type: K  Repetition: ") + count + " }"),
            stack_connections + "C: \"OO\",1,0\nC: \"OO\",80,91\nC: \"OP\",80,1, \"Lcl Translation\"\n"
                                "C: \"OP\",81,80, \"d|X\"\n"));
        expect_near(model_matrix(scene, "box", 9.0), moved(wanted, 0, 0));
    }
}

TEST(FbxScene, TakesOfVersion6AreClips)
{
    const scene::Scene scene = load(R"(; FBX 6.1.0 project file
FBXHeaderExtension: { FBXVersion: 6100 }
Objects: {
    Model: "Model::box", "Null" { Properties60: { Property: "Lcl Translation", "Lcl Translation", "A+",1,2,3 } }
    GlobalSettings: { Properties60: { Property: "UnitScaleFactor", "double", "",100 } }
}
Connections: { Connect: "OO", "Model::box", "Model::Scene" }
Takes: {
    Take: "jump" {
        LocalTime: 46186158000,92372316000
        Model: "Model::box" {
            Channel: "Transform" {
                Channel: "T" {
                    Channel: "X" { Default: 1 KeyVer: 4005 KeyCount: 2
                        Key: 46186158000,0,L,92372316000,10,L }
                    Channel: "Y" { Default: 4 }
                }
                Channel: "R" { Channel: "Z" { KeyVer: 4005 KeyCount: 1 Key: 0,90,C,s } }
            }
        }
    }
}
)");
    ASSERT_EQ(scene.clips.size(), 1u);
    EXPECT_EQ(scene.clips[0].name, "jump");
    EXPECT_EQ(scene.clips[0].start_time, 1.0);
    expect_near(model_matrix(scene, "box", 0.5), moved(5, 4, 3) * turned_z(90));
}

// Static values are the channels' defaults, and a take's channel without keys says another.
TEST(FbxScene, Version5KeepsTransformsInChannels)
{
    const scene::Scene scene = load(R"(; FBX 5.0.0 project file
FBXHeaderExtension: { FBXVersion: 5000 }
Model: "box" {
    Type: "Null"
    Channel: "Transform" {
        Channel: "T" { Channel: "X" { Default: 100 } Channel: "Y" { Default: 200 } Channel: "Z" { Default: 300 } }
        Channel: "R" { Channel: "X" { Default: 0 } Channel: "Y" { Default: 0 } Channel: "Z" { Default: 90 } }
    }
    Channel: "Visibility" { Default: 0 }
}
Takes: {
    Take: "jump" {
        LocalTime: 0,46186158000
        Model: "box" {
            Channel: "Transform" {
                Channel: "T" { Channel: "X" { Default: 100 KeyVer: 4004 KeyCount: 2
                    Key: 0,0,L,46186158000,100,L } Channel: "Y" { Default: 700 } Channel: "Z" { Default: 0 } }
                Channel: "R" { Channel: "X" { Default: 0 } Channel: "Y" { Default: 0 } Channel: "Z" { Default: 0 } }
            }
        }
    }
}
)");
    expect_near(model_matrix(scene, "box"), moved(1, 2, 3) * turned_z(90));
    EXPECT_FALSE(scene.nodes[find(scene, "box")].visible);
    ASSERT_EQ(scene.clips.size(), 1u);
    expect_near(model_matrix(scene, "box", 0.5), moved(0.5f, 7, 0));
}

TEST(FbxScene, AxesAndUnitsComeFromTheSettings)
{
    const auto axis = [](const char* name, int value) {
        return "P: \"" + std::string(name) + "\", \"int\", \"Integer\", \"\"," + std::to_string(value) + "\n";
    };
    const scene::Scene scene =
        load(version_7(model(1, "box", vec3("Lcl Translation", "1,2,3")), "C: \"OO\",1,0\n",
                       axis("UpAxis", 2) + axis("UpAxisSign", 1) + axis("FrontAxis", 1) +
                           axis("FrontAxisSign", -1) + axis("CoordAxis", 0) + axis("CoordAxisSign", 1) +
                           "P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",2.54\n"));
    EXPECT_NEAR(scene.file_space.unit_metres, 0.0254, 1e-12);
    expect_near(model_matrix(scene, "box"), moved(0.0254f, 0.0762f, -0.0508f));
    const scene::Scene broken = load(version_7(model(1, "box"), "C: \"OO\",1,0\n", axis("UpAxis", 0)));
    EXPECT_EQ(broken.file_space.axes, glm::mat3(1.0f));
    EXPECT_EQ(broken.warnings.at(0).code, "fbx_axes_invalid");
}

TEST(FbxScene, CirclesAndStraysBecomeRoots)
{
    const scene::Scene scene =
        load(version_7(model(1, "a") + model(2, "b") + model(3, "stray"), "C: \"OO\",1,2\nC: \"OO\",2,1\n"));
    EXPECT_EQ(scene.nodes.size(), 3u);
}

TEST(FbxScene, HiddenNodesHideWhatIsBelow)
{
    const std::string hide = "P: \"Visibility\", \"Visibility\", \"\", \"A\",0\n";
    const std::string alone = "P: \"Visibility Inheritance\", \"Visibility Inheritance\", \"\", \"\",0\n";
    const scene::Scene scene = load(version_7(model(1, "a", hide) + model(2, "b") + model(3, "c", alone),
                                              "C: \"OO\",1,0\nC: \"OO\",2,1\nC: \"OO\",3,1\n"));
    EXPECT_FALSE(scene.nodes[find(scene, "a")].visible);
    EXPECT_FALSE(scene.nodes[find(scene, "b")].visible);
    EXPECT_TRUE(scene.nodes[find(scene, "c")].visible);
}

std::vector<std::string> codes(const scene::Scene& scene)
{
    std::vector<std::string> out;
    for (const scene::Warning& warning : scene.warnings)
        out.push_back(warning.code);
    return out;
}

// A triangle under a parent that is shown from `shows`, both models as given; 9 is the triangle.
scene::Scene coming_and_going(const std::string& parent, const std::string& child, const std::string& values,
                              const std::string& more = {}, const std::string& objects = {})
{
    const std::string triangle = "Geometry: 9, \"Geometry::g\", \"Mesh\" { Vertices: *9 { a: "
                                 "0,0,0,1,0,0,0,1,0 } PolygonVertexIndex: *3 { a: 0,1,-3 } }\n";
    return load(version_7(model(1, "above", parent) + model(2, "a", child) + triangle + objects + stack +
                              node(80) + curve(81, "1,2,3", values),
                          stack_connections +
                              "C: \"OO\",1,0\nC: \"OO\",2,1\nC: \"OO\",9,2\nC: \"OO\",80,91\n"
                              "C: \"OP\",80,1, \"Visibility\"\nC: \"OP\",81,80, "
                              "\"d|Visibility\"\n" +
                              more));
}

TEST(FbxScene, WhatComesAndGoesIsScaledToNothing)
{
    const std::string hidden = "P: \"Visibility\", \"Visibility\", \"\", \"A\",0\n";
    const scene::Scene scene = coming_and_going(hidden, vec3("GeometricScaling", "2,2,2"), "0,1,0");
    EXPECT_THAT(codes(scene), ElementsAre());
    const std::uint32_t holder = find(scene, "a.geometry");
    EXPECT_NE(scene.nodes[holder].mesh, scene::none);
    EXPECT_TRUE(scene.nodes[holder].visible);
    ASSERT_EQ(scene.clips.size(), 1u);
    ASSERT_EQ(scene.clips[0].channels.size(), 1u);
    const scene::Channel& channel = scene.clips[0].channels[0];
    EXPECT_EQ(channel.node, holder);
    EXPECT_EQ(channel.interpolation, scene::Interpolation::step);
    // The curve rises from 0 at once, at the start of the clip, and is back at 0 two seconds later.
    EXPECT_THAT(channel.times, ElementsAre(-1.0f, 0.0f, 2.0f));
    EXPECT_THAT(channel.values, ElementsAre(0, 0, 0, 2, 2, 2, 0, 0, 0));
}

TEST(FbxScene, VisibilityIsTakenFromAboveWhereItIsInherited)
{
    EXPECT_EQ(coming_and_going("", "", "1,1,1").nodes.size(), 2u); // nothing goes
    const std::string alone = "P: \"Visibility Inheritance\", \"Visibility Inheritance\", \"\", \"\",0\n";
    const scene::Scene stays = coming_and_going("", alone, "1,0,0");
    EXPECT_EQ(stays.nodes.size(), 2u);
    EXPECT_EQ(stays.clips.size(), 1u);                          // it has keys
    const std::string too = "C: \"OP\",80,2, \"Visibility\"\n"; // hidden twice is hidden
    const auto channels = coming_and_going("", "", "1,0,0", too).clips.at(0).channels;
    ASSERT_EQ(channels.size(), 1u);
    EXPECT_THAT(channels[0].times, ElementsAre(0.0f, 1.0f));
}

TEST(FbxScene, WhatIsShownByBothIsShown)
{
    const fbx::Toggles blinks{true, {1, 2, 3, 4}}, comes{false, {2, 3.5}};
    const fbx::Toggles shown = fbx::both(blinks, comes);
    EXPECT_FALSE(shown.shown_at_first);
    EXPECT_THAT(shown.times, ElementsAre(2, 3));
    EXPECT_THAT(fbx::both(comes, blinks).times, ElementsAre(2, 3));
    EXPECT_THAT(fbx::both(blinks, {true, {}}).times, ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(fbx::both(blinks, {false, {}}).times, ElementsAre());
}

TEST(FbxScene, CamerasAndLightsAreWarnedOfOnce)
{
    const auto attribute = [](int id, const std::string& kind) {
        return "NodeAttribute: " + std::to_string(id) + ", \"NodeAttribute::\", \"" + kind + "\" { }\n";
    };
    EXPECT_THAT(codes(load(version_7(attribute(1, "Camera") + attribute(2, "Light") + attribute(3, "Camera") +
                                         attribute(4, "Null"),
                                     ""))),
                ElementsAre("cameras_ignored", "lights_ignored"));
    const std::string old = "; FBX 6.1.0 project file\nFBXHeaderExtension: { FBXVersion: 6100 }\nObjects: {\n"
                            "Model: \"Model::Producer Top\", \"Camera\" { }\n";
    EXPECT_THAT(codes(load(old + "}\n")), ElementsAre());
    EXPECT_THAT(codes(load(old + "Model: \"Model::eye\", \"Camera\" { }\n}\n")),
                ElementsAre("cameras_ignored"));
}

TEST(FbxScene, MovingColoursAreAWarning)
{
    const std::string material =
        "Material: 5, \"Material::m\", \"\" { Properties70: { P: \"DiffuseColor\", \"Color\", "
        "\"\", \"A\",1,1,1 } }\n";
    const auto with = [&](const std::string& values) {
        return load(version_7(model(1, "a") + material + stack + node(80) + curve(81, "1,2", values),
                              stack_connections + "C: \"OO\",1,0\nC: \"OO\",80,91\nC: \"OP\",80,5, "
                                                  "\"DiffuseColor\"\nC: \"OP\",81,80, \"d|X\"\n"));
    };
    EXPECT_THAT(codes(with("0,1")), ElementsAre("fbx_material_animated"));
    EXPECT_THAT(codes(with("1,1")), ElementsAre());
    // It has keys, so it counts as a clip.
    const scene::Scene scene = with("0,1");
    ASSERT_EQ(scene.clips.size(), 1u);
    EXPECT_EQ(scene.clips[0].name, "walk");
    EXPECT_EQ(scene.clips[0].duration, 2.0);
    EXPECT_EQ(scene.clips[0].channels.size(), 1u);
    EXPECT_EQ(scene.clips[0].channels[0].values, (std::vector<float>{0, 0, 0}));
}

TEST(FbxScene, ModelsInACircleAreAWarning)
{
    const scene::Scene scene = load(
        version_7(model(1, "a") + model(2, "b") + model(3, "self") + model(4, "fine") + model(5, "loose"),
                  "C: \"OO\",1,2\nC: \"OO\",2,1\nC: \"OO\",3,3\nC: \"OO\",4,0\nC: \"OO\",4,1\n"));
    EXPECT_THAT(codes(scene), ElementsAre("node_cycle", "node_cycle"));
    EXPECT_EQ(scene.nodes.size(), 5u);
}

TEST(FbxScene, TransformsWithoutNumbersAreAWarning)
{
    const scene::Scene scene =
        load(version_7(model(1, "a", vec3("Lcl Translation", "1,1.#QNAN,3") + vec3("Lcl Scaling", "2,2,2")),
                       "C: \"OO\",1,0\n"));
    EXPECT_THAT(codes(scene), ElementsAre("non_finite"));
    EXPECT_EQ(scene.nodes[0].local.scale, glm::vec3(2.0f));
}

TEST(FbxScene, RefusalsNameTheirLimit)
{
    const std::string mesh =
        "Geometry: 7, \"Geometry::g\", \"Mesh\" { Vertices: *9 { a: 0,0,0,1,0,0,0,1,0 } PolygonVertexIndex: "
        "*3 "
        "{ a: 0,1,-3 } }\nMaterial: 8, \"Material::a\", \"\" { }\nMaterial: 9, \"Material::b\", \"\" { }\n";
    const std::string text =
        version_7(model(1, "a") + model(2, "b") + mesh, "C: \"OO\",1,0\nC: \"OO\",2,1\nC: \"OO\",7,1\n");
    const auto refusal = [&](auto member, std::uint32_t number) {
        Limits limits;
        limits.*member = number;
        test::MemorySource source("model.fbx", {{"model.fbx", text}});
        const auto loaded = load_fbx(source, limits);
        return loaded ? "loaded" : loaded.error().detail;
    };
    EXPECT_THAT(refusal(&Limits::nodes, 1), testing::HasSubstr("nodes = 1"));
    EXPECT_THAT(refusal(&Limits::nodes, 0), testing::HasSubstr("nodes = 0"));
    EXPECT_THAT(refusal(&Limits::depth, 1), testing::HasSubstr("depth = 1"));
    EXPECT_THAT(refusal(&Limits::materials, 1), testing::HasSubstr("materials = 1"));
    EXPECT_THAT(refusal(&Limits::vertices, 2), testing::HasSubstr("vertices = 2"));
    EXPECT_THAT(refusal(&Limits::indices, 2), testing::HasSubstr("indices = 2"));
    EXPECT_THAT(refusal(&Limits::meshes, 0), testing::HasSubstr("meshes = 0"));
    EXPECT_THAT(refusal(&Limits::file_bytes, 9), testing::HasSubstr("file_bytes = 9"));
}

TEST(FbxScene, PlacesThatCurvesMoveAreLimited)
{
    const std::string text = version_7(
        model(1, "a") + stack + node(80) + curve(81, "0,1", "0,1"),
        stack_connections + "C: \"OO\",1,0\nC: \"OO\",80,91\nC: \"OP\",81,80, \"d|X\"\n"
                            "C: \"OP\",80,1, \"Lcl Translation\"\nC: \"OP\",80,1, \"Lcl Scaling\"\n");
    test::MemorySource source("model.fbx", {{"model.fbx", text}});
    EXPECT_TRUE(load_fbx(source, {.key_values = 32}));
    const auto refused = load_fbx(source, {.key_values = 31});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().detail,
              "curves move properties in more than 1 places, a sixteenth of the limit key_values = 31");
}

TEST(FbxScene, RefusesChainsWithoutEnd)
{
    std::string models, connections = "C: \"OO\",1,0\n";
    for (int i = 1; i <= 40; ++i) {
        models += model(i, "n");
        connections += "C: \"OO\"," + std::to_string(i + 1) + "," + std::to_string(i) + "\n";
    }
    test::MemorySource source("model.fbx", {{"model.fbx", version_7(models, connections)}});
    Limits limits;
    limits.depth = 20;
    EXPECT_EQ(load_fbx(source, limits).error().code, LoadErrc::limit_exceeded);
}

} // namespace
} // namespace vitrine
