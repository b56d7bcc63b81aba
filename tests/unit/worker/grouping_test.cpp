#include "loaders/worker/files/grouping.hpp"

#include <gmock/gmock.h>

#include "tests/support/work_count.hpp"

namespace vitrine::worker {
namespace {

using ::testing::ElementsAre;
using Names = std::vector<std::string>;

// "imp.fbx+walk.fbx" for a model and the files that animate it; sorted.
std::vector<std::string> grouped(const Names& models, const std::vector<std::uint32_t>& animations)
{
    std::vector<std::string> lines;
    for (const auto& group : group_models(models, animations)) {
        lines.push_back(group.main);
        for (const auto& animation : group.animations)
            lines.back() += "+" + animation;
    }
    return lines;
}

TEST(Grouping, EachModelIsASeparateAsset)
{
    EXPECT_THAT(grouped({"b.fbx", "a.glb", "c.obj"}, {}), ElementsAre("a.glb", "b.fbx", "c.obj"));
}

TEST(Grouping, AssignsPartsToTheirModel)
{
    auto groups = group_models({"a/lower.md3", "b/tree.md3"}, {});
    add_shared_parts(groups, {"a/head.md3", "a/lower.md3", "a/upper.md3", "b/tree.md3", "b/tree_1.md3"});
    ASSERT_EQ(groups.size(), 2u);
    EXPECT_THAT(groups[0].parts, ElementsAre("a/head.md3", "a/upper.md3"));
    EXPECT_THAT(groups[1].parts, ElementsAre("b/tree_1.md3"));
    EXPECT_TRUE(is_player(groups[0]));
    EXPECT_FALSE(is_player(groups[1]));
}

TEST(Grouping, AssignsAnimationsToTheCharacterOfTheirFolder)
{
    EXPECT_THAT(grouped({"hog/hog.fbx", "hog/run.fbx", "imp/imp.fbx", "imp/run.fbx"}, {1, 3}),
                ElementsAre("hog/hog.fbx+hog/run.fbx", "imp/imp.fbx+imp/run.fbx"));
}

TEST(Grouping, ElseAssignsToTheParentFolder)
{
    EXPECT_THAT(grouped({"hog/hog.fbx", "imp/clips/fast/run.fbx", "imp/imp.fbx"}, {1}),
                ElementsAre("hog/hog.fbx", "imp/imp.fbx+imp/clips/fast/run.fbx"));
}

TEST(Grouping, ElseAssignsToAll)
{
    EXPECT_THAT(grouped({"clips/run.fbx", "hog/hog.fbx", "imp/imp.fbx"}, {0}),
                ElementsAre("hog/hog.fbx+clips/run.fbx", "imp/imp.fbx+clips/run.fbx"));
}

TEST(Grouping, AnimationsBeyondTheLimitAreAssets)
{
    Names models;
    for (int i = 0; i < 3'000; ++i)
        models.push_back("a/" + std::to_string(10'000 + i) + ".fbx");
    std::vector<std::uint32_t> animations;
    for (std::uint32_t i = 0; i < 3'000; i += 2)
        animations.push_back(i);
    const auto groups = group_models(models, animations);
    EXPECT_EQ(groups.size(), 3'000u - max_group_animations / 1'500);
    std::size_t given = 0;
    for (const auto& group : groups)
        given += group.animations.size();
    EXPECT_EQ(given, max_group_animations / 1'500 * 1'500);
    EXPECT_TRUE(groups.back().is_animation_only || groups[groups.size() - 2].is_animation_only);
}

// Names of folders that are deeper than each model's are not compared.
TEST(Grouping, StaysLinearForDeepFolders)
{
    test::expect_nearly_linear("folders above an animation", 25, [](int depth) {
        Names models;
        std::string deep;
        for (int i = 0; i < depth; ++i)
            deep += "a/";
        std::vector<std::uint32_t> animations;
        for (std::uint32_t i = 0; i < 30; ++i) {
            animations.push_back(i);
            models.push_back(deep + std::to_string(i) + ".fbx");
        }
        for (int i = 0; i < 10; ++i)
            models.push_back("b/" + std::to_string(i) + ".fbx");
        const auto groups = group_models(models, animations);
        EXPECT_EQ(groups.size(), 10u);
        EXPECT_EQ(groups[7].animations.size(), 30u);
    });
}

TEST(Grouping, SkipsModelsOfOtherFormats)
{
    EXPECT_THAT(grouped({"barrel.obj", "run.FBX"}, {1}), ElementsAre("barrel.obj", "run.FBX"));
    EXPECT_TRUE(may_be_animation_only("a/run.FBX"));
    EXPECT_FALSE(may_be_animation_only("a.fbx/run"));
    EXPECT_FALSE(may_be_animation_only("run.obj"));
}

TEST(Grouping, AnimationsWithoutModelsAreAssets)
{
    EXPECT_THAT(grouped({"run.fbx", "walk.fbx"}, {0, 1}), ElementsAre("run.fbx", "walk.fbx"));
    const auto groups = group_models({"barrel.obj", "run.fbx"}, std::vector<std::uint32_t>{1});
    ASSERT_EQ(groups.size(), 2u);
    EXPECT_FALSE(groups[0].is_animation_only);
    EXPECT_TRUE(groups[1].is_animation_only);
}

} // namespace
} // namespace vitrine::worker
