// Files in which many objects refer to the same large data.

#include <algorithm>

#include <fmt/format.h>

#include "tests/unit/gltf/builder.hpp"
#include "tests/unit/gltf/pictures.hpp"

namespace vitrine {
namespace {

using test::GltfBuilder;
using test::node_named;
using test::triangle;
using test::valid;
using test::warned;

// The time at which link `link` of a chain is shown: its key `key`.
float time_of(int link, int key, int links)
{
    return static_cast<float>(key * links + link);
}
bool is_shown(int link, int key)
{
    return (link * 7 + key * 3) % 5 != 0;
}

// Meshes below a chain of nodes with different visibility animations.
scene::Scene hidden_by_a_chain(int links, int keys, int meshes)
{
    GltfBuilder builder = triangle();
    std::string samplers, channels, children;
    for (int link = 0; link < links; ++link) {
        std::vector<float> times;
        std::vector<std::uint8_t> shown;
        for (int key = 0; key < keys; ++key) {
            times.push_back(time_of(link, key, links));
            shown.push_back(is_shown(link, key) ? 1 : 0);
        }
        const int input = builder.accessor(times, "SCALAR");
        samplers += fmt::format(R"({}{{"input":{},"output":{},"interpolation":"STEP"}})", link > 0 ? "," : "",
                                input, builder.accessor(shown, "SCALAR"));
        channels += fmt::format(
            R"({}{{"sampler":{},"target":{{"path":"pointer","extensions":{{"KHR_animation_pointer":{{"pointer":"/nodes/{}/extensions/KHR_node_visibility/visible"}}}}}}}})",
            link > 0 ? "," : "", link, 1 + link);
        if (link + 1 < links) builder.add("nodes", fmt::format(R"({{"children":[{}]}})", 2 + link));
    }
    for (int mesh = 0; mesh < meshes; ++mesh)
        children += fmt::format("{}{}", mesh > 0 ? "," : "", 1 + links + mesh);
    builder.add("nodes", fmt::format(R"({{"children":[{}]}})", children));
    for (int mesh = 0; mesh < meshes; ++mesh)
        builder.add("nodes", fmt::format(R"({{"name":"m{}","mesh":0}})", mesh));
    builder.add("animations", fmt::format(R"({{"samplers":[{}],"channels":[{}]}})", samplers, channels));
    return valid(builder.load_glb());
}

TEST(GltfWork, ManyNodesBelowAChainOfHidingNodesShareItsVisibility)
{
    constexpr int links = 64, keys = 8, meshes = 2000;
    const scene::Scene scene = hidden_by_a_chain(links, keys, meshes);
    const auto& channels = scene.clips.at(0).channels;
    ASSERT_EQ(channels.size(), std::size_t{meshes} + 1); // the first one has the clip's length
    const scene::Channel& last = channels.back();
    EXPECT_EQ(scene.nodes[last.node].name, fmt::format("m{}.visibility", meshes - 1));
    ASSERT_EQ(last.times.size(), std::size_t{links * keys});
    for (std::size_t i = 0; i < last.times.size(); ++i) {
        bool shown = true;
        for (int link = 0; link < links; ++link) {
            int key = static_cast<int>(i) / links;
            if (time_of(link, key, links) > last.times[i]) --key;
            shown = shown && is_shown(link, std::max(key, 0));
        }
        EXPECT_EQ(last.values[3 * i], shown ? 1.0f : 0.0f) << i;
    }
    EXPECT_EQ(channels[1].values, last.values);
    EXPECT_NE(channels[1].node, last.node);
}

TEST(GltfWork, NodesOfSeveralChainsHaveTheirOwnVisibility)
{
    const scene::Scene scene = hidden_by_a_chain(2, 3, 1);
    const scene::Channel& channel = scene.clips.at(0).channels.at(1);
    EXPECT_EQ(channel.times, (std::vector<float>{0, 1, 2, 3, 4, 5}));
    std::vector<bool> shown;
    for (std::size_t i = 0; i < channel.times.size(); ++i)
        shown.push_back(channel.values[3 * i] != 0.0f);
    // The first is hidden until 2, the second except from 3 to 5 (10 % 5).
    EXPECT_EQ(shown, (std::vector<bool>{false, false, true, false, false, true}));
}

TEST(GltfWork, SharedSparseIndicesCountForEach)
{
    constexpr std::size_t count = 100;
    GltfBuilder builder = triangle();
    builder.add("extensionsUsed", R"("EXT_mesh_gpu_instancing")");
    std::vector<std::uint8_t> ascending(count);
    for (std::size_t i = 0; i < count; ++i)
        ascending[i] = static_cast<std::uint8_t>(i);
    const int view = builder.view(test::to_bytes(ascending));
    std::string attributes;
    for (int i = 0; i < 3; ++i) {
        const int accessor = builder.add(
            "accessors",
            fmt::format(
                R"({{"componentType":5121,"count":{0},"type":"SCALAR","sparse":{{"count":{0},"indices":{{"bufferView":{1},"componentType":5121}},"values":{{"bufferView":{1}}}}}}})",
                count, view));
        attributes += fmt::format(R"({}"_{}":{})", i > 0 ? "," : "", i, accessor);
    }
    builder.add(
        "nodes",
        fmt::format(R"({{"mesh":0,"extensions":{{"EXT_mesh_gpu_instancing":{{"attributes":{{{}}}}}}}}})",
                    attributes));
    EXPECT_FALSE(warned(valid(builder.load_glb({.indices = 3 + 3 * count})), "invalid_attribute"));
    const scene::Scene left_out = valid(builder.load_glb({.indices = 3 + 3 * count - 1}));
    ASSERT_TRUE(warned(left_out, "invalid_attribute"));
    EXPECT_EQ(left_out.warnings[0].message, "the attribute is ignored: more than the limit indices = 302");
}

TEST(GltfWork, ImagesOfOneViewAreEqual)
{
    GltfBuilder builder = triangle();
    const int good = builder.view(test::two_pixels_png());
    const int broken = builder.view("\x89PNG\r\n\x1a\n");
    for (const char* name : {"a", "b"})
        for (const int view : {good, broken})
            builder.add("images", fmt::format(R"({{"name":"{}","bufferView":{}}})", name, view));
    const scene::Scene scene = valid(builder.load_glb());
    ASSERT_EQ(scene.images.size(), 4u);
    for (const std::size_t i : {0u, 2u}) {
        EXPECT_EQ(scene.images[i].pixels, test::two_pixels());
        EXPECT_TRUE(scene.images[i + 1].pixels.empty());
        EXPECT_EQ(scene.images[i].name, i == 0 ? "a" : "b");
    }
    ASSERT_EQ(scene.warnings.size(), 2u);
    EXPECT_TRUE(scene.warnings[0].message.starts_with("the image 'a' cannot be used: PNG image: "));
    std::string other = scene.warnings[1].message;
    other.replace(other.find("'b'"), 3, "'a'");
    EXPECT_EQ(scene.warnings[0].message, other);
    const scene::Scene first_alone = valid(builder.load_glb({.total_pixels = 3}));
    EXPECT_FALSE(first_alone.images[0].pixels.empty());
    EXPECT_TRUE(first_alone.images[2].pixels.empty()) << "copies count too";
}

} // namespace
} // namespace vitrine
