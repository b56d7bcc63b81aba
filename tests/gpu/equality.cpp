#include "tests/gpu/equality.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "loaders/scene/bounds/bounds.hpp"
#include "tests/support/pose_model.hpp"

namespace vitrine::test {
namespace {

constexpr double position_tolerance = 1e-5;
const double normal_tolerance = std::cos(0.5 * 3.14159265358979 / 180.0);

struct Reference {
    std::vector<scene::SkinnedMesh> meshes;
    scene::Aabb box;
    double size = 0.0; // max(extent, distance from the origin)
};

Reference reference_of(const scene::Scene& scene, const render::ClipTime& clip_time)
{
    scene::Pose pose;
    render::sample_pose(scene, clip_time, pose);
    Reference reference;
    reference.meshes = skinned_in(scene, pose);
    scene::Aabb everything;
    for (const auto& mesh : reference.meshes)
        for (const auto& p : mesh.positions)
            everything.add(p);
    reference.box = scene::pose_bounds(scene, pose);
    const auto far = glm::max(glm::abs(everything.min), glm::abs(everything.max));
    const auto extent = everything.size();
    reference.size = std::max({far.x, far.y, far.z, extent.x, extent.y, extent.z});
    return reference;
}

double distance(glm::vec3 a, glm::vec3 b)
{
    return glm::length(glm::dvec3(a) - glm::dvec3(b));
}

// Compares vertices whose tangent is defined.
void expect_equal_tangents(const scene::SkinnedMesh& actual, const scene::SkinnedMesh& expected)
{
    if (actual.tangents.empty()) return;
    ASSERT_EQ(actual.tangents.size(), expected.tangents.size());
    std::size_t wrong = 0;
    for (std::size_t v = 0; v < expected.tangents.size(); ++v) {
        const glm::dvec3 a(actual.tangents[v]), b(expected.tangents[v]);
        const bool same =
            glm::dot(a, b) >= normal_tolerance && actual.tangents[v].w == expected.tangents[v].w;
        if (!same && glm::length(b) > 0.5 && wrong++ < 3)
            ADD_FAILURE() << "vertex " << v << ": cosine of tangents " << glm::dot(a, b) << ", signs "
                          << actual.tangents[v].w << " and " << expected.tangents[v].w;
    }
    EXPECT_EQ(wrong, 0u) << "of " << expected.tangents.size() << " tangents";
}

void expect_equal(const scene::SkinnedMesh& actual, const scene::SkinnedMesh& expected, double size)
{
    ASSERT_EQ(actual.positions.size(), expected.positions.size());
    ASSERT_EQ(actual.normals.size(), expected.normals.size());
    const bool has_surface = !expected.normals.empty() && size > 0.0; // not of what is scaled to a point
    std::size_t wrong = 0;
    for (std::size_t v = 0; v < expected.positions.size(); ++v) {
        const double error = distance(actual.positions[v], expected.positions[v]);
        const bool has_normal = has_surface && glm::length(expected.normals[v]) > 0.5f;
        const double cosine =
            has_normal ? glm::dot(glm::dvec3(actual.normals[v]), glm::dvec3(expected.normals[v])) : 1.0;
        if (error <= position_tolerance * size && (!has_normal || cosine >= normal_tolerance)) continue;
        if (wrong++ < 3)
            ADD_FAILURE() << "vertex " << v << ": position off by " << error << " of " << size
                          << ", cosine of normals " << cosine;
    }
    EXPECT_EQ(wrong, 0u) << "of " << expected.positions.size() << " vertices";
}

std::vector<render::ClipTime> moments_of(const scene::Scene& scene, std::size_t times, std::size_t clips)
{
    std::vector<render::ClipTime> clip_times{{}};
    for (std::uint32_t clip = 0; clip < std::min(clips, scene.clips.size()); ++clip)
        for (std::size_t i = 0; i < times; ++i)
            clip_times.push_back({clip, scene.clips[clip].duration * static_cast<double>(i) /
                                            static_cast<double>(std::max<std::size_t>(times - 1, 1))});
    return clip_times;
}

} // namespace

void expect_equal_skinning(render::Renderer& renderer, const render::SharedScene& scene, std::size_t times,
                           std::size_t clips)
{
    expect_equal_skinning_at(renderer, scene, moments_of(*scene, times, clips));
}

void expect_equal_skinning_at(render::Renderer& renderer, const render::SharedScene& scene,
                              std::span<const render::ClipTime> clip_times)
{
    const auto boxes = renderer.bounds(scene, clip_times);
    for (std::size_t m = 0; m < clip_times.size(); ++m) {
        SCOPED_TRACE(testing::Message() << "clip " << clip_times[m].clip << " time " << clip_times[m].time);
        const auto expected = reference_of(*scene, clip_times[m]);
        const auto actual = renderer.skin(scene, clip_times[m]);
        ASSERT_EQ(actual.size(), expected.meshes.size());
        for (std::size_t i = 0; i < actual.size(); ++i) {
            expect_equal(actual[i], expected.meshes[i], expected.size);
            expect_equal_tangents(actual[i], expected.meshes[i]);
        }
        EXPECT_LE(distance(boxes[m].min, expected.box.min), position_tolerance * expected.size);
        EXPECT_LE(distance(boxes[m].max, expected.box.max), position_tolerance * expected.size);
    }
}

} // namespace vitrine::test
