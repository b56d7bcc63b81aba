#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loaders/scene/validation/validate.hpp"
#include "tests/support/frame_reference.hpp"
#include "tests/unit/md3/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;
using testing::HasSubstr;

namespace {

// A part of `frames` frames: a triangle whose first corner is at z = frame, and tags at x = 100 * (frame +
// 1).
std::string part(const std::string& surface, std::uint32_t frames, const std::vector<std::string>& tags,
                 std::array<float, 9> axes = {1, 0, 0, 0, 1, 0, 0, 0, 1})
{
    Md3Model model;
    model.frames = frames;
    model.surfaces[0].name = surface;
    const auto frame = model.surfaces[0].frames[0];
    model.surfaces[0].frames.assign(frames, frame);
    for (std::uint32_t f = 0; f < frames; ++f) {
        model.surfaces[0].frames[f][0].position[2] = static_cast<std::int16_t>(64 * f);
        model.tags.emplace_back();
        for (const auto& tag : tags)
            model.tags.back().push_back({tag, {100.0f * static_cast<float>(f + 1), 0, 0}, axes});
    }
    return model.write();
}

// Forward becomes left, left becomes backwards: a quarter turn about Z of the file.
constexpr std::array<float, 9> quarter_turn{0, 1, 0, -1, 0, 0, 0, 0, 1};

std::map<std::string, std::string> player()
{
    return {{"p/lower.md3", part("l_legs", 4, {"tag_torso"}, quarter_turn)},
            {"p/upper.md3", part("u_torso", 6, {"tag_head", "tag_weapon", "tag_torso"})},
            {"p/head.md3", part("h_head", 1, {"tag_head"})},
            {"p/animation.cfg",
             "0 2 0 10 // BOTH_DEATH1\n2 2 0 20 // TORSO_GESTURE\n5 1 0 20 // TORSO_STAND\n"
             "4 2 2 10 // LEGS_WALK\n5 1 0 10 // LEGS_IDLE\n"}};
}

LoadResult<scene::Scene> load_player(std::map<std::string, std::string> files, bool whole = true,
                                     const Limits& limits = {})
{
    auto loaded = load_md3_files("p/lower.md3", std::move(files), limits, whole);
    if (loaded) EXPECT_TRUE(scene::validate(*loaded));
    return loaded;
}

std::uint32_t clip_named(const scene::Scene& scene, std::string_view name)
{
    const auto found = std::ranges::find(scene.clips, name, &scene::Clip::name);
    EXPECT_NE(found, scene.clips.end()) << name;
    return static_cast<std::uint32_t>(found - scene.clips.begin());
}

// Corner 0 of legs, torso, head.
std::vector<glm::vec3> corners(const scene::Scene& scene, std::string_view clip, double time)
{
    std::vector<glm::vec3> out;
    for (const auto& mesh : skin_at(scene, clip_named(scene, clip), time))
        out.push_back(glm::round(mesh.positions[0] * 1000.0f) / 1000.0f);
    return out;
}

TEST(Md3Player, PartsThatAClipDoesNotAnimateArePlaceholders)
{
    const auto scene = load_player(player()).value();
    const auto placeholders = [&](std::string_view name) {
        std::set<std::string> nodes;
        for (const auto& channel : scene.clips[clip_named(scene, name)].channels)
            if (channel.is_placeholder && channel.path == scene::Path::vertex_frame)
                nodes.insert(scene.nodes[channel.node].name);
        return nodes;
    };
    EXPECT_THAT(placeholders("LEGS_WALK"), testing::ElementsAre("u_torso"));
    EXPECT_THAT(placeholders("TORSO_GESTURE"), testing::ElementsAre("l_legs"));
    EXPECT_TRUE(placeholders("BOTH_DEATH1").empty());
}

} // namespace

TEST(Md3Player, IsConnectedByItsTags)
{
    const auto loaded = load_player(player());
    ASSERT_TRUE(loaded) << loaded.error().detail;
    EXPECT_EQ(loaded->meshes.size(), 3u);
    EXPECT_EQ(loaded->source_vertices, 9u);
    const auto node = [&](std::string_view name) {
        return *std::ranges::find(loaded->nodes, name, &scene::Node::name);
    };
    EXPECT_EQ(loaded->nodes[node("upper").parent].name, "tag_torso");
    EXPECT_EQ(loaded->nodes[node("head").parent].name, "tag_head");
    // The torso is at x = 100, rotated to the left; its head is 100 in front of it, so to the left.
    const auto at_rest = corners(*loaded, "BOTH_DEATH1", 0.0);
    EXPECT_EQ(at_rest, (std::vector<glm::vec3>{{0, 0, 0}, {100, 0, 0}, {100, 0, -100}}));
}

TEST(Md3Player, ClipsMoveTheNamedParts)
{
    const auto loaded = load_player(player());
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->clips.size(), 5u);
    using CornerPositions = std::vector<glm::vec3>;
    EXPECT_EQ(corners(*loaded, "BOTH_DEATH1", 0.1),
              (CornerPositions{{0, 1, 0}, {200, 1, 0}, {200, 0, -200}}));
    // Legs use LEGS_IDLE: frame 5 minus the two frames of the torso alone.
    EXPECT_EQ(corners(*loaded, "TORSO_GESTURE", 0.05),
              (CornerPositions{{0, 3, 0}, {400, 3, 0}, {400, 0, -400}}));
    // The torso uses TORSO_STAND, frame 5, while the legs walk from their frame 2.
    EXPECT_EQ(corners(*loaded, "LEGS_WALK", 0.0), (CornerPositions{{0, 2, 0}, {300, 5, 0}, {300, 0, -600}}));
    const auto& gesture = loaded->clips[clip_named(*loaded, "TORSO_GESTURE")];
    EXPECT_EQ(gesture.frame_rate, 20.0);
    EXPECT_EQ(gesture.frames, 2u);
    EXPECT_NEAR(gesture.duration, 0.05, 1e-12);
}

// frames * 100 is where frame f of the legs has the torso: tags run into their first frames, too.
TEST(Md3Player, LoopsRunFromTheirLastFrameIntoTheirFirst)
{
    auto files = player();
    files["p/animation.cfg"] = "0 2 0 10 // BOTH_DEATH1\n2 2 2 20 // TORSO_GESTURE\n5 1 1 20 // TORSO_STAND\n"
                               "4 2 2 10 // LEGS_WALK\n4 2 1 10 // LEGS_RUN\n";
    const auto loaded = load_player(files);
    ASSERT_TRUE(loaded);
    const auto duration = [&](std::string_view name) {
        return loaded->clips[clip_named(*loaded, name)].duration;
    };
    EXPECT_NEAR(duration("BOTH_DEATH1"), 0.1, 1e-12);
    EXPECT_NEAR(duration("TORSO_GESTURE"), 0.1, 1e-12);
    EXPECT_NEAR(duration("TORSO_STAND"), 0.0, 1e-12) << "one frame";
    EXPECT_NEAR(duration("LEGS_WALK"), 0.2, 1e-12);
    EXPECT_NEAR(duration("LEGS_RUN"), 0.1, 1e-12) << "only its last frame goes on";
    EXPECT_EQ(loaded->clips[clip_named(*loaded, "LEGS_WALK")].frames, 2u);
    const auto begin = corners(*loaded, "LEGS_WALK", 0.0), end = corners(*loaded, "LEGS_WALK", 0.2);
    const auto last = corners(*loaded, "LEGS_WALK", 0.1), between = corners(*loaded, "LEGS_WALK", 0.15);
    EXPECT_EQ(end, begin);
    EXPECT_NE(last, begin);
    for (std::size_t part = 0; part < begin.size(); ++part)
        EXPECT_LT(glm::distance(between[part], 0.5f * (last[part] + begin[part])), 2e-3f) << part;
}

TEST(Md3Player, FileWithoutAnimationsLoopsWhereItsFramesDo)
{
    const auto duration = [](std::vector<std::int16_t> heights) {
        Md3Model model;
        model.frames = static_cast<std::uint32_t>(heights.size());
        Md3Surface& surface = model.surfaces[0];
        const auto first = surface.frames[0];
        surface.frames.assign(heights.size(), first);
        for (std::size_t f = 0; f < heights.size(); ++f)
            surface.frames[f][0].position[2] = heights[f];
        const auto loaded = load_md3_files("flag.md3", {{"flag.md3", model.write()}});
        EXPECT_TRUE(loaded);
        EXPECT_EQ(loaded->clips.at(0).frames, heights.size());
        return loaded->clips.at(0).duration;
    };
    EXPECT_NEAR(duration({0, 64, 128, 64}), 4.0 / 15.0, 1e-12);
    EXPECT_NEAR(duration({0, 64, 128, 192}), 3.0 / 15.0, 1e-12);
}

TEST(Md3Player, AskedForAPartIsThatPartAlone)
{
    const auto loaded = load_player(player(), false);
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->meshes.size(), 1u);
    ASSERT_EQ(loaded->clips.size(), 1u);
    EXPECT_EQ(loaded->clips[0].frames, 4u);
    EXPECT_EQ(loaded->clips[0].frame_rate, 15.0);
}

TEST(Md3Player, HoldsAWeapon)
{
    auto files = player();
    files["p/railgun.md3"] = part("gun", 1, {});
    const auto loaded = load_player(files);
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->meshes.size(), 4u);
    const auto gun = std::ranges::find(loaded->nodes, "railgun", &scene::Node::name);
    ASSERT_NE(gun, loaded->nodes.end());
    EXPECT_EQ(loaded->nodes[gun->parent].name, "tag_weapon");
}

TEST(Md3Player, LevelsOfDetailAreNotShown)
{
    auto files = player();
    for (const auto* name : {"lower", "upper", "head"})
        files[std::string("p/") + name + "_1.md3"] = part("low", 1, {"tag_torso", "tag_head"});
    const auto loaded = load_player(files);
    EXPECT_EQ(loaded->meshes.size(), 6u);
    EXPECT_EQ(scene::find_instances(*loaded).size(), 3u);
}

TEST(Md3Player, WithoutAnimationsHasOneClip)
{
    auto files = player();
    files.erase("p/animation.cfg");
    const auto loaded = load_player(files);
    ASSERT_EQ(loaded->clips.size(), 1u);
    EXPECT_EQ(loaded->clips[0].frames, 6u);
    EXPECT_EQ(loaded->clips[0].frame_rate, 15.0);
}

TEST(Md3Player, OmitsUnattachableParts)
{
    auto files = player();
    files["p/head.md3"] = "IDP3";
    auto loaded = load_player(files);
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->meshes.size(), 2u);
    EXPECT_THAT(codes(*loaded), HasSubstr("md3_part_skipped"));
    files = player();
    files["p/lower.md3"] = part("l_legs", 4, {});
    loaded = load_player(files);
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->meshes.size(), 1u);
    EXPECT_THAT(codes(*loaded), HasSubstr("md3_part_skipped"));
    EXPECT_EQ(std::ranges::count(loaded->warnings, "md3_part_skipped", &scene::Warning::code), 2)
        << "the head hangs on the torso";
}

// No part or clip is dropped instead.
TEST(Md3Player, IsRejectedWhereAPartPassesALimit)
{
    const auto detail = [](const Limits& limits) {
        const auto loaded = load_player(player(), true, limits);
        return loaded ? std::string("loaded") : loaded.error().detail;
    };
    EXPECT_THAT(detail({.meshes = 2}), HasSubstr("more than the limit meshes = 2"));
    EXPECT_THAT(detail({.materials = 1}), HasSubstr("shaders: more than the limit materials = 1"));
    EXPECT_EQ(detail({.clips = 3}), "5 clips: more than the limit clips = 3");
}

TEST(Md3Player, FramesThatAreMissingShortenAClip)
{
    auto files = player();
    files["p/animation.cfg"] = "0 9 0 10 // BOTH_DEATH1\n90 5 0 10 // LEGS_WALK\n";
    const auto loaded = load_player(files);
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->clips.at(0).frames, 6u);
    EXPECT_EQ(loaded->clips.at(1).frames, 1u);
    EXPECT_THAT(codes(*loaded), HasSubstr("md3_frames_missing"));
}

TEST(Md3Player, SinglePartHasTheClipsOfItsAnimationConfig)
{
    const std::string config = "1 2 0 10 // TORSO_WAVE\n3 3 0 20 // LEGS_RUN\n";
    const auto alone = load_md3_files("p/droid.md3", {{"p/droid.md3", part("body", 6, {})},
                                                      {"p/droid_1.md3", part("body", 6, {})},
                                                      {"p/animation.cfg", config}});
    ASSERT_TRUE(alone);
    ASSERT_EQ(alone->clips.size(), 2u);
    EXPECT_EQ(corners(*alone, "TORSO_WAVE", 0.1), (std::vector<glm::vec3>{{0, 2, 0}}));
    EXPECT_EQ(corners(*alone, "LEGS_RUN", 0.1), (std::vector<glm::vec3>{{0, 5, 0}}));
    const auto legs = load_md3_files("p/lower.md3",
                                     {{"p/lower.md3", part("legs", 6, {})},
                                      {"p/animation.cfg", "0 1 0 9 // TORSO_STAND\n1 2 0 9 // LEGS_WALK\n"}});
    ASSERT_TRUE(legs);
    ASSERT_EQ(legs->clips.size(), 1u);
    EXPECT_EQ(legs->clips[0].name, "LEGS_WALK");
}

TEST(Md3Player, AnimationConfigBesideSeveralModelsIsNotUsed)
{
    const std::map<std::string, std::string> files{{"p/gun.md3", part("gun", 6, {})},
                                                   {"p/other.md3", part("other", 6, {})},
                                                   {"p/animation.cfg", "1 2 0 10 // WALK\n"}};
    for (const bool whole : {true, false}) {
        const auto loaded = load_md3_files("p/gun.md3", files, {}, whole);
        ASSERT_TRUE(loaded);
        ASSERT_EQ(loaded->clips.size(), 1u);
        EXPECT_EQ(loaded->clips[0].name, "gun");
    }
}
