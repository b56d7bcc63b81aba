// The skeleton: joints, end sites, names, and the spellings of files in the wild.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/bvh/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;

namespace {

std::vector<std::string> names_of(const scene::Scene& scene)
{
    std::vector<std::string> names;
    for (const scene::Node& node : scene.nodes)
        names.push_back(node.name);
    return names;
}

std::string bvh_error(const std::string& text, const Limits& limits = {})
{
    return error_text(try_bvh(text, limits));
}

} // namespace

TEST(BvhHierarchy, IsASkeletonWithoutMesh)
{
    const auto scene = load_bvh_text(arm_hierarchy + arm_motion);
    expect_source(scene, "bvh", 0, 0);
    EXPECT_TRUE(scene.meshes.empty());
    EXPECT_THAT(names_of(scene), testing::ElementsAre("Hips", "Arm", "Hand", "Hand_end", "Head", "Head_end"));
    ASSERT_EQ(scene.skins.size(), 1u);
    EXPECT_EQ(scene.skins[0].joints.size(), 6u);
    EXPECT_EQ(scene.skins[0].name, "wave");
    EXPECT_EQ(scene.nodes[3].parent, 2u);
    EXPECT_EQ(scene.nodes[4].parent, 0u);
    EXPECT_EQ(other_codes(scene), "");
}

TEST(BvhHierarchy, StaticPoseIsTheOffsets)
{
    auto scene = load_bvh_text(arm_hierarchy + arm_motion);
    const glm::mat4 bind = glm::inverse(scene.skins[0].inverse_bind[3]);
    EXPECT_LT(glm::distance(glm::vec3(bind[3]), glm::vec3(0.3f, 1.0f, 0.0f)), 1e-6f);
    scene.clips.clear();
    expect_place(joint_at(scene, 0.0, "Hand_end"), {30, 100, 0});
    for (const scene::Node& node : scene.nodes)
        EXPECT_EQ(node.local.rotation, glm::quat(1, 0, 0, 0)) << node.name;
}

TEST(BvhHierarchy, HasSeveralRoots)
{
    const auto scene = load_bvh_text(arm_hierarchy + "ROOT Prop\n{\nOFFSET 1 2 3\nCHANNELS 1 Xposition\n}\n"
                                                     "MOTION\nFrames: 1\nFrame Time: 1\n"
                                                     "0 0 0 0 0 0 0 0 0 0 0 7\n");
    EXPECT_EQ(scene.nodes.back().parent, scene::none);
    expect_place(joint_at(scene, 0.0, "Prop"), {7, 2, 3});
}

TEST(BvhHierarchy, AcceptsOtherSpellings)
{
    const std::string whole = arm_hierarchy + arm_motion;
    const auto expected = names_of(load_bvh_text(whole));
    std::string crlf, cr, lower, spread;
    for (const char c : whole) {
        crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
        cr += c == '\n' ? '\r' : c;
        spread += c == '\n' ? std::string("\n\n \t") : std::string(1, c);
    }
    for (const std::string& text : {crlf, cr, spread, "\xEF\xBB\xBF" + whole}) {
        const auto scene = load_bvh_text(text);
        EXPECT_EQ(names_of(scene), expected);
        ASSERT_EQ(scene.clips.size(), 1u);
        EXPECT_EQ(scene.clips[0].frames, 2u);
        EXPECT_EQ(other_codes(scene), "");
    }
    const auto lower_case = load_bvh_text(
        "hierarchy\nroot a {\noffset 0 1\n0\nchannels 1 zROTATION end site { offset 0 170 0 } }\nmotion\n"
        "frames:1\nframe time:0.5\n90\n");
    EXPECT_THAT(names_of(lower_case), testing::ElementsAre("a", "a_end"));
    expect_place(joint_at(lower_case, 0.0, "a_end"), {-170, 1, 0});
}

TEST(BvhHierarchy, KeepsNamesWithBlanksAndColons)
{
    const auto scene = load_bvh_text("HIERARCHY\nROOT mixamorig:Left Arm \t{\nOFFSET 0 0 0\nCHANNELS 0\n"
                                     "JOINT Sch\xC3\xBClter\n{\nOFFSET 0 170 0\nCHANNELS 0\n}\nJOINT\n{\n"
                                     "OFFSET 1 0 0\nCHANNELS 0\n}\n}\n");
    EXPECT_THAT(names_of(scene), testing::ElementsAre("mixamorig:Left Arm", "Sch\xC3\xBClter", ""));
    EXPECT_EQ(other_codes(scene), "bvh_no_motion");
}

TEST(BvhHierarchy, IsRecognizedByItsFirstWord)
{
    const auto recognized = [](std::string_view text) { return is_bvh(std::as_bytes(std::span(text))); };
    EXPECT_TRUE(recognized("HIERARCHY\nROOT a"));
    EXPECT_TRUE(recognized("\xEF\xBB\xBF\r\n hierarchy\r\n"));
    EXPECT_FALSE(recognized("HIERARCHYX"));
    EXPECT_FALSE(recognized("v 1 2 3"));
    EXPECT_FALSE(recognized(""));
}

TEST(BvhHierarchy, RejectsWithLineAndReason)
{
    const std::string root = "HIERARCHY\nROOT a\n{\n";
    EXPECT_EQ(bvh_error("MOTION\n"), "malformed at line 1: the file does not begin with HIERARCHY");
    EXPECT_EQ(bvh_error("HIERARCHY\nMOTION\n"), "empty at line 2: the file has no joint");
    EXPECT_EQ(bvh_error(root + "OFFSET 1 2\nCHANNELS 0\n}\n"),
              "malformed at line 5: 'CHANNELS' in OFFSET is not a number");
    EXPECT_EQ(bvh_error(root + "OFFSET 1,5 2 3\n}\n"),
              "malformed at line 4: '1,5' in OFFSET is not a number");
    EXPECT_EQ(bvh_error(root + "OFFSET 1 2"), "malformed at line 4: the file ends within OFFSET");
    EXPECT_EQ(bvh_error(root + "OFFSET 1 2 1e13"), "malformed at line 4: a number in OFFSET is too large");
    EXPECT_EQ(bvh_error(root + "CHANNELS 3 Xrotation\n}\n"),
              "malformed at line 4: CHANNELS declares 3 channels and names 1");
    EXPECT_EQ(bvh_error(root + "CHANNELS many\n}\n"),
              "malformed at line 4: 'many' is not a number of channels");
    EXPECT_EQ(bvh_error(root + "CHANNELS 1 Xrotation\nCHANNELS 1 Xrotation\n"),
              "malformed at line 5: a joint has CHANNELS twice");
    EXPECT_EQ(bvh_error(root + "JOINT b\n{\nCHANNELS 1 Xrotation\n}\nCHANNELS 1 Xrotation\n}\n"),
              "malformed at line 8: CHANNELS follows the children of its joint");
    EXPECT_EQ(bvh_error(root + "MOTION\n"), "malformed at line 4: the brace of the joint 'a' is not closed");
    EXPECT_EQ(bvh_error(root + "}\n}\n"), "malformed at line 5: '}' is not expected here");
    EXPECT_EQ(bvh_error("HIERARCHY\nROOT a\nOFFSET 0 0 0\n"),
              "malformed at line 3: a brace is missing after the name of a joint");
    EXPECT_EQ(bvh_error("HIERARCHY\nEnd Site\n{\n}\n"),
              "malformed at line 2: an End Site is outside of a joint");
    EXPECT_EQ(bvh_error("HIERARCHY\nOFFSET 0 0 0\n"), "malformed at line 2: OFFSET is outside of a joint");
    EXPECT_EQ(bvh_error("HIERARCHY\nCHANNELS 0\n"), "malformed at line 2: CHANNELS is outside of a joint");
}

TEST(BvhHierarchy, IsLimited)
{
    Limits limits;
    limits.joints = 5;
    EXPECT_EQ(bvh_error(arm_hierarchy, limits), "limit_exceeded at line 24: more than the limit joints = 5");
    limits = {};
    limits.nodes = 1;
    EXPECT_EQ(bvh_error(arm_hierarchy, limits), "limit_exceeded at line 6: more than the limit nodes = 1");
    limits = {};
    limits.depth = 1;
    std::string deep = "HIERARCHY\n";
    for (int i = 0; i < 33; ++i)
        deep += "JOINT a {\n";
    EXPECT_EQ(bvh_error(deep, limits),
              "limit_exceeded at line 34: the nesting of joints: more than the limit depth = 1");
}
