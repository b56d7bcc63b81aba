// Every MD3 of the corpus: against an evaluator of its own at every frame, and against the figures of
// truth/md3.jsonl; the player as one character.

#include <array>
#include <cstring>
#include <filesystem>

#include <gtest/gtest.h>
#include <simdjson.h>

#include "loaders/md3/md3.hpp"
#include "loaders/scene/parts/levels.hpp"
#include "tests/corpus/reference_lines.hpp"
#include "tests/support/corpus.hpp"
#include "tests/support/frame_reference.hpp"
#include "tests/support/load_model.hpp"
#include "tests/support/memory_source.hpp"

namespace fs = std::filesystem;
using namespace vitrine;

namespace {

scene::Scene load(const fs::path& file, bool whole = false)
{
    SCOPED_TRACE(file.string());
    auto source = test::MemorySource::folder_of(file);
    if (whole) source.make_whole_upload();
    return test::valid(load_md3(source, {}));
}

// The file read without the loader: each vertex of each surface in each frame, scene space.
class Reference {
public:
    explicit Reference(const fs::path& file) : bytes_(test::read_file(file)) {}
    std::uint32_t word(std::size_t at) const
    {
        std::uint32_t value = 0;
        std::memcpy(&value, bytes_.data() + at, sizeof value);
        return value;
    }
    std::uint32_t frames() const { return word(76); }
    // The surfaces that hold a vertex: tools leave empty ones behind, which make no mesh.
    std::vector<std::uint32_t> surfaces() const
    {
        std::vector<std::uint32_t> out;
        for (std::uint32_t s = 0; s < word(84); ++s)
            if (word(surface_at(s) + 80) > 0) out.push_back(s);
        return out;
    }
    std::vector<glm::dvec3> vertices(std::uint32_t surface, std::uint32_t frame) const
    {
        const std::size_t at = surface_at(surface);
        const std::uint32_t count = word(at + 80);
        std::vector<glm::dvec3> out;
        for (std::uint32_t v = 0; v < count; ++v) {
            std::array<std::int16_t, 3> p{};
            std::memcpy(p.data(), bytes_.data() + at + word(at + 100) + 8 * (std::size_t{frame} * count + v),
                        6);
            out.emplace_back(p[0] / 64.0, p[2] / 64.0, -p[1] / 64.0);
        }
        return out;
    }

private:
    std::size_t surface_at(std::uint32_t surface) const
    {
        std::size_t at = word(100);
        for (std::uint32_t s = 0; s < surface; ++s)
            at += word(at + 104);
        return at;
    }
    std::string bytes_;
};

void compare_frames(const fs::path& file)
{
    const scene::Scene scene = load(file);
    const Reference reference(file);
    const auto surfaces = reference.surfaces();
    double worst = 0.0;
    ASSERT_EQ(scene.clips.at(0).frames, reference.frames()) << file;
    for (std::uint32_t f = 0; f < reference.frames(); ++f) {
        const auto skinned = test::skin_at(scene, 0, f / 15.0);
        ASSERT_EQ(skinned.size(), surfaces.size()) << file;
        for (std::uint32_t s = 0; s < skinned.size(); ++s) {
            const auto wanted = reference.vertices(surfaces[s], f);
            ASSERT_EQ(skinned[s].positions.size(), wanted.size()) << file;
            for (std::size_t v = 0; v < wanted.size(); ++v)
                worst = std::max(worst, glm::distance(glm::dvec3(skinned[s].positions[v]), wanted[v]));
        }
    }
    EXPECT_LE(worst, 1e-5 * test::size_of(scene)) << file;
}

// ["name", origin, forward, left, up] against the tag's node: the place, and the forward direction.
void compare_tag(const scene::Scene& scene, const scene::Pose& pose, simdjson::dom::element truth,
                 const std::string& where)
{
    const auto number = [&](std::size_t i) { return static_cast<float>(double(truth.at(i))); };
    const auto node =
        std::ranges::find(scene.nodes, std::string(std::string_view(truth.at(0))), &scene::Node::name);
    ASSERT_NE(node, scene.nodes.end()) << where;
    const glm::mat4& model = pose.model[static_cast<std::size_t>(node - scene.nodes.begin())];
    const glm::mat3& axes = scene.file_space.axes;
    const glm::vec3 origin = axes * glm::vec3(number(1), number(2), number(3));
    EXPECT_LT(glm::distance(glm::vec3(model[3]), origin), 2e-5f) << where;
    for (int axis = 0; axis < 3; ++axis) {
        const auto at = std::size_t{4} + std::size_t{3} * static_cast<std::size_t>(axis);
        const glm::vec3 wanted = glm::normalize(axes * glm::vec3(number(at), number(at + 1), number(at + 2)));
        const glm::vec3 found = glm::mat3(model) * (axes * glm::mat3(1.0f)[axis]);
        EXPECT_LT(glm::distance(found, wanted), 2e-3f) << where << " axis " << axis;
    }
}

void compare_truth(const fs::path& corpus, simdjson::dom::element truth)
{
    const std::string file{std::string_view(truth["file"])};
    const scene::Scene scene = load(corpus / file);
    std::uint64_t vertices = 0, triangles = 0, surfaces = 0;
    for (simdjson::dom::element surface : truth["surfaces"].get_array()) {
        const auto& mesh = scene.meshes.at(surfaces++);
        EXPECT_EQ(mesh.name, std::string_view(surface.at(0))) << file;
        vertices += std::uint64_t(surface.at(1));
        triangles += std::uint64_t(surface.at(2));
        EXPECT_EQ(mesh.frames.count, std::uint64_t(surface.at(3))) << file;
    }
    EXPECT_EQ(scene.meshes.size(), surfaces) << file;
    EXPECT_EQ(scene.source_vertices, vertices) << file;
    EXPECT_EQ(scene.source_polygons, triangles) << file;
    EXPECT_EQ(scene.clips.at(0).frames, std::uint64_t(truth["frames"])) << file;
    for (const auto [frame, box] : simdjson::dom::object(truth["bounds"]))
        test::compare_bounds(scene, std::stoul(std::string(frame)), box, file);
    for (const auto [frame, tags] : simdjson::dom::object(truth["tags"])) {
        scene::Pose pose;
        scene::sample_pose(scene, 0, std::stod(std::string(frame)) / 15.0, pose);
        for (simdjson::dom::element tag : tags.get_array())
            compare_tag(scene, pose, tag, file + " frame " + std::string(frame));
    }
}

} // namespace

TEST(CorpusMd3, EqualsAnIndependentEvaluatorAtEveryFrame)
{
    const auto corpus = test::corpus_dir();
    if (!corpus) GTEST_SKIP() << "no corpus here";
    std::size_t count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(*corpus)) {
        if (entry.path().extension() != ".md3") continue;
        compare_frames(entry.path());
        ++count;
    }
    EXPECT_GE(count, 14u);
}

TEST(CorpusMd3, EqualsTheReferenceFigures)
{
    const auto corpus = test::corpus_dir();
    if (!corpus) GTEST_SKIP() << "no corpus here";
    EXPECT_GE(test::compare_reference_lines(*corpus, "md3", compare_truth), 13u);
}

TEST(CorpusMd3, PlayerIsOneStandingCharacter)
{
    const auto corpus = test::corpus_dir();
    if (!corpus) GTEST_SKIP() << "no corpus here";
    const scene::Scene sarge = load(*corpus / "openarena/models/players/sarge/lower.md3", true);
    EXPECT_EQ(std::ranges::count(sarge.meshes, false, &scene::Mesh::shares_geometry), 3);
    EXPECT_EQ(scene::level_count(sarge), 3u);
    EXPECT_EQ(sarge.source_vertices, 278u + 435u + 140u);
    EXPECT_EQ(sarge.clips.size(), 25u);
    const auto idle = std::ranges::find(sarge.clips, "LEGS_IDLE", &scene::Clip::name);
    ASSERT_NE(idle, sarge.clips.end());
    scene::Pose pose;
    scene::sample_pose(sarge, static_cast<std::uint32_t>(idle - sarge.clips.begin()), 0.0, pose);
    // Taller than wide and deep: head over torso over legs, 56 units as the game has its players.
    const auto size = scene::pose_bounds(sarge, pose).size();
    EXPECT_GT(size.y, 45.0f);
    EXPECT_LT(size.y, 65.0f);
    EXPECT_GT(size.y, size.x);
    EXPECT_GT(size.y, size.z);
}
