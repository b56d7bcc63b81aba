// Files with many stacks and many nodes, of which each stack animates a few.

#include <gmock/gmock.h>

#include <fmt/format.h>

#include "tests/support/memory_source.hpp"
#include "tests/support/work_count.hpp"
#include "tests/unit/fbx/text_file.hpp"

namespace vitrine {
namespace {

using namespace test::fbx;
using testing::ElementsAre;
using testing::HasSubstr;

std::string error_text(const std::string& text, const Limits& limits)
{
    test::MemorySource source("model.fbx", {{"model.fbx", text}});
    const auto loaded = load_fbx(source, limits);
    return loaded ? "loaded" : loaded.error().detail;
}

TEST(FbxStackWork, StacksWithoutCurvesVisitNoNode)
{
    const auto stack_of = [](int i) {
        return fmt::format("AnimationStack: {}, \"\", \"\" {{ }}\n", 100'000 + i);
    };
    const auto model_of = [](int i) { return fmt::format("Model: {}, \"\", \"Null\" {{ }}\n", 1 + i); };
    test::expect_nearly_linear(
        "stacks and models", 80,
        [&](int n) {
            EXPECT_THAT(load(version_7(repeated(n, stack_of) + repeated(2 * n, model_of), "")).clips,
                        ElementsAre());
        },
        4.8);
}

// Each stack animates the first model.
std::string stacks_moving_one(int stacks, const std::string& objects, const std::string& connections)
{
    const auto stack_of = [](int i) {
        return fmt::format(
                   "AnimationStack: {}, \"AnimStack::s\", \"\" {{ }}\nAnimationLayer: {}, \"\", \"\" {{ }}\n",
                   100'000 + i, 200'000 + i) +
               node(300'000 + i);
    };
    const auto connections_of = [](int i) {
        return connect(200'000 + i, 100'000 + i) + connect(300'000 + i, 200'000 + i) +
               connect(81, 300'000 + i) + fmt::format("C: \"OP\",{},1, \"Lcl Translation\"\n", 300'000 + i);
    };
    return version_7(model(1, "moved") + curve(81, "0,1", "0,1") + repeated(stacks, stack_of) + objects,
                     repeated(stacks, connections_of) + connections);
}

TEST(FbxStackWork, StacksVisitTheNodesThatTheyMove)
{
    const auto model_of = [](int i) { return fmt::format("Model: {}, \"\", \"Null\" {{ }}\n", 10'000 + i); };
    test::expect_nearly_linear(
        "stacks that move one of many models", 16,
        [&](int n) {
            const scene::Scene scene = load(stacks_moving_one(n, repeated(20 * n, model_of), ""));
            ASSERT_EQ(scene.clips.size(), static_cast<std::size_t>(n));
            for (const scene::Clip& clip : scene.clips)
                ASSERT_EQ(clip.channels.size(), 1u);
        },
        4.8);
}

// Triangles below a model that is hidden in the static pose and shown in the last stack only.
std::string rarely_seen(int stacks, int triangles)
{
    const std::string geometry = "Geometry: 9, \"Geometry::g\", \"Mesh\" { Vertices: *9 { a: "
                                 "0,0,0,1,0,0,0,1,0 } PolygonVertexIndex: *3 { a: 0,1,-3 } }\n";
    const auto model_of = [](int i) {
        return fmt::format("Model: {}, \"Model::t\", \"Mesh\" {{ }}\n", 10'000 + i);
    };
    const auto place = [](int i) { return connect(10'000 + i, 2) + connect(9, 10'000 + i); };
    return stacks_moving_one(stacks,
                             geometry +
                                 model(2, "above", "P: \"Visibility\", \"Visibility\", \"\", \"A\",0\n") +
                                 node(80) + repeated(triangles, model_of),
                             connect(80, 200'000 + stacks - 1) + connect(81, 80) +
                                 "C: \"OP\",80,2, \"Visibility\"\n" + repeated(triangles, place));
}

TEST(FbxStackWork, HiddenNodesStayHiddenInOtherStacks)
{
    const scene::Scene scene = load(rarely_seen(2, 3));
    ASSERT_EQ(scene.clips.size(), 2u);
    for (const scene::Clip& clip : scene.clips) {
        ASSERT_EQ(clip.channels.size(), 4u);
        for (std::size_t i = 1; i < 4; ++i) {
            const scene::Channel& channel = clip.channels[i];
            EXPECT_EQ(channel.path, scene::Path::scale);
            EXPECT_EQ(channel.values.size() > 3, &clip == &scene.clips[1]);
            EXPECT_EQ(channel.values[0], 0.0f);
        }
    }
}

TEST(FbxStackWork, NodesThatStacksMoveAreCounted)
{
    EXPECT_THAT(error_text(rarely_seen(300, 400), {.key_values = 640'000}),
                HasSubstr("110001 animated nodes in all clips, with 64 numbers each: more than the limit "
                          "key_values = 640000"));
}

TEST(FbxStackWork, PlacesOfALayerThatStacksShareCountManyTimes)
{
    const auto text = [](bool share) {
        const auto place = [](int i) {
            return connect(10 + i, 91) + fmt::format("C: \"OP\",{},1, \"Lcl Scaling\"\n", 10 + i);
        };
        return version_7(model(1, "m") + stack + "AnimationStack: 92, \"AnimStack::run\", \"\" { }\n" +
                             repeated(10, [](int i) { return node(10 + i); }),
                         stack_connections + (share ? connect(91, 92) : "") + repeated(10, place));
    };
    EXPECT_EQ(error_text(text(false), {.key_values = 16 * 169}), "loaded");
    EXPECT_EQ(error_text(text(true), {.key_values = 16 * 170}), "loaded");
    EXPECT_THAT(error_text(text(true), {.key_values = 16 * 169}),
                HasSubstr("in more than 169 places, counting those of shared"));
}

} // namespace
} // namespace vitrine
