// Every MD5 of the corpus: against the evaluator beside this file at every frame, and against the figures of
// truth/md5.jsonl.

#include <filesystem>

#include <gtest/gtest.h>
#include <simdjson.h>

#include "loaders/md5/md5.hpp"
#include "loaders/scene/bounds/bounds.hpp"
#include "tests/corpus/md5_reference.hpp"
#include "tests/corpus/reference_lines.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/corpus.hpp"
#include "tests/support/frame_reference.hpp"
#include "tests/support/load_model.hpp"
#include "tests/support/memory_source.hpp"
#include "tests/support/pose_model.hpp"

namespace fs = std::filesystem;
using namespace vitrine;

namespace {

// Relative to the model's extent.
constexpr double tolerance = 1e-5;

struct Loaded {
    scene::Scene scene;
    test::md5::Model model;
    double size = 0.0; // largest extent or distance from the origin
};

glm::dvec3 to_scene(const glm::dvec3& p)
{
    return {p.x, p.z, -p.y};
}

Loaded load(const fs::path& file)
{
    SCOPED_TRACE(file.string());
    auto source = test::MemorySource::folder_of(file);
    auto loaded = test::valid(load_md5(source, {}));
    const double size = test::size_of(loaded);
    return {std::move(loaded), test::md5::read_model(test::read_file(file)), size};
}

// The largest distance between the loader's vertices at `time` and the reference's.
double worst_distance(const Loaded& loaded, const scene::Pose& pose,
                      const std::vector<test::md5::Joint>& joints)
{
    const auto found = test::skinned_in(loaded.scene, pose);
    if (found.size() != loaded.model.meshes.size()) return 1e9;
    double worst = 0.0;
    for (std::size_t m = 0; m < found.size(); ++m) {
        const auto wanted = test::md5::positions_of(loaded.model.meshes[m], joints);
        if (found[m].positions.size() != wanted.size()) return 1e9;
        for (std::size_t v = 0; v < wanted.size(); ++v)
            worst = std::max(worst, glm::distance(glm::dvec3(found[m].positions[v]), to_scene(wanted[v])));
    }
    return worst;
}

void compare_clip(const Loaded& loaded, std::uint32_t clip, const fs::path& file)
{
    const auto animation = test::md5::read_animation(test::read_file(file));
    ASSERT_EQ(loaded.scene.clips[clip].frames, animation.frames.size());
    scene::Pose pose;
    double worst = 0.0;
    for (std::size_t f = 0; f < animation.frames.size(); ++f) {
        const auto here = test::md5::joints_at(animation, f);
        scene::sample_pose(loaded.scene, clip, static_cast<double>(f) / animation.rate, pose);
        worst = std::max(worst, worst_distance(loaded, pose, test::md5::posed(loaded.model, here)));
        if (f + 1 == animation.frames.size()) break;
        const auto between = test::md5::mixed(here, test::md5::joints_at(animation, f + 1), 0.3);
        scene::sample_pose(loaded.scene, clip, (static_cast<double>(f) + 0.3) / animation.rate, pose);
        worst = std::max(worst, worst_distance(loaded, pose, test::md5::posed(loaded.model, between)));
    }
    EXPECT_LE(worst, tolerance * loaded.size) << file;
    std::printf("%s: %zu frames, worst %.2e of the size\n", file.c_str(), animation.frames.size(),
                worst / loaded.size);
}

void compare_truth_clip(const Loaded& loaded, const std::string& name, simdjson::dom::element truth)
{
    const auto clip =
        std::ranges::find(loaded.scene.clips, fs::path(name).stem().string(), &scene::Clip::name);
    ASSERT_NE(clip, loaded.scene.clips.end()) << name;
    EXPECT_EQ(clip->frames, std::uint64_t(truth["frames"])) << name;
    EXPECT_EQ(clip->frame_rate, double(truth["fps"])) << name;
    const auto index = static_cast<std::uint32_t>(clip - loaded.scene.clips.begin());
    scene::Pose pose;
    for (const auto [frame, box] : simdjson::dom::object(truth["bounds"])) {
        scene::sample_pose(loaded.scene, index, std::stod(std::string(frame)) / clip->frame_rate, pose);
        const auto found =
            scene::to_file_space(loaded.scene.file_space, scene::pose_bounds(loaded.scene, pose));
        EXPECT_LE(test::difference(found, test::read_box(box)), 6e-5 + tolerance * loaded.size)
            << name << " frame " << frame;
    }
}

void compare_truth(const fs::path& corpus, simdjson::dom::element truth)
{
    const std::string file{std::string_view(truth["file"])};
    if (file.contains("invalid/")) {
        auto source = test::MemorySource::folder_of(corpus / file);
        const auto rejected = load_md5(source, {});
        ASSERT_FALSE(rejected) << file;
        EXPECT_TRUE(rejected.error().where.starts_with("line ")) << file;
        return;
    }
    const Loaded loaded = load(corpus / file);
    EXPECT_EQ(loaded.scene.skins.at(0).joints.size(), std::uint64_t(truth["joints"])) << file;
    EXPECT_EQ(loaded.scene.meshes.size(), std::uint64_t(truth["meshes"])) << file;
    EXPECT_EQ(loaded.scene.source_vertices, std::uint64_t(truth["verts"])) << file;
    EXPECT_EQ(loaded.scene.source_polygons, std::uint64_t(truth["tris"])) << file;
    const auto rest = scene::to_file_space(loaded.scene.file_space, scene::static_bounds(loaded.scene));
    EXPECT_LE(test::difference(rest, test::read_box(truth["bind"])), 1e-5 + tolerance * loaded.size) << file;
    for (const auto [name, clip] : simdjson::dom::object(truth["anims"])) {
        compare_truth_clip(loaded, std::string(name), clip);
    }
}

} // namespace

TEST(CorpusMd5, EqualsAnIndependentEvaluatorAtEveryFrame)
{
    const auto corpus = test::corpus_dir();
    if (!corpus) GTEST_SKIP() << "no corpus here";
    std::size_t clips = 0;
    for (const auto& entry : fs::recursive_directory_iterator(*corpus)) {
        const fs::path& file = entry.path();
        if (file.extension() != ".md5mesh" || file.string().contains("invalid")) continue;
        const Loaded loaded = load(file);
        scene::Pose pose;
        scene::static_pose(loaded.scene, pose);
        EXPECT_LE(worst_distance(loaded, pose, loaded.model.joints), tolerance * loaded.size) << file;
        for (std::uint32_t c = 0; c < loaded.scene.clips.size(); ++c, ++clips) {
            compare_clip(loaded, c, file.parent_path() / (loaded.scene.clips[c].name + ".md5anim"));
        }
    }
    EXPECT_GE(clips, 7u);
}

TEST(CorpusMd5, EqualsTheReferenceFigures)
{
    const auto corpus = test::corpus_dir();
    if (!corpus) GTEST_SKIP() << "no corpus here";
    EXPECT_GE(test::compare_reference_lines(*corpus, "md5", compare_truth), 9u);
}

TEST(CorpusMd5, RejectsTheMalformedOnes)
{
    const auto corpus = test::corpus_dir();
    if (!corpus) GTEST_SKIP() << "no corpus here";
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(*corpus / "assimp/models/MD5/invalid")) {
        auto source = test::MemorySource::folder_of(entry.path());
        const auto rejected = load_md5(source, {});
        ASSERT_FALSE(rejected) << entry.path();
        EXPECT_EQ(rejected.error().code, LoadErrc::out_of_range) << entry.path();
        EXPECT_TRUE(rejected.error().where.starts_with("line ")) << entry.path();
        ++count;
    }
    EXPECT_GE(count, 4u);
}
