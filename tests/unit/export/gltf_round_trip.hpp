#pragma once
// Writes a scene as GLB, reads it back and compares its motion.

#include <algorithm>

#include <gtest/gtest.h>

#include "loaders/export/gltf/gltf_writer.hpp"
#include "loaders/gltf/gltf.hpp"
#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/geometry/geometry.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/memory_source.hpp"
#include "tests/support/pose_model.hpp"

namespace vitrine::exporting {

struct Exported {
    scene::Scene scene; // read back
    std::vector<scene::Warning> warnings;
    std::string file;
};

inline Exported round_trip(const scene::Scene& scene)
{
    const auto valid = scene::validate(scene);
    EXPECT_TRUE(valid) << valid.error().where << ": " << valid.error().detail;
    Exported out;
    const auto bytes = write_glb(scene, &out.warnings);
    EXPECT_TRUE(bytes);
    out.file.assign(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    test::MemorySource source("m.glb", {{"m.glb", out.file}});
    auto read = load_gltf(source, Limits());
    EXPECT_TRUE(read) << read.error().where << ": " << read.error().detail;
    out.scene = std::move(*read);
    return out;
}

inline std::vector<glm::vec3> corners(const scene::Scene& scene, std::uint32_t clip, double time)
{
    scene::Pose pose;
    scene::sample_pose(scene, clip, time, pose);
    return test::drawn_corners(scene, pose);
}

inline void expect_same_motion(scene::Scene before, const scene::Scene& after, double tolerance = 2e-5)
{
    scene::sort_nodes(before);
    ASSERT_EQ(before.clips.size(), after.clips.size());
    const auto compare = [&](std::uint32_t clip, double time) {
        const auto a = corners(before, clip, time), b = corners(after, clip, time);
        ASSERT_EQ(a.size(), b.size());
        scene::Aabb box;
        double largest = 0.0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            box.add(a[i]);
            largest = std::max(largest, test::difference(a[i], b[i]));
        }
        EXPECT_LE(largest, tolerance * glm::length(box.size())) << "clip " << clip << " at " << time;
    };
    compare(scene::none, 0.0);
    for (std::uint32_t clip = 0; clip < before.clips.size(); ++clip) {
        EXPECT_NEAR(after.clips[clip].duration, before.clips[clip].duration, 1e-6);
        for (int i = 0; i <= 20; ++i)
            compare(clip, before.clips[clip].duration * i / 20.0);
    }
}

inline bool warns(const Exported& exported, std::string_view code)
{
    return std::ranges::any_of(exported.warnings, [&](const auto& w) { return w.code == code; });
}

} // namespace vitrine::exporting
