#include "loaders/scene/motion/node_sampler.hpp"

#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

#include "loaders/scene/motion/pose.hpp"
#include "tests/support/random_scene.hpp"

namespace vitrine::scene {
namespace {

TEST(NodeSampler, EqualsThePoseOfTheScene)
{
    for (std::uint32_t seed = 0; seed < 10; ++seed) {
        const Scene scene = test::random_scene(seed, {.extrapolated = seed % 2 == 0});
        Pose pose;
        for (std::uint32_t node = 0; node < scene.nodes.size(); ++node) {
            NodeSampler sampler(scene, 0, node);
            for (const double time : {-1.0, 0.0, 0.3, 0.7, 1.5, 9.0}) {
                sample_pose(scene, 0, time, pose);
                const Trs local = sampler.local_at(time);
                EXPECT_EQ(std::memcmp(&local, &pose.local[node], sizeof(local)), 0) << seed << " " << node;
                const auto first = pose.first_weight[node], end = pose.first_weight[node + 1];
                EXPECT_TRUE(std::ranges::equal(sampler.weights_at(time),
                                               std::span(pose.morph_weights).subspan(first, end - first)));
            }
        }
    }
}

} // namespace
} // namespace vitrine::scene
