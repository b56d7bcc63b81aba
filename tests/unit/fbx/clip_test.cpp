// Complete files, from text to scene: stacks, layers and takes as clips, and extrapolation of curves.

#include <gmock/gmock.h>

#include "tests/unit/fbx/text_file.hpp"

namespace vitrine {
namespace {

using namespace test::fbx;
using testing::ElementsAre;

TEST(FbxClip, StacksBecomeClipsOnTheFilesTimeLine)
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

TEST(FbxClip, CurvesWithoutAStackMakeAClip)
{
    const scene::Scene scene =
        load(version_7(model(1, "box") + node(80) + curve(81, "1,3", "0,40"),
                       "C: \"OO\",1,0\nC: \"OP\",80,1, \"Lcl Translation\"\nC: \"OP\",81,80, \"d|X\"\n"));
    ASSERT_EQ(scene.clips.size(), 1u);
    EXPECT_EQ(scene.clips[0].start_time, 1.0);
    EXPECT_EQ(scene.clips[0].duration, 2.0);
    EXPECT_EQ(scene.warnings.at(0).code, "fbx_no_stack");
}

TEST(FbxClip, PivotsMoveATurningNode)
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

TEST(FbxClip, MutedLayersAreIgnored)
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

// The first layer that is not muted defines the value, whatever the property's static value.
TEST(FbxClip, FirstUnmutedLayerIsTheBase)
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

TEST(FbxClip, ExtrapolationStaysWithTheChannel)
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

// A cycle, a slope and a held curve of different lengths share a channel: its keys continue where any of them
// does.
TEST(FbxClip, EndsAreHeldCurveByCurve)
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
    // The clip starts at 1 s.
    for (const auto& [time, x, y, z] : {std::tuple(0.5, 3.f, 1.5f, 2.5f), std::tuple(1.5, 3.f, 4.5f, 3.5f),
                                        std::tuple(2.5, 3.f, 7.5f, 4.5f), std::tuple(4.5, 3.f, 13.5f, 5.f)})
        expect_near(model_matrix(load(text), "box", time), moved(x, y, z));
    for (const auto& [time, x, y, z] : {std::tuple(0.5, 3.f, 1.5f, 2.5f), std::tuple(1.5, 6.f, 4.5f, 3.5f),
                                        std::tuple(2.5, 6.f, 6.f, 4.5f), std::tuple(4.5, 6.f, 6.f, 5.f)})
        expect_near(model_matrix(load(text, {.policy = ExtrapolationPolicy::clamped}), "box", time),
                    moved(x, y, z));
}

// Together they repeat after 6 s; no channel can represent that.
TEST(FbxClip, PeriodsThatDifferAreSampledWithAWarning)
{
    const std::string again = "Post-Extrapolation: { Type: R  Repetition: -1 }";
    const auto load_curves = [&](const std::string& second) {
        return load(version_7(model(1, "box") + stack + node(80) + curve(81, "1,3", "0,6", again) + second,
                              stack_connections +
                                  "C: \"OO\",1,0\nC: \"OO\",80,91\nC: \"OP\",80,1, \"Lcl Translation\"\n"
                                  "C: \"OP\",81,80, \"d|X\"\nC: \"OP\",82,80, \"d|Y\"\n"));
    };
    const scene::Scene scene = load_curves(curve(82, "1,4", "0,6", again));
    EXPECT_THAT(codes(scene), testing::Contains("fbx_extrapolation_sampled"));
    expect_near(model_matrix(scene, "box", 31.0), moved(3, 2, 0));
    EXPECT_THAT(codes(load_curves(curve(82, "1,3", "0,6", again))),
                testing::Not(testing::Contains("fbx_extrapolation_sampled")));
}

// Two wheels rotate about all axes at 2 turns per second, with different periods.
TEST(FbxClip, FastRotationsExtrapolateExactly)
{
    const std::string on = "Pre-Extrapolation: { Type: K Repetition: -1 } "
                           "Post-Extrapolation: { Type: K Repetition: -1 }";
    const std::string again = "Pre-Extrapolation: { Type: R Repetition: -1 } "
                              "Post-Extrapolation: { Type: A Repetition: -1 }";
    std::string objects = stack, connections = stack_connections;
    for (int wheel = 1; wheel <= 2; ++wheel) {
        const int id = 100 * wheel;
        const auto text = [](int number) { return std::to_string(number); };
        objects += model(wheel, "wheel" + text(wheel)) + node(id) + curve(id + 1, "1,2", "-251,450", on) +
                   curve(id + 2, "1,3", "630,-685", again) + curve(id + 3, "0,2", "-602,810", again);
        connections += "C: \"OO\"," + text(wheel) + ",0\nC: \"OO\"," + text(id) + ",91\nC: \"OP\"," +
                       text(id) + "," + text(wheel) + ", \"Lcl Rotation\"\n";
        for (int axis = 1; axis <= 3; ++axis)
            connections +=
                "C: \"OP\"," + text(id + axis) + "," + text(id) + ", \"d|" + "XYZ"[axis - 1] + "\"\n";
    }
    const scene::Scene scene = load(version_7(objects, connections));
    EXPECT_THAT(codes(scene), testing::Not(testing::Contains("fbx_animation_coarse")));
}

TEST(FbxClip, CountedSlopeIsHeld)
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

TEST(FbxClip, TakesOfVersion6AreClips)
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

TEST(FbxClip, TakesOfMissingObjectsAreReported)
{
    const auto with_take_of = [](const std::string& object) {
        return load(R"(; FBX 6.1.0 project file
FBXHeaderExtension: { FBXVersion: 6100 }
Objects: { Model: "Model::box", "Null" { } }
Connections: { Connect: "OO", "Model::box", "Model::Scene" }
Takes: { Take: "jump" { LocalTime: 0,46186158000
    Model: ")" + object +
                    R"(" { Channel: "Transform" { Channel: "T" { Channel: "X" { KeyVer: 4005 KeyCount: 2
        Key: 0,0,L,46186158000,10,L } } } }
} }
)");
    };
    const scene::Scene missing = with_take_of("Model::gone");
    EXPECT_THAT(codes(missing), testing::Contains("fbx_unknown_animation_target"));
    EXPECT_THAT(codes(with_take_of("Model::box")),
                testing::Not(testing::Contains("fbx_unknown_animation_target")));
}

// Static values are channel defaults: the takes' override the model's own, the last take's override all.
TEST(FbxClip, Version5KeepsTransformsInChannels)
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
    Current: "jump"
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
    Take: "stand" {
        Model: "box" {
            Channel: "Transform" { Channel: "T" { Channel: "Z" { Default: 900 } } }
        }
    }
}
)");
    expect_near(model_matrix(scene, "box"), moved(1, 7, 9));
    EXPECT_FALSE(scene.nodes[find(scene, "box")].visible);
    ASSERT_FALSE(scene.clips.empty());
    expect_near(model_matrix(scene, "box", 0.5), moved(0.5f, 7, 0));
}

} // namespace
} // namespace vitrine
