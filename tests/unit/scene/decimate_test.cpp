#include "loaders/scene/preview/decimate.hpp"

#include <gtest/gtest.h>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/skinning/skinner.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "tests/support/random_scene.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::scene {
namespace {

Aabb box_at(const Scene& thin, const Pose& pose)
{
    Skinner skinner(thin);
    Aabb box;
    for (const auto& point : skinner.skinned_positions(pose))
        box.add(point);
    return box;
}

std::size_t elements_of(const Scene& scene)
{
    std::size_t count = 0;
    for (const auto& mesh : scene.meshes)
        count += mesh.indices.size() / 3;
    return count;
}

TEST(Decimate, MovesAsTheOriginal)
{
    for (const auto own_positions : {false, true})
        for (std::uint32_t seed = 1; seed <= 20; ++seed) {
            const auto scene = test::random_scene(seed, {.own_positions = own_positions});
            const auto all = decimated(scene, 1u << 30), some = decimated(scene, 20);
            EXPECT_TRUE(validate(all)) << seed;
            EXPECT_TRUE(validate(some)) << seed;
            Pose pose;
            for (const double time : {0.0, 0.4, 1.1}) {
                sample_pose(scene, 0, time, pose);
                const auto exact = pose_bounds(scene, pose);
                EXPECT_EQ(box_at(all, pose).min, exact.min) << seed;
                EXPECT_EQ(box_at(all, pose).max, exact.max) << seed;
                EXPECT_TRUE(exact.contains(box_at(some, pose))) << seed;
            }
        }
}

TEST(Decimate, KeepsTheOutermostElements)
{
    Scene scene;
    scene.nodes.resize(1);
    scene.nodes[0].mesh = 0;
    auto& mesh = scene.meshes.emplace_back();
    for (std::uint32_t i = 0; i < 30'000; ++i) {
        const float at = static_cast<float>(i) / 30'000.0f;
        mesh.positions.emplace_back(at, at * at, 0.1f * at);
        mesh.indices.push_back(i);
    }
    mesh.positions[1234] = {0.5f, -3.0f, 0.0f};
    mesh.positions[20'000] = {0.0f, 0.0f, 9.0f};
    mesh.normals.assign(mesh.positions.size(), glm::vec3(0.0f, 1.0f, 0.0f));
    mesh.primitives.push_back({.first = 0, .count = 15'000});
    mesh.primitives.push_back({.first = 15'000, .count = 15'000});
    const auto thin = decimated(scene, 100);
    EXPECT_LE(elements_of(thin), 110u);
    EXPECT_GE(elements_of(thin), 100u);
    Pose pose;
    static_pose(scene, pose);
    const auto exact = pose_bounds(scene, pose);
    EXPECT_EQ(box_at(thin, pose).min, exact.min);
    EXPECT_EQ(box_at(thin, pose).max, exact.max);
}

} // namespace
} // namespace vitrine::scene
