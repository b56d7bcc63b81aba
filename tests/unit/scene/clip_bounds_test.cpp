// The boxes of a clip, against boxes from every vertex in every pose.
#include "loaders/scene/bounds/clip_bounds.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "tests/support/random_scene.hpp"
#include "tests/support/sampled_bounds.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::scene {
namespace {

void expect_same_box(const Aabb& box, const Aabb& expected)
{
    EXPECT_EQ(box.min, expected.min);
    EXPECT_EQ(box.max, expected.max);
}

void expect_bounds_of_every_vertex(const Scene& scene)
{
    ClipBounds bounds(scene);
    for (std::uint32_t clip = 0; clip < scene.clips.size(); ++clip) {
        const auto expected = test::sampled_bounds(scene, clip);
        const auto box = bounds.over(clip, expected.times);
        expect_same_box(box.exact, expected.exact_union);
        EXPECT_TRUE(box.conservative.contains(expected.exact_union));
        const float margin = 1e-4f * glm::length(expected.conservative.size());
        EXPECT_LE(glm::length(box.conservative.min - expected.conservative.min), margin);
        EXPECT_LE(glm::length(box.conservative.max - expected.conservative.max), margin);
    }
}

TEST(ClipBounds, EqualTheUnionOfThePoses)
{
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE(seed);
        expect_bounds_of_every_vertex(test::random_scene(seed, {.normalized_weights = seed % 2 == 0}));
        expect_bounds_of_every_vertex(test::random_scene(seed, {.own_positions = true}));
        expect_bounds_of_every_vertex(
            test::random_scene(seed, {.skinning = SkinningMethod::dual_quaternion}));
        expect_bounds_of_every_vertex(test::random_scene(seed, {.extrapolated = true}));
    }
}

TEST(ClipBounds, EqualTheUnionOfThePosesOfFixedShapes)
{
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE(seed);
        Scene scene = test::random_scene(seed, {.normalized_weights = true});
        test::remove_shapes(scene);
        for (Clip& clip : scene.clips)
            std::erase_if(clip.channels, [](const Channel& channel) {
                return channel.path == Path::weights || channel.path == Path::vertex_frame;
            });
        expect_bounds_of_every_vertex(scene);
    }
}

// Vertices on a diagonal: in every pose after the first only the ends can extend the box.
TEST(ClipBounds, SkinOnlyVerticesThatCanExtendTheBox)
{
    constexpr std::uint32_t vertices = 6'400;
    Scene scene;
    Mesh mesh;
    for (std::uint32_t v = 0; v < vertices; ++v) {
        mesh.positions.emplace_back(static_cast<float>(v) / vertices);
        mesh.indices.push_back(v);
    }
    mesh.primitives.push_back({.topology = Topology::points, .count = vertices});
    scene.meshes.push_back(std::move(mesh));
    scene.nodes.resize(1);
    scene.nodes[0].mesh = 0;
    scene.clips.resize(1);
    ClipBounds bounds(scene);
    const std::vector<double> times(100, 0.0);
    expect_same_box(bounds.over(0, times).exact, static_bounds(scene));
    EXPECT_LE(bounds.skinned_vertices(), 4 * vertices);
}

TEST(ClipBounds, OfStaticPosesAndOfNoTimes)
{
    const Scene scene = test::skinned_bar();
    ClipBounds bounds(scene);
    const double start = 0.0;
    expect_same_box(bounds.over(none, {&start, 1}).exact, static_bounds(scene));
    EXPECT_TRUE(bounds.over(0, {}).exact.empty());
    EXPECT_TRUE(bounds.over(0, {}).conservative.empty());
}

TEST(ClipBounds, FarFromTheOriginAreFinerThanFloats)
{
    Scene scene = test::skinned_bar();
    const double time = 0.0;
    const auto near = ClipBounds(scene).over(0, {&time, 1}).exact;
    const ClipBox far = ClipBounds(scene, {8.0, 0.0, 0.0}).over(0, {&time, 1});
    EXPECT_NEAR(far.exact.min.x, near.min.x, 1e-5f);
    EXPECT_NEAR(far.exact.max.y, near.max.y, 1e-5f);
    EXPECT_TRUE(far.conservative.contains(far.exact));
}

} // namespace
} // namespace vitrine::scene
