#include <gtest/gtest.h>

#include "loaders/scene/lookup.hpp"

using namespace vitrine::scene;

namespace {

Scene scene_with_clips(std::initializer_list<const char*> names)
{
    Scene scene;
    for (const char* name : names)
        scene.clips.emplace_back().name = name;
    return scene;
}

// -1: there is none, -2: several.
int found(const Scene& scene, std::string_view wanted, ClipLookup lookup)
{
    const auto clip = find_clip(scene, wanted, lookup);
    if (clip) return static_cast<int>(*clip);
    return clip.error() == ClipLookupError::no_such_clip ? -1 : -2;
}

} // namespace

TEST(ClipId, IsCAndTheIndex)
{
    EXPECT_EQ(clip_id(0), "c0");
    EXPECT_EQ(clip_id(17), "c17");
    const auto scene = scene_with_clips({"a", "a", "a"});
    EXPECT_EQ(found(scene, "c2", ClipLookup::exact), 2);
    EXPECT_EQ(found(scene, "2", ClipLookup::exact), 2);
    for (const char* text : {"3", "c3", "", "c", "cc1", "1x", "-1", "c-1", "99999999999"})
        EXPECT_EQ(found(scene, text, ClipLookup::exact), -1) << text;
}

TEST(ClipLookup, ExactTakesTheIdFirst)
{
    const auto scene = scene_with_clips({"walk", "0", "c0", "run", "run", "Idle"});
    const auto at = [&](std::string_view wanted) { return found(scene, wanted, ClipLookup::exact); };
    EXPECT_EQ(at("0"), 0) << "an index before a name";
    EXPECT_EQ(at("c0"), 0) << "an id before a name";
    EXPECT_EQ(at("c4"), 4);
    EXPECT_EQ(at("walk"), 0);
    EXPECT_EQ(at("run"), -2);
    EXPECT_EQ(at("wal"), -1) << "no part of a name";
    EXPECT_EQ(at("idle"), -1) << "case counts";
    EXPECT_EQ(at("6"), -1);
    EXPECT_EQ(at(""), -1);
}

TEST(ClipLookup, AColonNamesAnOwnClip)
{
    const auto scene = scene_with_clips({"0", "Rig:walk", ":odd", "run", "run", "c0"});
    for (const auto lookup : {ClipLookup::exact, ClipLookup::lenient}) {
        const auto at = [&](std::string_view wanted) { return found(scene, wanted, lookup); };
        EXPECT_EQ(at(":Rig:walk"), 1);
        EXPECT_EQ(at("Rig:walk"), 1);
        EXPECT_EQ(at(":0"), 0);
        EXPECT_EQ(at(":c0"), 5) << "a name, not an id";
        EXPECT_EQ(at(":odd"), 2);
        EXPECT_EQ(at("::odd"), 2);
        EXPECT_EQ(at(":run"), lookup == ClipLookup::exact ? -2 : 3);
        EXPECT_EQ(at(":none"), -1);
        EXPECT_EQ(at(":walk"), lookup == ClipLookup::exact ? -1 : 1) << "a part, on the command line";
    }
}

TEST(ClipLookup, LenientTakesTheNameFirst)
{
    const auto scene = scene_with_clips({"Walk_Slow", "walk", "1", "c0", "run", "run"});
    const auto at = [&](std::string_view wanted) { return found(scene, wanted, ClipLookup::lenient); };
    EXPECT_EQ(at("walk"), 1) << "a whole name before a part";
    EXPECT_EQ(at("1"), 2) << "a name before an index";
    EXPECT_EQ(at("c0"), 3) << "a name before an id";
    EXPECT_EQ(at("c1"), 1);
    EXPECT_EQ(at("0"), 0);
    EXPECT_EQ(at("run"), 4) << "the first";
    EXPECT_EQ(at("alk"), 0);
    EXPECT_EQ(at("SLOW"), 0) << "in any case";
    EXPECT_EQ(at("c9"), -1);
    EXPECT_EQ(at(""), -1);
}

TEST(ClipLookup, UnknownNameIsASentenceThatListsNames)
{
    EXPECT_EQ(no_clip_message(scene_with_clips({"walk", "1"}), "run"),
              "there is no clip 'run' among 2: 'walk', '1'");
    EXPECT_EQ(no_clip_message(Scene(), "run"), "there is no clip 'run': the file has no clips");
}

TEST(VariantLookup, TakesTheNameFirst)
{
    const std::vector<std::string> variants{"day", "night", "1", "day"};
    EXPECT_EQ(find_variant(variants, "night"), 1u);
    EXPECT_EQ(find_variant(variants, "1"), 2u) << "a name before an index";
    EXPECT_EQ(find_variant(variants, "0"), 0u);
    EXPECT_EQ(find_variant(variants, "day"), 0u) << "the first";
    for (const char* wanted : {"Night", "nigh", "4", "-1", "0x0", " 0", ""})
        EXPECT_FALSE(find_variant(variants, wanted)) << wanted;
}

TEST(VariantLookup, UnknownNameIsASentenceThatListsNames)
{
    Scene scene;
    EXPECT_EQ(no_variant_message(scene, "dusk"),
              "there is no material variant 'dusk': the file has no material variants");
    scene.variants = {"day", "night", "1"};
    EXPECT_EQ(no_variant_message(scene, "dusk"),
              "there is no material variant 'dusk' among 3: 'day', 'night', '1'");
    scene.variants.assign(9, "v");
    EXPECT_TRUE(no_variant_message(scene, "dusk").ends_with("'v', ..."));
}

TEST(JointLookup, TakesTheNodeNumberFirst)
{
    Scene scene;
    for (const auto* name : {"hip", "2", "knee", "knee", "9", "-1", "0x1"})
        scene.nodes.emplace_back().name = name;
    EXPECT_EQ(find_joint(scene, "2"), 2u) << "not the node with that name";
    EXPECT_EQ(find_joint(scene, "1"), 1u) << "reached by its own";
    EXPECT_EQ(find_joint(scene, "knee"), 2u) << "the first";
    EXPECT_EQ(find_joints(scene, "knee"), (std::vector<std::uint32_t>{2, 3})) << "or all";
    EXPECT_EQ(find_joints(scene, "2"), (std::vector<std::uint32_t>{2}));
    EXPECT_EQ(find_joint(scene, "9"), 4u) << "no node has that number";
    EXPECT_EQ(find_joint(scene, "-1"), 5u);
    EXPECT_EQ(find_joint(scene, "0x1"), 6u);
    EXPECT_FALSE(find_joint(scene, "7"));
    EXPECT_FALSE(find_joint(scene, ""));
    EXPECT_TRUE(find_joints(scene, "7").empty());
    scene.nodes[0].name = "knee";
    scene.nodes[0].helper_of = 2;
    EXPECT_EQ(find_joint(scene, "knee"), 2u) << "a loader's helper node is not a joint";
    EXPECT_EQ(find_joint(scene, "0"), 2u) << "but only a part of one";
}
