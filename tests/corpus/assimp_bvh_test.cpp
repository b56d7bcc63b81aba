// BVH beside assimp: clips, and all joints in some frames.

#include <algorithm>

#include "loaders/bvh/bvh.hpp"
#include "tests/corpus/assimp_files.hpp"
#include "tests/corpus/assimp_scene.hpp"

namespace vitrine {
namespace {

// assimp names an End Site after its parent, too.
std::string name_in_assimp(const std::string& name)
{
    constexpr std::string_view suffix = "_end";
    if (!name.ends_with(suffix)) return name;
    return "EndSite_" + name.substr(0, name.size() - suffix.size());
}

// All joints at a frame, in the file's unit.
void compare_bvh_frame(const scene::Scene& ours, const test::AssimpScene& theirs, std::uint32_t frame,
                       const fs::path& file)
{
    scene::Pose pose;
    scene::sample_pose(ours, 0, frame / ours.clips[0].frame_rate, pose);
    const auto expected = theirs.nodes_at(frame);
    EXPECT_EQ(expected.size(), ours.nodes.size()) << file;
    double worst = 0.0;
    for (std::size_t n = 0; n < ours.nodes.size(); ++n) {
        const auto found = expected.find(name_in_assimp(ours.nodes[n].name));
        ASSERT_NE(found, expected.end()) << file << " " << ours.nodes[n].name;
        const glm::dvec3 at = glm::dvec3(pose.model[n][3]) / ours.file_space.unit_meters;
        worst = std::max(worst, glm::distance(at, found->second) * ours.file_space.unit_meters);
    }
    EXPECT_LT(worst, 1e-4) << file << " frame " << frame << " (meters)";
}

} // namespace

TEST(CorpusAssimp, Bvh)
{
    if (!has_everything()) GTEST_SKIP() << skipped;
    int files = 0;
    for (const fs::path& file : files_with(".bvh")) {
        const auto ours = load(load_bvh, file);
        ASSERT_TRUE(ours) << file;
        const test::AssimpScene theirs(file);
        if (!theirs.loaded()) continue;
        test::Differences found;
        test::compare_clips(*ours, theirs.clips(), false, found);
        expect_known(file, found);
        const scene::Clip& clip = ours->clips.at(0);
        for (const std::uint32_t frame : {0u, 1u, clip.frames / 3, clip.frames / 2, clip.frames - 1})
            compare_bvh_frame(*ours, theirs, frame, file);
        ++files;
    }
    EXPECT_GE(files, 3);
}

} // namespace vitrine
