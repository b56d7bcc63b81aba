// MD2 and MD3 hold the vertices of the description at each of their frames, as exactly as they can.

#include <algorithm>
#include <cmath>
#include <optional>

#include <gtest/gtest.h>

#include "loaders/export/quake/md3_writer.hpp"
#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "tests/support/load_sample.hpp"
#include "tests/support/pose_model.hpp"
#include "tests/support/sample_files.hpp"

namespace {

using namespace vitrine;

std::vector<glm::vec3> corners(const scene::Scene& scene, std::uint32_t clip, double time)
{
    scene::Pose pose;
    scene::sample_pose(scene, clip, time, pose);
    return test::from_the_front(scene, test::drawn_corners(scene, pose));
}

// The largest distance along each axis.
glm::vec3 apart(const std::vector<glm::vec3>& wanted, const std::vector<glm::vec3>& found, float scale)
{
    if (wanted.size() != found.size()) return glm::vec3(std::numeric_limits<float>::infinity());
    glm::vec3 largest(0.0f);
    for (std::size_t i = 0; i < wanted.size(); ++i)
        largest = glm::max(largest, glm::abs(wanted[i] - found[i] / scale));
    return largest;
}

glm::vec3 extent(const std::vector<glm::vec3>& points)
{
    scene::Aabb box;
    for (const auto& point : points)
        box.add(point);
    return box.size();
}

struct Written {
    scene::Scene description;
    scene::Scene loaded;
};

// Empty where it does not load.
std::optional<Written> written(const samples::Sample& sample, std::string_view extension)
{
    Written out{sample.make(), {}};
    const std::string name = sample.name + std::string(extension);
    const auto file = std::ranges::find(test::formats_of(sample), name, &samples::SampleFile::main_name);
    EXPECT_NE(file, test::formats_of(sample).end()) << name;
    if (file == test::formats_of(sample).end()) return std::nullopt;
    auto loaded = test::load_sample(*file);
    EXPECT_TRUE(loaded) << name << ": " << loaded.error().detail;
    if (!loaded) return std::nullopt;
    EXPECT_TRUE(scene::validate(*loaded)) << name;
    EXPECT_TRUE(loaded->warnings.empty()) << name << ": " << loaded->warnings[0].message;
    out.loaded = *std::move(loaded);
    return out;
}

} // namespace

TEST(SampleFrames, OfMd2AreExactToHalfAStepOfTheirBox)
{
    for (const auto& sample : samples::all_samples()) {
        SCOPED_TRACE(sample.name);
        const auto both = written(sample, ".md2");
        ASSERT_TRUE(both);
        ASSERT_EQ(both->loaded.images.size(), 1u) << "one skin for all";
        EXPECT_FALSE(both->loaded.images[0].pixels.empty());
        const auto& clips = both->description.clips;
        ASSERT_EQ(both->loaded.clips.size(), std::max<std::size_t>(clips.size(), 1));
        for (std::uint32_t clip = 0; clip < both->loaded.clips.size(); ++clip) {
            const auto& found = both->loaded.clips[clip];
            EXPECT_EQ(found.name, clips.empty() ? "rest" : clips[clip].name);
            EXPECT_EQ(found.frame_rate, 10.0);
            if (!clips.empty()) EXPECT_NEAR(found.duration, clips[clip].duration, 0.1);
            for (std::uint32_t f = 0; f < found.frames; f += 7) {
                const auto wanted = corners(both->description, clips.empty() ? scene::none : clip, f / 10.0);
                const auto limit = extent(wanted) * (0.5f / 255.0f) * 1.001f + 1e-5f;
                const auto error = apart(wanted, corners(both->loaded, clip, f / 10.0), 1.0f);
                EXPECT_TRUE(glm::all(glm::lessThanEqual(error, limit)))
                    << found.name << " frame " << f << ": " << error.x << " " << error.y << " " << error.z;
            }
        }
    }
}

TEST(SampleFrames, OfMd3AreExactToHalfAStep)
{
    constexpr float limit = 0.5f / 64.0f / exporting::md3_units_per_meter * 1.01f;
    for (const auto& sample : samples::all_samples()) {
        SCOPED_TRACE(sample.name);
        const auto both = written(sample, ".md3");
        ASSERT_TRUE(both);
        const auto& clips = both->description.clips;
        ASSERT_EQ(both->loaded.clips.size(), 1u);
        EXPECT_EQ(both->loaded.clips[0].frame_rate, 15.0);
        std::uint32_t first = 0; // frame of the file
        for (std::uint32_t clip = 0; clip < std::max<std::size_t>(clips.size(), 1); ++clip) {
            const auto last = clips.empty()
                                  ? 0u
                                  : static_cast<std::uint32_t>(std::ceil(clips[clip].duration * 15.0 - 1e-4));
            for (std::uint32_t f = 0; f <= last; f += 4) {
                const auto wanted = corners(both->description, clips.empty() ? scene::none : clip, f / 15.0);
                const auto found = corners(both->loaded, 0, (first + f) / 15.0);
                const auto error = apart(wanted, found, exporting::md3_units_per_meter);
                EXPECT_LE(std::max({error.x, error.y, error.z}), limit) << "clip " << clip << " frame " << f;
            }
            first += last + 1;
        }
        EXPECT_EQ(both->loaded.clips[0].frames, first);
    }
}

TEST(SampleFrames, OfAModelTooLargeForMd3AreWrittenSmaller)
{
    auto scene = samples::all_samples().back().make();
    for (auto& mesh : scene.meshes)
        for (auto& position : mesh.positions)
            position *= 100.0f;
    const auto rest = corners(scene, scene::none, 0.0);
    const auto loaded = test::load_sample({"vase", "vase.md3", exporting::write_md3(scene, "vase")});
    ASSERT_TRUE(loaded);
    const auto size = extent(corners(*loaded, scene::none, 0.0));
    EXPECT_GT(std::max({size.x, size.y, size.z}), 500.0f);
    EXPECT_NEAR(size.x / size.y, extent(rest).x / extent(rest).y, 1e-3);
}
