// Every MD2 of the corpus and of assimp's models: against an evaluator of its own at every frame, and against
// the figures of truth/md2.jsonl.

#include <array>
#include <cstring>
#include <filesystem>

#include <gtest/gtest.h>
#include <simdjson.h>

#include "loaders/md2/md2.hpp"
#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/skinning/skinning.hpp"
#include "tests/corpus/reference_lines.hpp"
#include "tests/support/corpus.hpp"
#include "tests/support/frame_reference.hpp"
#include "tests/support/load_model.hpp"
#include "tests/support/memory_source.hpp"

namespace fs = std::filesystem;
using namespace vitrine;

namespace {

scene::Scene load(const fs::path& file)
{
    SCOPED_TRACE(file.string());
    auto source = test::MemorySource::folder_of(file);
    return test::valid(load_md2(source, {}));
}

// The file read without the loader: triangle by triangle, frame by frame.
class Reference {
public:
    explicit Reference(const fs::path& file) : bytes_(test::read_file(file))
    {
        std::memcpy(header_.data(), bytes_.data(), sizeof header_);
    }
    std::uint32_t frames() const { return header_[10]; }
    std::uint32_t triangles() const { return header_[8]; }

    // Scene space; the corner's place in the scene's triangle, which is turned round.
    glm::dvec3 corner(std::uint32_t frame, std::uint32_t triangle, std::uint32_t corner) const
    {
        constexpr std::array<std::uint32_t, 3> turned{0, 2, 1};
        std::array<std::uint16_t, 6> indices{};
        std::memcpy(indices.data(), bytes_.data() + header_[13] + std::size_t{triangle} * 12, 12);
        const char* at = bytes_.data() + header_[14] + std::size_t{frame} * header_[4];
        std::array<float, 6> place{};
        std::memcpy(place.data(), at, sizeof place);
        const auto* vertex =
            reinterpret_cast<const unsigned char*>(at) + 40 + std::size_t{4} * indices[turned[corner]];
        std::array<double, 3> p{};
        for (std::size_t i = 0; i < 3; ++i)
            p[i] = static_cast<double>(vertex[i]) * double{place[i]} + double{place[i + 3]};
        return {p[0], p[2], -p[1]};
    }

private:
    std::string bytes_;
    std::array<std::uint32_t, 17> header_{};
};

void compare_frames(const scene::Scene& scene, const fs::path& file)
{
    const Reference reference(file);
    const double size = test::size_of(scene);
    double worst = 0.0;
    std::uint32_t frame = 0;
    for (std::uint32_t clip = 0; clip < scene.clips.size(); ++clip) {
        for (std::uint32_t f = 0; f < scene.clips[clip].frames; ++f, ++frame) {
            const auto skinned = test::skin_at(scene, clip, f / scene.clips[clip].frame_rate);
            const auto& indices = scene.meshes[0].indices;
            ASSERT_EQ(indices.size(), std::size_t{reference.triangles()} * 3) << file;
            for (std::uint32_t i = 0; i < indices.size(); ++i) {
                const auto wanted = reference.corner(frame, i / 3, i % 3);
                worst =
                    std::max(worst, glm::distance(glm::dvec3(skinned.at(0).positions[indices[i]]), wanted));
            }
        }
    }
    EXPECT_EQ(frame, reference.frames()) << file;
    EXPECT_LE(worst, 1e-6 * size) << file;
}

void compare_truth(const fs::path& corpus, simdjson::dom::element truth)
{
    const std::string file{std::string_view(truth["file"])};
    if (file.contains("malformed")) {
        auto source = test::MemorySource::folder_of(corpus / file);
        const auto rejected = load_md2(source, {});
        ASSERT_FALSE(rejected) << file;
        EXPECT_EQ(rejected.error().where, "triangle 0") << file;
        return;
    }
    const scene::Scene scene = load(corpus / file);
    EXPECT_EQ(scene.source_vertices, std::uint64_t(truth["verts"])) << file;
    EXPECT_EQ(scene.source_polygons, std::uint64_t(truth["tris"])) << file;
    EXPECT_EQ(scene.meshes.at(0).frames.count, std::uint64_t(truth["frames"])) << file;
    std::size_t clip = 0;
    std::map<std::string, int> before; // a name that comes again gets a number
    for (simdjson::dom::element wanted : truth["clips"].get_array()) {
        ASSERT_LT(clip, scene.clips.size()) << file;
        const auto& found = scene.clips[clip++];
        std::string name(std::string_view(wanted.at(0)));
        if (name.empty()) name = "frames";
        if (const int number = ++before[name]; number > 1) name += " " + std::to_string(number);
        EXPECT_EQ(found.name, name) << file;
        EXPECT_EQ(std::lround(found.start_time * found.frame_rate), std::int64_t(wanted.at(1))) << file;
        EXPECT_EQ(found.frames, std::uint64_t(wanted.at(2))) << file;
    }
    EXPECT_EQ(clip, scene.clips.size()) << file;
    for (const auto [frame, box] : simdjson::dom::object(truth["bounds"]))
        test::compare_bounds(scene, std::stoul(std::string(frame)), box, file);
}

} // namespace

TEST(CorpusMd2, EqualsAnIndependentEvaluatorAtEveryFrame)
{
    const fs::path debian = "/usr/share/assimp/models/MD2";
    const std::size_t least = (test::corpus_dir() ? 15u : 0u) + (fs::is_directory(debian) ? 2u : 0u);
    if (least == 0) GTEST_SKIP() << "neither a corpus nor assimp-testmodels";
    std::size_t count = 0;
    for (const auto& folder : {test::corpus_dir().value_or(""), debian}) {
        std::error_code absent;
        for (const auto& entry : fs::recursive_directory_iterator(folder, absent)) {
            if (entry.path().extension() != ".md2" || entry.path().string().contains("malformed")) continue;
            compare_frames(load(entry.path()), entry.path());
            ++count;
        }
    }
    EXPECT_GE(count, least);
}

TEST(CorpusMd2, EqualsTheReferenceFigures)
{
    const auto corpus = test::corpus_dir();
    if (!corpus) GTEST_SKIP() << "no corpus here";
    EXPECT_GE(test::compare_reference_lines(*corpus, "md2", compare_truth), 16u);
}
