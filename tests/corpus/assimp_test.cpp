// Every BVH, MD2, MD3, MD5, DAE, FBX, PLY and STL of the corpus and of Debian's assimp-testmodels against
// assimp 5.2: number of triangles, vertex positions in the static pose, joint names, clips and their
// durations, and for MD5 and BVH poses. Files that assimp rejects are left out.

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "loaders/dae/dae.hpp"
#include "loaders/fbx/fbx.hpp"
#include "loaders/md2/md2.hpp"
#include "loaders/md3/md3.hpp"
#include "loaders/md5/md5.hpp"
#include "loaders/ply/ply.hpp"
#include "loaders/scene/motion/file_nodes.hpp"
#include "loaders/stl/stl.hpp"
#include "tests/corpus/assimp_comparison.hpp"
#include "tests/corpus/assimp_differences.hpp"
#include "tests/corpus/assimp_files.hpp"
#include "tests/corpus/assimp_scene.hpp"
#include "tests/support/corpus.hpp"
#include "tests/support/memory_source.hpp"
#include "tests/support/pose_model.hpp"

namespace vitrine {
namespace {

namespace fs = std::filesystem;
using Points = std::vector<glm::dvec3>;
// The corners of all triangles in the file's axes and unit.
Points corners(const scene::Scene& scene, const scene::Pose& pose)
{
    const glm::dmat3 to_file = glm::inverse(glm::dmat3(scene.file_space.axes) * scene.file_space.unit_meters);
    scene::Skinner skinner(scene);
    const auto meshes = skinner.skin_positions(pose);
    Points points;
    for (std::size_t i = 0; i < meshes.size(); ++i) {
        const scene::Mesh& mesh = scene.meshes[skinner.instances()[i].mesh];
        for (const scene::Primitive& primitive : mesh.primitives) {
            if (primitive.topology != scene::Topology::triangles) continue;
            for (std::uint32_t c = primitive.first; c < primitive.first + primitive.count; ++c)
                points.push_back(to_file * glm::dvec3(meshes[i].positions[mesh.indices[c]]));
        }
    }
    return points;
}

Points rest_corners(const scene::Scene& scene)
{
    scene::Pose pose;
    scene::static_pose(scene, pose);
    return corners(scene, pose);
}

// Joints with a weight above zero.
std::set<std::string> joints(const scene::Scene& scene)
{
    std::set<std::string> names;
    for (const scene::Node& node : scene.nodes) {
        if (node.mesh == scene::none || node.skin == scene::none) continue;
        const scene::Influences& influences = scene.meshes[node.mesh].influences;
        for (std::size_t i = 0; i < influences.joints.size(); ++i) {
            const std::uint32_t joint = scene.skins[node.skin].joints[influences.joints[i]];
            if (influences.weights[i] > 0.0f) names.insert(scene.nodes[scene::file_node(scene, joint)].name);
        }
    }
    return names;
}

struct Format {
    std::string_view extension;
    Load load;
    bool has_skeletons = false;
    bool clips_from_zero = false; // assimp's durations start at 0 of the file's timeline
};

test::Differences compare_at_rest(const Points& ours, const Points& theirs)
{
    test::Differences found;
    if (ours.size() != theirs.size())
        found["triangles"] = fmt::format("{} in Vitrine, {} in assimp", ours.size() / 3, theirs.size() / 3);
    test::compare_points(ours, theirs, found);
    return found;
}

bool skips(const fs::path& file)
{
    const test::KnownDifference* known = test::find_known_difference(file.generic_string());
    return known && known->aspects == "skipped";
}

// Files that agree in every aspect: with triangles, with skin weights, and their clips.
struct Agreement {
    std::size_t files = 0, skinned = 0, clips = 0;
};

void compare(const Format& format, const fs::path& file, Agreement& agreement)
{
    const auto ours = skips(file) ? std::nullopt : load(format.load, file);
    if (!ours) return; // other tests check which files are rejected
    const test::AssimpScene theirs(file);
    if (!theirs.loaded()) return;
    const Points corners = theirs.corners();
    test::Differences found = compare_at_rest(rest_corners(*ours), corners);
    if (format.has_skeletons) {
        test::compare_joints(joints(*ours), theirs.joints(), found);
        test::compare_clips(*ours, theirs.clips(), format.clips_from_zero, found);
    }
    expect_known(file, found);
    if (!found.empty()) return;
    agreement.files += !corners.empty();
    agreement.skinned += !theirs.joints().empty();
    agreement.clips += theirs.clips().size();
}

Agreement compare_all(const Format& format)
{
    Agreement agreement;
    for (const fs::path& file : files_with(format.extension))
        compare(format, file, agreement);
    return agreement;
}

// A clip at its first two keys, in the middle and at its last key; false if assimp rejects the file.
bool compare_md5_clip(const scene::Scene& ours, std::uint32_t index, const test::AssimpScene& theirs,
                      const fs::path& file)
{
    const scene::Clip& clip = ours.clips[index];
    const test::AssimpScene animation(file.parent_path() / (clip.name + ".md5anim"));
    if (!animation.loaded()) return false;
    EXPECT_EQ(animation.clips().size(), 1u) << file << " " << clip.name;
    EXPECT_NEAR(animation.clips().at(0).duration, clip.duration, 1.01 / clip.frame_rate) << file << clip.name;
    for (const std::uint32_t key : {0u, 1u, clip.frames / 2, clip.frames - 1}) {
        scene::Pose pose;
        scene::sample_pose(ours, index, key / clip.frame_rate, pose);
        test::Differences found;
        test::compare_points(corners(ours, pose), theirs.corners_at(animation, key), found);
        EXPECT_TRUE(found.empty()) << file << " " << clip.name << " key " << key << ": "
                                   << found["positions"];
    }
    return true;
}

std::set<std::string> all_joints(const scene::Scene& scene)
{
    std::set<std::string> names;
    for (const std::uint32_t joint : scene.skins.at(0).joints)
        names.insert(scene.nodes[joint].name);
    return names;
}

} // namespace

TEST(CorpusAssimp, ReportsAShiftedVertex)
{
    const Points points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    Points shifted = points;
    test::Differences found;
    test::compare_points(points, shifted, found);
    EXPECT_TRUE(found.empty());
    shifted[1].z = 0.002; // the diagonal is 1.41
    test::compare_points(points, shifted, found);
    EXPECT_TRUE(found.contains("positions"));
}

TEST(CorpusAssimp, ListsFilesThatExist)
{
    if (!has_everything()) GTEST_SKIP() << skipped;
    std::vector<fs::path> files = files_with(".dae");
    std::ranges::copy(files_with(".fbx"), std::back_inserter(files));
    for (const test::KnownDifference& known : test::known_differences())
        EXPECT_TRUE(std::ranges::any_of(files, [&](const fs::path& file) {
            return file.generic_string().ends_with(known.file);
        })) << known.file;
}

TEST(CorpusAssimp, Md2)
{
    if (!has_everything()) GTEST_SKIP() << skipped;
    EXPECT_GE(compare_all({".md2", load_md2}).files, 12u);
}

TEST(CorpusAssimp, Md3)
{
    if (!has_everything()) GTEST_SKIP() << skipped;
    EXPECT_GE(compare_all({".md3", load_md3}).files, 14u);
}

TEST(CorpusAssimp, Md5)
{
    if (!has_everything()) GTEST_SKIP() << skipped;
    int meshes = 0, clips = 0;
    for (const fs::path& file : files_with(".md5mesh")) {
        const auto ours = load(load_md5, file);
        if (!ours) continue;
        const test::AssimpScene theirs(file);
        if (!theirs.loaded()) continue;
        test::Differences found = compare_at_rest(rest_corners(*ours), theirs.corners());
        test::compare_joints(all_joints(*ours), theirs.nodes_below("<MD5_Hierarchy>"), found);
        expect_known(file, found);
        for (std::uint32_t clip = 0; clip < ours->clips.size(); ++clip)
            clips += compare_md5_clip(*ours, clip, theirs, file);
        ++meshes;
    }
    EXPECT_GE(meshes, 8);
    EXPECT_GE(clips, 7);
}

TEST(CorpusAssimp, Ply)
{
    if (!has_everything()) GTEST_SKIP() << skipped;
    EXPECT_GE(compare_all({".ply", load_ply}).files, 5u);
}

TEST(CorpusAssimp, Stl)
{
    if (!has_everything()) GTEST_SKIP() << skipped;
    EXPECT_GE(compare_all({".stl", load_stl}).files, 8u);
}

TEST(CorpusAssimp, Dae)
{
    if (!has_everything()) GTEST_SKIP() << skipped;
    const Agreement agreement = compare_all({".dae", load_dae, true, true});
    EXPECT_GE(agreement.files, 147u);
    EXPECT_GE(agreement.skinned, 7u);
    EXPECT_GE(agreement.clips, 15u);
}

TEST(CorpusAssimp, Fbx)
{
    if (!has_everything()) GTEST_SKIP() << skipped;
    const Agreement agreement = compare_all({".fbx", load_fbx, true});
    EXPECT_GE(agreement.files, 184u);
    EXPECT_GE(agreement.skinned, 16u);
    EXPECT_GE(agreement.clips, 54u);
}

} // namespace vitrine
