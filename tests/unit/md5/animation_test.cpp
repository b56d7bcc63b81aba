#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loaders/scene/skinning/skinner.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "tests/unit/md5/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;
using testing::HasSubstr;

namespace {

scene::Scene load_with(const std::string& animation, const std::string& mesh = arm_mesh)
{
    auto loaded = load_arm({{"arm.md5mesh", mesh}, {"wave.md5anim", animation}});
    EXPECT_TRUE(loaded) << loaded.error().where << ": " << loaded.error().detail;
    if (!loaded) return {};
    EXPECT_TRUE(scene::validate(*loaded)) << scene::validate(*loaded).error().detail;
    return *std::move(loaded);
}

// Position in scene space of the joint with this name.
glm::vec3 joint_at(const scene::Scene& scene, double time, std::string_view name)
{
    scene::Pose pose;
    scene::sample_pose(scene, 0, time, pose);
    for (std::size_t n = 0; n < scene.nodes.size(); ++n) {
        if (scene.nodes[n].name == name) return glm::vec3(pose.model[n][3]);
    }
    return glm::vec3(1e9f);
}

glm::vec3 vertex_at(const scene::Scene& scene, double time, std::size_t vertex)
{
    scene::Pose pose;
    scene::sample_pose(scene, 0, time, pose);
    return scene::Skinner(scene).skin(pose)[0].positions.at(vertex);
}

void expect_near(glm::vec3 found, glm::vec3 wanted)
{
    EXPECT_LT(glm::distance(found, wanted), 1e-5f) << found.x << " " << found.y << " " << found.z;
}

bool warned(const scene::Scene& scene, std::string_view code)
{
    return std::ranges::any_of(scene.warnings, [&](const auto& warning) { return warning.code == code; });
}

std::string skipped(const std::string& animation, const Limits& limits = {})
{
    const auto loaded = load_arm({{"arm.md5mesh", arm_mesh}, {"wave.md5anim", animation}}, limits);
    if (!loaded) return "rejected: " + loaded.error().detail;
    for (const auto& warning : loaded->warnings) {
        if (warning.code == "md5_animation_skipped") return warning.where + ": " + warning.message;
    }
    return "loaded";
}

} // namespace

TEST(Md5Animation, BecomesAClip)
{
    const scene::Scene scene = load_with(arm_animation);
    ASSERT_EQ(scene.clips.size(), 1u);
    const scene::Clip& clip = scene.clips[0];
    EXPECT_EQ(clip.name, "wave");
    EXPECT_EQ(clip.frames, 2u);
    EXPECT_EQ(clip.frame_rate, 2.0);
    EXPECT_EQ(clip.duration, 0.5);
    EXPECT_EQ(clip.channels.size(), 2u); // only base translates and tip rotates
    EXPECT_FALSE(warned(scene, "md5_bounds_differ"));
    expect_near(joint_at(scene, 0.5, "tip"), {2, 4, 0});
    // tip rotates from +X to +Y of the file, which is -Z of the scene.
    expect_near(vertex_at(scene, 0.0, 1), {3, 0, 0});
    expect_near(vertex_at(scene, 0.5, 1), {2, 4, -1});
    // Half of base's (2,1,4), half of tip's (2,0,4) + (0,1,0) rotated to (-1,0,0): (1,0,4) in the file.
    expect_near(vertex_at(scene, 0.5, 2), {1.5, 4, -0.5});
}

TEST(Md5Animation, FlagsTakeComponentsInOrder)
{
    auto text = replaced(arm_animation, "numAnimatedComponents 2", "numAnimatedComponents 4");
    text = replaced(text, "\"base\"\t-1 4 0", "\"base\"\t-1 5 2"); // Tx, Tz from component 2
    text = replaced(text, "\"tip\"\t0 32 1", "\"tip\"\t0 34 0");   // Ty, Qz from component 0
    text = replaced(text, "\t0 0\n", "\t0 0 0 0\n");
    text = replaced(text, "4 -0.70710678118", "7 0 -1 5");
    const scene::Scene scene = load_with(text);
    expect_near(joint_at(scene, 0.5, "base"), {-1, 5, 0});
    expect_near(joint_at(scene, 0.5, "tip"), {1, 5, -7});
}

TEST(Md5Animation, MatchesASubsetByName)
{
    // Only tip, after an unknown joint.
    const std::string text = R"(MD5Version 10
numFrames 2 numJoints 2 frameRate 24 numAnimatedComponents 1
hierarchy { "stranger" -1 0 0 "tip" -1 2 0 }
baseframe { ( 9 9 9 ) ( 0 0 0 ) ( 2 0 0 ) ( 0 0 0 ) }
frame 0 { 0 } frame 1 { 3 }
)";
    const scene::Scene scene = load_with(text);
    EXPECT_TRUE(warned(scene, "md5_joint_unknown"));
    expect_near(joint_at(scene, 1.0 / 24, "tip"), {2, 0, -3});
    expect_near(joint_at(scene, 1.0 / 24, "base"), {0, 0, 0});
}

TEST(Md5Animation, MatchesAnotherOrder)
{
    const std::string text = R"(MD5Version 10
numFrames 1 numJoints 2 frameRate 24 numAnimatedComponents 6
hierarchy { "tip" 1 63 0 "base" -1 0 0 }
baseframe { ( 0 0 0 ) ( 0 0 0 ) ( 5 0 0 ) ( 0 0 0 ) }
frame 0 { 1 2 3 0 0 0 }
)";
    const scene::Scene scene = load_with(text);
    expect_near(joint_at(scene, 0.0, "base"), {5, 0, 0});
    expect_near(joint_at(scene, 0.0, "tip"), {6, 3, -2});
    EXPECT_EQ(scene.clips[0].duration, 0.0);
}

TEST(Md5Animation, KeepsPlacesWhereParentsDiffer)
{
    // A root that the model lacks is in between: tip must still be at (10, 0, 0) + (3, 0, 0).
    const std::string text = R"(MD5Version 10
numFrames 2 numJoints 3 frameRate 1 numAnimatedComponents 1
hierarchy { "world" -1 1 0 "base" 0 0 0 "tip" 0 0 0 }
baseframe { ( 0 0 0 ) ( 0 0 0 ) ( 1 0 0 ) ( 0 0 0.70710678118 ) ( 3 0 0 ) ( 0 0 0 ) }
frame 0 { 0 } frame 1 { 10 }
)";
    const scene::Scene scene = load_with(text);
    EXPECT_TRUE(warned(scene, "md5_parents_differ"));
    expect_near(joint_at(scene, 0.0, "tip"), {3, 0, 0});
    expect_near(joint_at(scene, 1.0, "base"), {11, 0, 0});
    expect_near(joint_at(scene, 1.0, "tip"), {13, 0, 0});
}

TEST(Md5Animation, ConstantChannelIsOneKey)
{
    auto text = replaced(arm_animation, "( 2 0 0 )", "( 2 0 1 )");
    const scene::Scene scene = load_with(text);
    ASSERT_EQ(scene.clips[0].channels.size(), 3u);
    EXPECT_EQ(scene.clips[0].channels[1].times.size(), 1u);
    expect_near(joint_at(scene, 0.0, "tip"), {2, 1, 0});
}

TEST(Md5Animation, RestingClipStillHasAKey)
{
    auto text = replaced(arm_animation, "4 -0.70710678118", "0 0");
    const scene::Scene scene = load_with(text);
    ASSERT_EQ(scene.clips.size(), 1u);
    EXPECT_EQ(scene.clips[0].channels.size(), 1u);
    expect_near(joint_at(scene, 0.5, "tip"), {2, 0, 0});
}

TEST(Md5Animation, KeepsTheBoxesThatTheFileStates)
{
    const auto scene = load_arm({{"arm.md5mesh", arm_mesh}, {"arm.md5anim", arm_animation}}).value();
    const auto& boxes = scene.clips.at(0).declared_boxes;
    ASSERT_EQ(boxes.size(), 2u);
    EXPECT_EQ(boxes[0].min, glm::vec3(0, 0, -1)) << "Y up: (x, z, -y)";
    EXPECT_EQ(boxes[0].max, glm::vec3(3, 0, 0));
    EXPECT_EQ(boxes[1].min, glm::vec3(0, 4, -1));
    EXPECT_EQ(boxes[1].max, glm::vec3(2, 4, 0));
}

TEST(Md5Animation, ReportsWrongBounds)
{
    const scene::Scene scene = load_with(replaced(arm_animation, "( 3 1 0 )", "( 9 1 0 )"));
    EXPECT_TRUE(warned(scene, "md5_bounds_differ"));
}

// Invalid bounds of one frame that evenly spaced samples would miss.
TEST(Md5Animation, InvalidBoundsOfOneFrameAreReported)
{
    const auto is_reported = [](int odd) {
        std::string boxes = "bounds {\n", keys;
        for (int i = 0; i < 101; ++i) {
            boxes += i == odd ? "( -900 0 0 ) ( 3 1 0 )\n" : "( 0 0 0 ) ( 3 1 0 )\n";
            keys += "frame " + std::to_string(i) + " { 0 0 }\n";
        }
        std::string text = replaced(arm_animation, "numFrames 2", "numFrames 101");
        text.resize(text.find("frame 0"));
        text.replace(text.find("bounds {"), text.find("baseframe") - text.find("bounds {"), boxes + "}\n");
        return warned(load_with(text + keys), "md5_bounds_differ");
    };
    EXPECT_TRUE(is_reported(57));
    EXPECT_FALSE(is_reported(-1));
}

TEST(Md5Animation, ManyMakeManyClips)
{
    const auto loaded = load_arm({{"arm.md5mesh", arm_mesh},
                                  {"run.md5anim", arm_animation},
                                  {"Walk.MD5ANIM", arm_animation},
                                  {"other/jump.md5anim", arm_animation}});
    ASSERT_TRUE(loaded);
    ASSERT_EQ(loaded->clips.size(), 2u);
    EXPECT_EQ(loaded->clips[0].name, "Walk");
    EXPECT_EQ(loaded->clips[1].name, "run");
}

// An upload has folders; animations in one without a model apply to the model above it, or to every model.
TEST(Md5Animation, OfAnUploadComeFromItsFoldersToo)
{
    const auto clips_of = [](const std::string& main, std::map<std::string, std::string> files) {
        MemorySource source(main, std::move(files));
        source.make_whole_upload();
        std::string names;
        for (const auto& clip : load_md5(source, {}).value().clips)
            names += clip.name + " ";
        return names;
    };
    EXPECT_EQ(clips_of("m.md5mesh", {{"m.md5mesh", arm_mesh}, {"anims/walk.md5anim", arm_animation}}),
              "walk ");
    EXPECT_EQ(clips_of("a/m.md5mesh", {{"a/m.md5mesh", arm_mesh}, {"anims/walk.md5anim", arm_animation}}),
              "walk ");
    EXPECT_EQ(clips_of("a/m.md5mesh", {{"a/m.md5mesh", arm_mesh},
                                       {"b/n.md5mesh", arm_mesh},
                                       {"a/x/y/run.md5anim", arm_animation},
                                       {"b/x/walk.md5anim", arm_animation},
                                       {"c/jump.md5anim", arm_animation},
                                       {"all.md5anim", arm_animation}}),
              "run all jump ");
}

TEST(Md5Animation, AloneIsASkeletonWithAClip)
{
    MemorySource source("wave.md5anim", {{"wave.md5anim", arm_animation}});
    const auto loaded = load_md5(source, {});
    ASSERT_TRUE(loaded) << loaded.error().detail;
    ASSERT_TRUE(scene::validate(*loaded)) << scene::validate(*loaded).error().detail;
    EXPECT_EQ(loaded->nodes.size(), 2u);
    EXPECT_EQ(loaded->skins.at(0).joints.size(), 2u);
    EXPECT_EQ(loaded->clips.at(0).name, "wave");
    expect_near(joint_at(*loaded, 0.5, "tip"), {2, 4, 0});
}

TEST(Md5Animation, BadOneIsIgnoredWithTheReason)
{
    EXPECT_THAT(skipped(replaced(arm_animation, "numFrames 2", "numFrames 3")), HasSubstr("wave.md5anim: "));
    EXPECT_THAT(skipped(replaced(arm_animation, "frame 1", "frame 2")),
                HasSubstr("frame 2 is in a file with numFrames 2"));
    EXPECT_THAT(skipped(replaced(arm_animation, "frame 1", "frame 0")), HasSubstr("frame 0 is given twice"));
    EXPECT_THAT(skipped(replaced(arm_animation, "0 32 1", "0 48 1")),
                HasSubstr("line 11: the joint takes components 1 to 2 of 2"));
    EXPECT_THAT(skipped(replaced(arm_animation, "0 32 1", "7 32 1")), HasSubstr("line 11"));
    EXPECT_THAT(skipped(replaced(arm_animation, "0 32 1", "1 32 1")), HasSubstr("cycle"));
    EXPECT_THAT(skipped(replaced(arm_animation, "0 32 1", "0 64 1")), HasSubstr("flags"));
    EXPECT_THAT(skipped(replaced(arm_animation, "numFrames 2", "numFrames 4000000000")), HasSubstr("limit"));
    EXPECT_THAT(skipped(replaced(arm_animation, "4 -0.7", "4 x")), HasSubstr("line 25"));
    EXPECT_THAT(skipped("MD5Version 10 numFrames 0"), HasSubstr("no joints"));
    Limits limits;
    limits.key_values = 3;
    EXPECT_THAT(skipped(arm_animation, limits), HasSubstr("key_values = 3"));
}

TEST(Md5Animation, UnusableFrameRateBecomes24)
{
    const scene::Scene scene = load_with(replaced(arm_animation, "frameRate 2", "frameRate 0"));
    EXPECT_EQ(scene.clips[0].frame_rate, 24.0);
    ASSERT_TRUE(warned(scene, "md5_frame_rate"));
    const auto warning = std::ranges::find(scene.warnings, "md5_frame_rate", &scene::Warning::code);
    EXPECT_EQ(warning->where, "wave.md5anim: line 6");
}
