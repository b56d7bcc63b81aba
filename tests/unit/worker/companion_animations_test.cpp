#include "loaders/worker/child/companion_animations.hpp"

#include <array>
#include <sstream>

#include <gmock/gmock.h>

#include "tests/support/memory_source.hpp"

namespace vitrine::worker {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string_view text_of(Bytes bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// "moves hips" is an animation of a node of that name, "moves hips tail" of two nodes, "moves hips flat" has
// a mesh without normals as well, "broken" is unreadable, any other text is a character with one joint named
// "hips".
LoadResult<scene::Scene> load_puppet(Source& source, const Limits&)
{
    EXPECT_FALSE(source.is_whole_upload()) << "related files are combined only once";
    const auto text = std::string(text_of(*source.open(source.main_name())));
    if (text == "moves broken") return fail(LoadErrc::malformed, "line 7", "it makes no sense");
    scene::Scene scene;
    if (text.ends_with("flat")) {
        auto& mesh = scene.meshes.emplace_back();
        mesh.positions.resize(3);
        mesh.indices = {0, 1, 2};
        mesh.primitives = {{.count = 3}};
    }
    scene.clips = {{.name = "Take 001", .duration = 1.0}};
    std::istringstream names(text.starts_with("moves ") ? text.substr(6) : "hips");
    for (std::string name; names >> name;) {
        const auto node = static_cast<std::uint32_t>(scene.nodes.size());
        scene.nodes.emplace_back().name = name;
        scene.clips[0].channels.push_back(
            {.node = node, .path = scene::Path::translation, .times = {0.0f}, .values = {1.0f, 2.0f, 3.0f}});
    }
    return scene;
}

constexpr std::array<std::string_view, 1> puppet_extensions{".fbx"};
constexpr std::array formats{Format{"puppet", puppet_extensions, nullptr, load_puppet,
                                    [](Bytes bytes) { return text_of(bytes).starts_with("moves "); }}};

scene::Scene character()
{
    scene::Scene scene;
    scene.nodes.resize(1);
    scene.nodes[0].name = "hips";
    scene.skins.resize(1);
    scene.skins[0].joints = {0};
    return scene;
}

std::vector<std::string> clip_names(const scene::Scene& scene)
{
    std::vector<std::string> names;
    for (const auto& clip : scene.clips)
        names.push_back(clip.name);
    return names;
}

std::vector<std::string> warnings_of(const scene::Scene& scene)
{
    std::vector<std::string> lines;
    for (const auto& warning : scene.warnings)
        lines.push_back(warning.code + " at " + warning.where + ": " + warning.message);
    return lines;
}

TEST(CompanionAnimations, AddsClipsOfAnimationOnlyFiles)
{
    test::MemorySource source("imp.fbx", {{"imp.fbx", "imp"},
                                          {"other.fbx", "another character"},
                                          {"moves.txt", "moves hips"},
                                          {"sub/Walk.FBX", "moves hips"},
                                          {"run.fbx", "moves hips"}});
    auto scene = character();
    bind_companion_animations(source, formats, {}, {}, scene);
    EXPECT_THAT(clip_names(scene), ElementsAre("run", "Walk"));
    EXPECT_THAT(warnings_of(scene), ElementsAre());
}

TEST(CompanionAnimations, MayHaveFlatMeshes)
{
    test::MemorySource source("imp.fbx", {{"imp.fbx", "imp"}, {"a.fbx", "moves hips flat"}});
    auto scene = character();
    scene.nodes.emplace_back().name = "flat";
    bind_companion_animations(source, formats, {}, {}, scene);
    EXPECT_THAT(clip_names(scene), ElementsAre("a"));
    EXPECT_THAT(warnings_of(scene), ElementsAre());
}

TEST(CompanionAnimations, WarnsAboutUnusableFiles)
{
    test::MemorySource source(
        "imp.fbx",
        {{"imp.fbx", "imp"}, {"a.fbx", "moves broken"}, {"b.fbx", "moves tail"}, {"c.fbx", "moves hips"}});
    auto scene = character();
    bind_companion_animations(source, formats, {}, {}, scene);
    EXPECT_THAT(clip_names(scene), ElementsAre("c"));
    EXPECT_THAT(
        warnings_of(scene),
        ElementsAre(
            HasSubstr("animation_unreadable at a.fbx: its clips are ignored: it makes no sense (line 7)"),
            HasSubstr("animation_not_bound at b.fbx")));
}

TEST(CompanionAnimations, WarnsAboutChannelsOfMissingNodes)
{
    test::MemorySource source("imp.fbx", {{"imp.fbx", "imp"}, {"a.fbx", "moves hips tail wings"}});
    auto scene = character();
    bind_companion_animations(source, formats, {}, {}, scene);
    ASSERT_EQ(scene.clips.size(), 1u);
    EXPECT_EQ(scene.clips[0].channels.size(), 1u);
    EXPECT_THAT(warnings_of(scene),
                ElementsAre("channels_not_bound at a.fbx: 2 channels animate nodes that the model does not "
                            "have, 'tail' first"));
}

TEST(CompanionAnimations, LimitsClips)
{
    test::MemorySource source("imp.fbx",
                              {{"imp.fbx", "imp"}, {"a.fbx", "moves hips"}, {"b.fbx", "moves hips"}});
    auto scene = character();
    bind_companion_animations(source, formats, {.clips = 1}, {}, scene);
    EXPECT_THAT(clip_names(scene), ElementsAre("a"));
    EXPECT_THAT(warnings_of(scene), ElementsAre(HasSubstr("limit_reached at b.fbx")));
}

TEST(CompanionAnimations, FindsAnimationFiles)
{
    test::MemorySource source("imp.fbx", {{"imp.fbx", "imp"}, {"a.fbx", "moves hips"}, {"b.fbx", "moves x"}});
    std::vector<std::uint32_t> found;
    find_animation_files(source, {"b.fbx", "imp.fbx", "gone.fbx", "a.fbx"}, formats,
                         [&](auto i) { found.push_back(i); });
    EXPECT_THAT(found, ElementsAre(0u, 3u));
}

} // namespace
} // namespace vitrine::worker
