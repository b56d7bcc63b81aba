// Points of the surface in poses, against the skinning of the whole mesh.

#include "server/services/notes/surface_points.hpp"

#include <gtest/gtest.h>

#include "loaders/scene/skinning/skinner.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::server::testing {
namespace {

const std::array<double, 3> inside{0.2, 0.3, 0.5};

std::uint32_t node_of_mesh(const scene::Scene& scene)
{
    return scene::find_instances(scene).front().node;
}

// By skinning all vertices.
glm::dvec3 expected(const scene::Scene& scene, const SurfacePoint& point, std::uint32_t clip, double time)
{
    scene::Pose pose;
    scene::sample_pose(scene, clip, time, pose);
    scene::Skinner skinner(scene);
    const auto& positions = skinner.skin_positions(pose).front().positions;
    const auto& mesh = scene.meshes[point.mesh];
    glm::dvec3 sum(0.0);
    for (std::uint32_t corner = 0; corner < 3; ++corner) {
        const auto first = mesh.primitives[point.primitive].first + 3 * point.triangle;
        sum += point.barycentric[corner] * glm::dvec3(positions[mesh.indices[first + corner]]);
    }
    return sum;
}

void expect_follows(const scene::Scene& scene)
{
    const auto triangles = scene.meshes[0].primitives[0].count / 3;
    std::vector<SurfacePoint> points;
    for (std::uint32_t triangle = 0; triangle < triangles; ++triangle)
        points.push_back({node_of_mesh(scene), 0, 0, triangle, inside});
    const std::array times{0.0, 0.3, 1.0};
    const auto tracks = follow_points(scene, points, 0, times).value();
    const auto still = follow_points(scene, points, scene::none, std::span(times).first(1)).value();
    ASSERT_EQ(tracks.size(), points.size());
    double moved = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        EXPECT_EQ(surface_point_fault(scene, points[i]), "");
        ASSERT_EQ(tracks[i].size(), times.size());
        for (std::size_t k = 0; k < times.size(); ++k)
            EXPECT_LT(glm::length(tracks[i][k] - expected(scene, points[i], 0, times[k])), 1e-9);
        ASSERT_EQ(still[i].size(), 1u);
        EXPECT_LT(glm::length(still[i][0] - expected(scene, points[i], scene::none, 0.0)), 1e-9);
        moved = std::max(moved, glm::length(tracks[i][2] - still[i][0]));
    }
    EXPECT_GT(moved, 0.5);
}

} // namespace

TEST(SurfacePoints, FollowTheSkin)
{
    expect_follows(test::skinned_bar());
}

TEST(SurfacePoints, FollowMorphTargets)
{
    expect_follows(test::morphing_quad());
}

TEST(SurfacePoints, FollowVertexFrames)
{
    expect_follows(test::vertex_frame_triangle(12));
}

TEST(SurfacePoints, NameWhatTheModelLacks)
{
    const auto scene = test::skinned_bar();
    const SurfacePoint good{node_of_mesh(scene), 0, 0, 0, inside};
    EXPECT_EQ(surface_point_fault(scene, good), "");
    const auto fault = [&](auto change) {
        auto point = good;
        change(point);
        return surface_point_fault(scene, point);
    };
    EXPECT_NE(fault([](auto& p) { p.mesh = 1; }), "");
    EXPECT_NE(fault([](auto& p) { p.primitive = 1; }), "");
    EXPECT_NE(fault([](auto& p) { p.triangle = 1'000; }), "");
    EXPECT_NE(fault([](auto& p) { p.barycentric = {0.5, 0.5, 0.5}; }), "");
    EXPECT_NE(fault([](auto& p) { p.barycentric = {2.0, -1.0, 0.0}; }), "");
    EXPECT_EQ(fault([](auto& p) { p.node = 0; }), "") << "the node that draws the mesh now";
}

TEST(SurfacePoints, TopologyIsOfTheElementsAlone)
{
    const auto scene = test::skinned_bar();
    auto moved = scene;
    for (auto& position : moved.meshes[0].positions)
        position *= 2.0f;
    EXPECT_EQ(topology_of(moved, 0), topology_of(scene, 0));
    auto turned = scene;
    std::swap(turned.meshes[0].indices[0], turned.meshes[0].indices[1]);
    EXPECT_NE(topology_of(turned, 0), topology_of(scene, 0));
    EXPECT_EQ(topology_of(scene, 1), "");
}

TEST(SurfacePoints, LimitTheWork)
{
    auto scene = test::morphing_quad();
    const SurfacePoint point{node_of_mesh(scene), 0, 0, 0, inside};
    const std::vector<double> times(50'000'000, 0.0);
    EXPECT_EQ(follow_points(scene, std::span(&point, 1), 0, times).error().code, "too_much_work");
}

} // namespace vitrine::server::testing
