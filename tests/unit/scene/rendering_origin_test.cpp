#include "loaders/scene/geometry/rendering_origin.hpp"

#include <gtest/gtest.h>

#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/skinning/skinning.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::test {
namespace {

scene::Scene bar_at(glm::vec3 place)
{
    auto scene = skinned_bar();
    for (auto& node : scene.nodes)
        if (node.parent == scene::none) node.local.translation += place;
    return scene;
}

std::vector<glm::vec3> points(const scene::Scene& scene, glm::dvec3 origin)
{
    scene::Pose pose;
    pose.origin = origin;
    scene::sample_pose(scene, 0, 0.7, pose);
    const auto instances = scene::find_instances(scene);
    std::vector<scene::PaletteEntry> palette(scene::palette_size(instances));
    scene::joint_palette(scene, instances, pose, palette);
    scene::SkinnedMesh mesh;
    scene::skin_instance(scene, instances.at(0), pose, palette, mesh);
    return mesh.positions;
}

TEST(RenderingOrigin, IsZeroForNearModels)
{
    EXPECT_EQ(scene::rendering_origin({}), glm::dvec3(0.0));
    EXPECT_EQ(scene::rendering_origin(skinned_bar()), glm::dvec3(0.0));
    EXPECT_EQ(scene::rendering_origin(bar_at({20.0f, -30.0f, 5.0f})), glm::dvec3(0.0));
}

TEST(RenderingOrigin, IsInsideFarModels)
{
    const auto origin = scene::rendering_origin(bar_at({1e6f, 0.0f, -1e7f}));
    EXPECT_NEAR(origin.x, 1e6, 10.0);
    EXPECT_NEAR(origin.z, -1e7, 10.0);
}

TEST(RenderingOrigin, IsZeroIfWeightsDoNotSumToOne)
{
    auto scene = bar_at({1e6f, 0.0f, 0.0f});
    scene.meshes[0].influences.weights[0] *= 0.9f;
    EXPECT_EQ(scene::rendering_origin(scene), glm::dvec3(0.0));
}

TEST(OffsetRestBounds, ArePreciseAtAnyDistance)
{
    const auto near = scene::static_bounds_from_origin(skinned_bar());
    EXPECT_EQ(near.origin, glm::dvec3(0.0));
    const glm::dvec3 place(4649776.0, 0.0, -16777216.0); // exact as floats
    const auto far = scene::static_bounds_from_origin(bar_at(place));
    EXPECT_NE(far.origin, glm::dvec3(0.0));
    for (int axis = 0; axis < 3; ++axis) {
        EXPECT_NEAR(far.origin[axis] + far.box.min[axis], place[axis] + near.box.min[axis], 1e-6);
        EXPECT_NEAR(far.origin[axis] + far.box.max[axis], place[axis] + near.box.max[axis], 1e-6);
    }
}

TEST(OffsetRestBounds, ConvertToFileSpace)
{
    const scene::FileSpace space{.axes = glm::mat3(1, 0, 0, 0, 0, -1, 0, 1, 0), .unit_meters = 0.01};
    const auto box =
        scene::to_file_space(space, scene::static_bounds_from_origin(bar_at({0.0f, 0.0f, -16777216.0f})));
    const auto near = scene::to_file_space(space, scene::static_bounds(skinned_bar()));
    EXPECT_NEAR(box.origin.y + box.box.min.y, 1677721600.0 + near.min.y, 1e-4);
    EXPECT_NEAR(box.origin.y + box.box.max.y, 1677721600.0 + near.max.y, 1e-4);
}

TEST(RenderingOrigin, PreservesTheShapeOfFarPoses)
{
    const auto near = points(bar_at({}), glm::dvec3(0.0));
    for (const float away : {1048576.0f, 16777216.0f}) { // exact as floats, including all sums
        const auto far = points(bar_at({away, 0.0f, 0.0f}), {away, 0.0, 0.0});
        ASSERT_EQ(far.size(), near.size());
        for (std::size_t i = 0; i < near.size(); ++i)
            EXPECT_LT(glm::distance(far[i], near[i]), 1e-6f) << i;
    }
}

} // namespace
} // namespace vitrine::test
