#include <gtest/gtest.h>

#include "loaders/scene/clip_lookup.hpp"

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
    EXPECT_EQ(parse_clip_id("c2", 3), 2u);
    EXPECT_EQ(parse_clip_id("2", 3), 2u);
    for (const char* text : {"3", "c3", "", "c", "cc1", "1x", "-1", "c-1", "99999999999"})
        EXPECT_FALSE(parse_clip_id(text, 3)) << text;
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
