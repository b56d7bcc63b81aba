// The BVH files of Debian's assimp-testmodels: figures of human size in every frame, whatever their unit.
// tests/corpus/assimp_test.cpp compares their joints.

#include <filesystem>

#include <gtest/gtest.h>

#include "loaders/bvh/bvh.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/preview/bone_geometry.hpp"
#include "loaders/scene/preview/check_visibility.hpp"
#include "tests/support/load_model.hpp"
#include "tests/support/memory_source.hpp"

namespace fs = std::filesystem;
using namespace vitrine;

namespace {

const fs::path folder = "/usr/share/assimp/models/BVH";

// Between the highest and the lowest joint.
float height_at(const scene::Scene& scene, double time)
{
    scene::Pose pose;
    scene::sample_pose(scene, 0, time, pose);
    float low = 1e9f, high = -1e9f;
    for (const glm::mat4& joint : pose.model) {
        low = std::min(low, joint[3].y);
        high = std::max(high, joint[3].y);
    }
    return high - low;
}

} // namespace

TEST(CorpusBvh, FiguresHaveHumanSize)
{
    if (!fs::is_directory(folder)) GTEST_SKIP() << "no assimp-testmodels";
    struct Expected {
        const char* name;
        std::size_t joints;
        std::uint32_t frames;
        double unit, rate;
    };
    for (const Expected& expected : {Expected{"01_01.bvh", 38, 2752, 0.0254 / 0.45, 120.0},
                                     {"01_03.bvh", 38, 4511, 0.0254 / 0.45, 120.0},
                                     {"Boxing_Toes.bvh", 26, 3069, 0.01, 100.0}}) {
        SCOPED_TRACE(expected.name);
        auto source = test::MemorySource::folder_of(folder / expected.name);
        const auto scene = test::valid(load_bvh(source, {}));
        ASSERT_EQ(scene.clips.size(), 1u);
        EXPECT_EQ(scene.skins.at(0).joints.size(), expected.joints);
        EXPECT_EQ(scene.clips[0].frames, expected.frames);
        EXPECT_NEAR(scene.clips[0].frame_rate, expected.rate, 1e-3);
        EXPECT_DOUBLE_EQ(scene.file_space.unit_meters, expected.unit);
        for (const double part : {0.0, 0.3, 0.7}) {
            const float height = height_at(scene, part * scene.clips[0].duration);
            EXPECT_GT(height, 1.2f);
            EXPECT_LT(height, 2.2f);
        }
        const auto bones = scene::with_bone_geometry(scene);
        ASSERT_TRUE(bones);
        EXPECT_EQ(scene::check_visibility(*bones), scene::SceneVisibility::something);
    }
}
