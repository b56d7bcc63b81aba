#include "loaders/scene/parts/levels.hpp"

#include <gmock/gmock.h>

#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::scene {
namespace {

using testing::ElementsAre;

struct NamedNode {
    const char* name;
    std::uint32_t parent = none;
    bool draws = true;
};

Scene scene_of(std::initializer_list<NamedNode> nodes)
{
    Scene scene = test::textured_cube();
    scene.nodes.clear();
    for (const NamedNode& node : nodes)
        scene.nodes.push_back({.name = node.name, .parent = node.parent, .mesh = node.draws ? 0 : none});
    return scene;
}

std::vector<std::string> names_shown(const Scene& scene)
{
    std::vector<std::string> names;
    for (const Instance& instance : find_instances(scene))
        names.push_back(scene.nodes[instance.node].name);
    return names;
}

// The names that are shown after a level was chosen.
std::vector<std::string> shown_at(Scene scene, std::uint32_t level)
{
    show_level(scene, level);
    EXPECT_TRUE(validate(scene));
    EXPECT_EQ(level_count(scene), 1u);
    return names_shown(scene);
}

Scene named(std::initializer_list<NamedNode> nodes)
{
    Scene scene = scene_of(nodes);
    find_named_levels(scene);
    EXPECT_TRUE(validate(scene));
    return scene;
}

TEST(NamedLevels, ShowTheMostDetailedOne)
{
    const Scene scene = named({{"tree_LOD0"}, {"tree_LOD1"}, {"tree_LOD2"}, {"ground"}});
    EXPECT_EQ(level_count(scene), 3u);
    EXPECT_THAT(names_shown(scene), ElementsAre("tree_LOD0", "ground"));
    EXPECT_THAT(shown_at(scene, 0), ElementsAre("tree_LOD0", "ground"));
    EXPECT_THAT(shown_at(scene, 1), ElementsAre("tree_LOD1", "ground"));
    EXPECT_THAT(shown_at(scene, 2), ElementsAre("tree_LOD2", "ground"));
}

TEST(NamedLevels, AreWrittenInSeveralWays)
{
    for (const auto& [first, second] :
         std::vector<std::pair<const char*, const char*>>{{"a_LOD0", "a_LOD1"},
                                                          {"a_lod_0", "A_lod_1"},
                                                          {"a.LOD0", "a.LOD1"},
                                                          {"a-lod00", "a-lod01"},
                                                          {"treeLOD0", "treeLOD1"},
                                                          {"LOD0", "LOD1"},
                                                          {"lod 1", "lod 3"},
                                                          {"LOD0_a", "LOD1_a"},
                                                          {"LOD_0_a", "LOD_1_a"}})
        EXPECT_THAT(names_shown(named({{first}, {second}})), ElementsAre(first)) << first;
}

TEST(NamedLevels, AreNoOtherNames)
{
    for (const auto& [first, second] :
         std::vector<std::pair<const char*, const char*>>{{"explod0", "explod1"},
                                                          {"a_LOD0", "b_LOD1"},
                                                          {"a_LOD1", "a_LOD1"},
                                                          {"a_LOD", "a_LODx"},
                                                          {"a_LOD001", "a_LOD002"},
                                                          {"a_0", "a_1"},
                                                          {"LOD0a", "LOD1a"},
                                                          {"", "LOD"}})
        EXPECT_THAT(names_shown(named({{first}, {second}})), ElementsAre(first, second)) << first;
}

TEST(NamedLevels, AreChildrenOfOneParent)
{
    const Scene scene =
        named({{"a", none, false}, {"b", none, false}, {"x_LOD0", 0}, {"x_LOD1", 1}, {"x_LOD2", 1}});
    EXPECT_THAT(names_shown(scene), ElementsAre("x_LOD0", "x_LOD1"));
}

TEST(NamedLevels, ThatDrawNothingDoNotCount)
{
    EXPECT_THAT(names_shown(named({{"a_LOD0", none, false}, {"a_LOD1"}})), ElementsAre("a_LOD1"));
}

TEST(NamedLevels, IncludeWhatIsBelow)
{
    const Scene scene = named({{"LOD0", none, false}, {"hull", 0}, {"LOD1", none, false}, {"box", 2}});
    EXPECT_THAT(names_shown(scene), ElementsAre("hull"));
    EXPECT_THAT(shown_at(scene, 1), ElementsAre("box"));
}

TEST(NamedLevels, OfSetsWithDifferentNumbersFitTogether)
{
    const Scene scene = named({{"tree_LOD0"},
                               {"tree_LOD1"},
                               {"tree_LOD2"},
                               {"rock_LOD0"},
                               {"rock_LOD2"},
                               {"hut_LOD1"},
                               {"hut_LOD2"}});
    EXPECT_THAT(names_shown(scene), ElementsAre("tree_LOD0", "rock_LOD0", "hut_LOD1"));
    EXPECT_THAT(shown_at(scene, 1), ElementsAre("tree_LOD1", "rock_LOD0", "hut_LOD1"));
    EXPECT_THAT(shown_at(scene, 2), ElementsAre("tree_LOD2", "rock_LOD2", "hut_LOD2"));
}

TEST(NamedLevels, KeepWhatTheFileHides)
{
    Scene scene = scene_of({{"a_LOD0"}, {"a_LOD1"}, {"a_LOD2"}});
    scene.nodes[1].visible = false;
    find_named_levels(scene);
    EXPECT_EQ(level_count(scene), 2u) << "without the one that the file hides";
    EXPECT_THAT(shown_at(scene, 1), ElementsAre("a_LOD2"));
}

TEST(Levels, BelowOneAreThoseOfBoth)
{
    Scene scene =
        scene_of({{"a_LOD0"}, {"a_LOD1", none, false}, {"b_LOD0", 1}, {"b_LOD1", 1}, {"b_LOD2", 1}});
    find_named_levels(scene);
    EXPECT_THAT(names_shown(scene), ElementsAre("a_LOD0"));
    EXPECT_THAT(shown_at(scene, 1), ElementsAre("b_LOD1"));
    EXPECT_THAT(shown_at(scene, 2), ElementsAre("b_LOD2"));
}

TEST(Levels, AreInheritedFromTheTopmostNodes)
{
    Scene scene = scene_of({{"near", none, false}, {"x", 0}, {"far", none, false}, {"y", 2}, {"z", 3}});
    scene.nodes[0].levels = {0, 0};
    scene.nodes[2].levels = {1, none};
    scene.nodes[4].visible = false;
    inherit_levels(scene);
    EXPECT_TRUE(validate(scene));
    EXPECT_THAT(names_shown(scene), ElementsAre("x"));
    EXPECT_THAT(shown_at(scene, 1), ElementsAre("y"));
    EXPECT_EQ(scene.nodes[4].levels, LevelRange{}) << "hidden by the file";
}

TEST(Levels, AreCounted)
{
    const Scene scene = named({{"a_LOD0"}, {"a_LOD1"}, {"ground"}});
    const auto levels = count_levels(scene);
    ASSERT_EQ(levels.size(), 2u);
    for (const auto& level : levels) {
        EXPECT_EQ(level.nodes, 2u);
        EXPECT_EQ(level.triangles, 24u);
    }
    EXPECT_EQ(count_levels(scene_of({{"a"}})).size(), 1u);
}

TEST(Levels, MustAscendAndHideLessDetailedNodes)
{
    Scene scene = scene_of({{"a"}});
    scene.nodes[0].levels = {2, 1};
    scene.nodes[0].visible = false;
    EXPECT_FALSE(validate(scene));
    scene.nodes[0].levels = {1, 2};
    EXPECT_TRUE(validate(scene));
    scene.nodes[0].visible = true;
    EXPECT_FALSE(validate(scene));
}

} // namespace
} // namespace vitrine::scene
