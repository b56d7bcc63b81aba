#include "loaders/scene/layers/frame_range.hpp"

#include <gmock/gmock.h>

#include "loaders/scene/validation/validate.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::scene {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::shared_ptr<const Clip> clip_of(const Scene& scene, std::string_view text)
{
    const auto found = find_frame_range(scene, text);
    EXPECT_TRUE(found && *found) << text;
    return found && *found ? (*found)->bound_clip : std::make_shared<const Clip>();
}

std::string error_of(const Scene& scene, std::string_view text)
{
    const auto found = find_frame_range(scene, text);
    return found && !*found ? found->error() : std::string();
}

TEST(FrameRange, IsAClipWithAKeyPerFrame)
{
    Scene scene = test::vertex_frame_triangle(6);
    EXPECT_EQ(count_file_frames(scene), 6u);
    const auto clip = clip_of(scene, "frames:2-4");
    ASSERT_EQ(clip->channels.size(), 1u);
    EXPECT_THAT(clip->channels[0].values, ElementsAre(2.0f, 3.0f, 4.0f));
    EXPECT_THAT(clip->channels[0].times, ElementsAre(0.0f, 0.1f, 0.2f));
    EXPECT_DOUBLE_EQ(clip->duration, 0.2);
    EXPECT_DOUBLE_EQ(clip->start_time, 0.2);
    EXPECT_EQ(clip->frames, 3u);
    scene.clips.push_back(*clip);
    EXPECT_TRUE(validate(scene));
}

TEST(FrameRange, MayBeAllFramesOneFrameOrBackward)
{
    const Scene scene = test::vertex_frame_triangle(4);
    EXPECT_THAT(clip_of(scene, "frames:all")->channels.at(0).values, ElementsAre(0.0f, 1.0f, 2.0f, 3.0f));
    EXPECT_THAT(clip_of(scene, "frames:2-2")->channels.at(0).values, ElementsAre(2.0f));
    EXPECT_THAT(clip_of(scene, "frames:3-1")->channels.at(0).values, ElementsAre(3.0f, 2.0f, 1.0f));
}

TEST(FrameRange, HasOneKeyForEqualRanges)
{
    const Scene scene = test::vertex_frame_triangle(4);
    const auto key = [&](std::string_view text) { return find_frame_range(scene, text)->value().key; };
    EXPECT_EQ(key("frames:all"), "frames:0-3");
    EXPECT_EQ(key("frames:00-3"), "frames:0-3");
    EXPECT_NE(key("frames:3-0"), "frames:0-3");
}

TEST(FrameRange, HoldsTheLastFrameOfAMeshWithFewerFrames)
{
    Scene scene = test::vertex_frame_triangle(4);
    const Scene shorter = test::vertex_frame_triangle(2);
    scene.meshes.push_back(shorter.meshes[0]);
    scene.nodes.push_back({.name = "weapon", .mesh = 1});
    EXPECT_THAT(clip_of(scene, "frames:0-3")->channels.at(1).values, ElementsAre(0.0f, 1.0f, 1.0f, 1.0f));
}

TEST(FrameRange, RejectsOtherTexts)
{
    const Scene scene = test::vertex_frame_triangle(4);
    EXPECT_FALSE(find_frame_range(scene, "run"));
    EXPECT_FALSE(find_frame_range(scene, "frames"));
    for (const char* text : {"frames:", "frames:1", "frames:a-b", "frames:-1-2", "frames:1-", "frames:1-2-3",
                             "frames:1 - 2", "frames:99999999999-1"})
        EXPECT_EQ(error_of(scene, text), "a range of frames is frames:A-B or frames:all") << text;
    EXPECT_EQ(error_of(scene, "frames:0-4"), "the file has the frames 0 to 3");
    EXPECT_EQ(error_of(scene, "frames:4294967295-0"), "the file has the frames 0 to 3");
    EXPECT_THAT(error_of(test::skinned_bar(), "frames:0-1"), HasSubstr("only models that are animated"));
    EXPECT_EQ(count_file_frames(test::skinned_bar()), 0u);
}

} // namespace
} // namespace vitrine::scene
