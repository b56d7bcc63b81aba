#include "vk_renderer/camera/view_parser.hpp"

#include <cstddef>
#include <string>

#include <gtest/gtest.h>

using namespace vitrine::render;

namespace {

glm::vec4 background(std::string_view text)
{
    std::optional<glm::vec4> color;
    EXPECT_TRUE(parse_background(text, color)) << text;
    return color.value_or(glm::vec4(-1.0f));
}

} // namespace

TEST(ViewParser, ParsesCamerasByNameAndByAngles)
{
    EXPECT_EQ(parse_camera("top")->pitch, 90.0f);
    EXPECT_EQ(parse_camera("side")->yaw, parse_camera("right")->yaw);
    const auto numbers = parse_camera("-30,12.5,4");
    ASSERT_TRUE(numbers);
    EXPECT_EQ(numbers->yaw, -30.0f);
    EXPECT_EQ(numbers->pitch, 12.5f);
    EXPECT_EQ(numbers->distance, 4.0f);
    EXPECT_FALSE(parse_camera("0,0")->distance);
    EXPECT_TRUE(parse_camera("auto")->automatic);
    EXPECT_FALSE(parse_camera("front")->automatic);
    for (const auto* wrong : {"", "up", "1", "1,", "1,2,3,4", "1,2,0", "1,2,-1", "1,2,1e10", "nan,0", "0,inf",
                              "1e7,0", "1,2,nan", "1 ,2"})
        EXPECT_FALSE(parse_camera(wrong)) << wrong;
    EXPECT_NE(camera_words().find("three-quarter"), std::string::npos);
}

TEST(ViewParser, ParsesBackgrounds)
{
    EXPECT_EQ(background("transparent"), glm::vec4(0.0f));
    EXPECT_EQ(background("white"), glm::vec4(1.0f));
    EXPECT_EQ(background("black"), glm::vec4(0.0f, 0.0f, 0.0f, 1.0f));
    EXPECT_EQ(background("#FF0033"), glm::vec4(1.0f, 0.0f, 0.2f, 1.0f));
    EXPECT_EQ(background("ff003300"), glm::vec4(1.0f, 0.0f, 0.2f, 0.0f));
    std::optional<glm::vec4> chosen = glm::vec4(1.0f);
    EXPECT_TRUE(parse_background("studio", chosen));
    EXPECT_FALSE(chosen);
    chosen = glm::vec4(0.5f);
    for (const auto* wrong : {"", "blue", "#fff", "#12345", "#1234567", "#12345g", "#-12345", "##123456"}) {
        EXPECT_FALSE(parse_background(wrong, chosen)) << wrong;
        EXPECT_EQ(chosen, glm::vec4(0.5f)) << wrong;
    }
}

// The flags are the first members of Overlays, one byte each.
static_assert(sizeof(bool) == 1 && offsetof(Overlays, debug_view) == overlay_words.size(),
              "each flag of Overlays has a row in overlay_words");

TEST(ViewParser, EachOverlayHasAWord)
{
    for (const auto& [word, flag] : overlay_words) {
        const auto overlays = parse_overlays(word);
        ASSERT_TRUE(overlays) << word;
        EXPECT_TRUE((*overlays).*flag) << word;
        EXPECT_TRUE(overlays_help().contains(word)) << word;
    }
    for (const auto& [word, view] : debug_view_words)
        EXPECT_EQ(parse_overlays(word)->debug_view, view) << word;
    EXPECT_EQ(overlays_help(), "wireframe, skeleton, names, normals, tangents, bounds, trails, joint_boxes, "
                               "trails:JOINT, and one of uv, xray, weights, weights:JOINT (a node number or "
                               "name), separated by commas");
}

TEST(ViewParser, ParsesGhosts)
{
    EXPECT_EQ(parse_ghosts("3"), (Ghosts{.before = 3, .after = 3, .step = 0.1}));
    EXPECT_EQ(parse_ghosts("3,0"), (Ghosts{.before = 3, .after = 0, .step = 0.1}));
    EXPECT_EQ(parse_ghosts("0,16@2.5"), (Ghosts{.before = 0, .after = 16, .step = 2.5}));
    EXPECT_EQ(parse_ghosts("0")->count(), 0u);
    for (const auto* text : {"", "x", "-1", "1,2,3", "17", "1,17", "1@", "1@0", "1@-1", "1@61", "1@nan",
                             "1@inf", "1,", ",1", "@0.1", "1 ", "1e3", "99999999999", "1@0.1@0.2"})
        EXPECT_FALSE(parse_ghosts(text)) << text;
    EXPECT_EQ(ghosts_text(*parse_ghosts("3")), "3,3@0.1");
    EXPECT_EQ(parse_ghosts(ghosts_text({.before = 1, .after = 2, .step = 1.0 / 3.0}))->step, 1.0 / 3.0);
    EXPECT_TRUE(ghosts_words().contains("0 to 16"));
}

TEST(ViewParser, ParsesOverlays)
{
    const auto two = parse_overlays("skeleton,bounds");
    ASSERT_TRUE(two);
    EXPECT_TRUE(two->skeleton && two->bounds && !two->wireframe && !two->normals);
    EXPECT_TRUE(parse_overlays("wireframe")->wireframe && parse_overlays("normals")->normals);
    EXPECT_TRUE(parse_overlays("tangents")->tangents);
    EXPECT_FALSE(parse_overlays("skeleton")->names);
    EXPECT_EQ(parse_overlays("names"), parse_overlays("skeleton,names"));
    EXPECT_TRUE(parse_overlays("names")->names && parse_overlays("names")->skeleton);
    EXPECT_EQ(parse_overlays("uv")->debug_view, DebugView::uv);
    EXPECT_EQ(parse_overlays("skeleton,xray")->debug_view, DebugView::xray);
    EXPECT_EQ(parse_overlays("weights")->joint, "");
    EXPECT_EQ(parse_overlays("weights:upper arm.L")->joint, "upper arm.L");
    EXPECT_FALSE(parse_overlays("")->skeleton || parse_overlays("none")->skeleton);
    EXPECT_FALSE(parse_overlays("skeleton,glow"));
    for (const auto* two_surfaces : {"uv,xray", "xray,weights", "weights:a,weights:b", "weights,weights:a"})
        EXPECT_FALSE(parse_overlays(two_surfaces)) << two_surfaces;
    EXPECT_EQ(parse_overlays("uv,bounds,uv")->debug_view, DebugView::uv);
    Overlays overlays;
    EXPECT_FALSE(add_overlay("none", overlays));
}

TEST(ViewParser, ParsesTrailsOfJoints)
{
    const auto trails = parse_overlays("trails:hand.L,skeleton,trails:5,trails:hand.L");
    ASSERT_TRUE(trails);
    EXPECT_TRUE(trails->trails && trails->skeleton);
    EXPECT_EQ(trails->trail_joints, (std::vector<std::string>{"hand.L", "5"}));
    EXPECT_TRUE(parse_overlays("trails")->trail_joints.empty());
    EXPECT_FALSE(parse_overlays("trails:"));
    std::string many = "trails:0";
    for (std::size_t i = 1; i < max_trail_joints; ++i)
        many += ",trails:" + std::to_string(i);
    EXPECT_TRUE(parse_overlays(many));
    EXPECT_TRUE(parse_overlays(many + ",trails:3")) << "once more";
    EXPECT_FALSE(parse_overlays(many + ",trails:16"));
}
