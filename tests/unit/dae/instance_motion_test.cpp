#include <fmt/format.h>
#include <gmock/gmock.h>

#include "loaders/scene/motion/pose.hpp"
#include "tests/support/repeated.hpp"
#include "tests/unit/dae/animated.hpp"

namespace vitrine::dae::test {
namespace {

using testing::ElementsAre;
using testing::SizeIs;
using ::vitrine::test::repeated;

// Rotations about two axes at once, with a key each second.
std::string intricate_turns(int keys)
{
    std::string times, values;
    for (int i = 0; i < keys; ++i) {
        times += fmt::format("{} ", i);
        values += fmt::format("{} ", i + 1 < keys ? i * 79 % 360 : 90);
    }
    const std::string kinds = repeated(keys, "CARDINAL ");
    return AnimationXml{"z", "n/z.ANGLE", times, values, keys, 1, kinds}.text() +
           AnimationXml{"x", "n/x.ANGLE", times, values, keys, 1, kinds}.text();
}

// Many instances of an animated node cost as much as one, and are as accurate.
TEST(DaeInstanceMotion, ManyInstancesOfANodeAreAsExactAsOne)
{
    constexpr int instances = 600, keys = 21;
    const std::string nodes =
        library("nodes", "<node id='n'><rotate sid='z'>0 0 1 0</rotate><rotate sid='x'>1 0 0 0</rotate>"
                         "<instance_geometry url='#g'/></node>");
    const auto crowd = [&](int count) {
        return loaded(document(repeated(count, "<node><instance_node url='#n'/></node>"),
                               intricate_turns(keys), nodes));
    };
    const scene::Scene one = crowd(1), many = crowd(instances);
    EXPECT_FALSE(warns(one, "animation_coarse"));
    EXPECT_FALSE(warns(many, "animation_coarse"));
    const std::vector<scene::Channel>& channels = many.clips.at(0).channels;
    ASSERT_THAT(channels, SizeIs(instances));
    for (int i = 0; i < instances; ++i) {
        const scene::Channel& channel = channels[static_cast<std::size_t>(i)];
        EXPECT_EQ(channel.node, 2 * i + 1);
        EXPECT_EQ(channel.times, one.clips.at(0).channels.at(0).times);
        EXPECT_EQ(channel.values, one.clips[0].channels[0].values);
    }
}

// A node with its own unit moves differently in each surrounding unit.
TEST(DaeInstanceMotion, InstancesInOtherUnitsMoveInTheirs)
{
    const std::string in_twos =
        "<node id='n'><asset><unit meter='2'/></asset><translate sid='t'>1 2 3</translate></node>";
    const std::string placed = "<node><instance_node url='#n'/></node>"
                               "<node><asset><unit meter='10'/></asset><instance_node url='#n'/></node>"
                               "<node><instance_node url='#n'/></node>";
    const scene::Scene scene =
        loaded(Document{.asset = "<unit meter='1'/><up_axis>Y_UP</up_axis>",
                        .libraries = library("geometries", square("g")) +
                                     library("animations", AnimationXml{"a", "n/t.X", "0 1", "0 5"}.text()) +
                                     library("nodes", in_twos),
                        .nodes = placed}
                   .text());
    ASSERT_THAT(scene.nodes, SizeIs(6));
    for (const std::size_t n : {1u, 3u, 5u})
        expect_near(glm::vec3(model_at(scene, 1.0, n)[3]), {10, 4, 6});
}

// The links of an instance that is not a TRS: each copy animates its own.
TEST(DaeInstanceMotion, NodesOfSeveralLinksAreCopiedLinkByLink)
{
    const std::string nodes =
        library("nodes", "<node id='n'><scale sid='s'>1 1 1</scale><rotate sid='r'>0 0 1 0</rotate></node>");
    const scene::Scene scene =
        loaded(document(repeated(2, "<instance_node url='#n'/>").insert(0, "<node>") + "</node>",
                        AnimationXml{"a", "n/r.ANGLE", "0 1", "0 90"}.text() +
                            AnimationXml{"b", "n/s.X", "0 1", "1 3"}.text(),
                        nodes));
    ASSERT_THAT(scene.nodes, SizeIs(5));
    std::vector<std::uint32_t> moved;
    for (const scene::Channel& channel : scene.clips.at(0).channels)
        moved.push_back(channel.node);
    EXPECT_THAT(moved, ElementsAre(1, 2, 3, 4));
    for (const std::size_t last : {2u, 4u})
        expect_near(glm::vec3(model_at(scene, 1.0, last) * glm::vec4(0, 1, 0, 1)), {-3, 0, 0});
}

TEST(DaeInstanceMotion, MeshesThatMorphAreCopiedToo)
{
    const auto morph = MorphXml{.targets = "far", .weights = "0", .method = "RELATIVE", .prefix = ""}.text();
    const std::string text =
        Document{.libraries = library("geometries", square("g") + square("far")) +
                              library("controllers", morph) +
                              library("animations", AnimationXml{"a", "w(0)", "0 1", "0 3"}.text()),
                 .nodes = repeated(3, "<node><instance_controller url='#c'/></node>")}
            .text();
    const scene::Scene scene = loaded(text);
    ASSERT_THAT(scene.clips.at(0).channels, SizeIs(3));
    for (std::uint32_t i = 0; i < 3; ++i) {
        EXPECT_EQ(scene.clips[0].channels[i].node, i);
        EXPECT_THAT(scene.clips[0].channels[i].values, ElementsAre(0, 3));
    }
}

} // namespace
} // namespace vitrine::dae::test
