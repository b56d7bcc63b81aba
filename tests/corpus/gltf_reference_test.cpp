// Figures of an independent evaluator (three.js), one line of truth/gltf.jsonl a file: vertices, clips, and
// bounds in the static pose and at three times of the first clips, in the file's space.

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "loaders/gltf/gltf.hpp"
#include "loaders/io/json/json.hpp"
#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "tests/corpus/gltf_corpus.hpp"
#include "tests/corpus/reference_box.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/corpus.hpp"
#include "tests/support/memory_source.hpp"

namespace vitrine {
namespace {

using io::JsonValue;
using test::read_box;

constexpr double tolerance = 1e-4; // of the model's size

// Files that the evaluator counts or shows otherwise, and why. Everything else of them is still compared.
const std::set<std::string, std::less<>> vertices_differ = {
    // It counts a POSITION accessor once for each primitive or node that names it; we count it once.
    "glTF-Blender-IO/tests/roundtrip/23_multi_prim_vertex_attribute/23_multi_prim_vertex_attribute.gltf",
    "magnum-plugins/src/MagnumPlugins/AssimpImporter/Test/skin-shared.gltf",
};

double size_of(const scene::Aabb& box)
{
    return std::max<double>(glm::length(box.size()), 1e-6);
}

class Comparison {
public:
    Comparison(const scene::Scene& scene, JsonValue truth)
        : scene_(scene), truth_(truth), file_(truth["file"].string().value_or(""))
    {
    }

    void run()
    {
        if (!vertices_differ.contains(file_)) {
            EXPECT_EQ(scene_.source_vertices, truth_["verts"].unsigned_integer()) << file_;
        }
        const scene::Aabb rest = read_box(truth_["rest"][0u], truth_["rest"][1u]);
        size_ = size_of(rest);
        expect_box(scene::static_bounds(scene_), rest, "in the static pose");
        compare_clips();
        for (const JsonValue frame : truth_["frames"])
            compare_frame(frame);
    }

private:
    void compare_clips()
    {
        ASSERT_EQ(scene_.clips.size(), truth_["clips"].size()) << file_;
        for (std::uint32_t n = 0; n < scene_.clips.size(); ++n) {
            const JsonValue clip = truth_["clips"][n];
            EXPECT_EQ(scene_.clips[n].name, clip["name"].string()) << file_;
            EXPECT_NEAR(scene_.clips[n].duration, clip["dur"].number().value_or(-1.0), 1e-6) << file_;
        }
    }

    void compare_frame(JsonValue frame)
    {
        const std::string_view name = frame["clip"].string().value_or("");
        const double time = frame["t"].number().value_or(0.0);
        const auto clip = std::ranges::find(scene_.clips, name, &scene::Clip::name);
        ASSERT_NE(clip, scene_.clips.end()) << file_ << " " << name;
        scene::sample_pose(scene_, static_cast<std::uint32_t>(clip - scene_.clips.begin()), time, pose_);
        expect_box(scene::pose_bounds(scene_, pose_), read_box(frame["min"], frame["max"]),
                   fmt::format("clip {} at {} s", name, time));
    }

    void expect_box(const scene::Aabb& ours, const scene::Aabb& truth, const std::string& label)
    {
        EXPECT_LE(test::difference(ours, truth), tolerance * size_)
            << file_ << " " << label << "\nours  " << test::text(ours) << "\ntruth " << test::text(truth);
    }

    const scene::Scene& scene_;
    JsonValue truth_;
    std::string file_;
    double size_ = 1.0;
    scene::Pose pose_;
};

void compare_line(const std::filesystem::path& corpus, const std::string& line, int& compared)
{
    const auto document = io::JsonDocument::parse(std::as_bytes(std::span(line)), Limits());
    ASSERT_TRUE(document) << line;
    const JsonValue truth = document->root();
    if (truth["ok"].boolean() != true) return;
    test::FolderSource source(corpus / truth["file"].string().value_or(""));
    const auto scene = load_gltf(source, Limits());
    ASSERT_TRUE(scene) << source.main_name() << ": " << scene.error().detail;
    Comparison(*scene, truth).run();
    ++compared;
}

// Counted in the text, not by what was understood of it.
int count_ok_lines(const std::string& lines)
{
    constexpr std::string_view mark = R"("ok": true)";
    int count = 0;
    for (std::size_t at = lines.find(mark); at != lines.npos; at = lines.find(mark, at + 1))
        ++count;
    return count;
}

TEST(CorpusGltf, AgreesWithTheReference)
{
    const auto corpus = test::corpus_dir();
    if (!corpus) GTEST_SKIP() << "no corpus: set VITRINE_CORPUS";
    const std::string lines = test::read_file(*corpus / "truth" / "gltf.jsonl");
    int compared = 0;
    for (std::size_t at = 0; at < lines.size();) {
        const std::size_t end = std::min(lines.find('\n', at), lines.size());
        if (end > at) compare_line(*corpus, lines.substr(at, end - at), compared);
        at = end + 1;
    }
    fmt::print("{} files agree on vertices, clips and bounds\n", compared);
    EXPECT_GE(compared, 17);
    EXPECT_EQ(compared, count_ok_lines(lines));
}

} // namespace
} // namespace vitrine
