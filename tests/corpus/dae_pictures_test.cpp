// The references of the corpus' conformance suite, and the comparer itself: a folder that the test makes,
// whose pictures are ray-cast from the scene that was written into the file.

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <limits>

#include <unistd.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "loaders/export/dae/dae_writer.hpp"
#include "loaders/export/png/png.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "tests/corpus/dae_silhouettes.hpp"
#include "tests/support/corpus.hpp"
#include "tests/support/pose_model.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

constexpr double min_agreeing_fraction = 0.9; // of the files: some pictures show what only their program drew

constexpr std::uint32_t picture_size = 96;
constexpr double field_of_view = 40.0; // degrees, both ways
const glm::dvec3 eye(0.0, 1.0, 6.0);   // looks along -z

bool meets(const glm::dvec3& towards, const glm::dvec3& a, const glm::dvec3& b, const glm::dvec3& c)
{
    const double one = glm::dot(towards, glm::cross(a - eye, b - eye));
    const double two = glm::dot(towards, glm::cross(b - eye, c - eye));
    const double three = glm::dot(towards, glm::cross(c - eye, a - eye));
    return (one > 0.0 && two > 0.0 && three > 0.0) || (one < 0.0 && two < 0.0 && three < 0.0);
}

// Red before gray, one ray a pixel.
scene::Image picture_at(const scene::Scene& scene, double time)
{
    scene::Pose pose;
    scene::sample_pose(scene, 0, time, pose);
    const auto corners = test::drawn_corners(scene, pose);
    const double reach = std::tan(glm::radians(field_of_view / 2.0));
    scene::Image image;
    image.width = image.height = picture_size;
    for (std::uint32_t y = 0; y < picture_size; ++y)
        for (std::uint32_t x = 0; x < picture_size; ++x) {
            const glm::dvec3 towards(reach * (2.0 * (x + 0.5) / picture_size - 1.0),
                                     reach * (1.0 - 2.0 * (y + 0.5) / picture_size), -1.0);
            bool hit = false;
            for (std::size_t i = 0; i + 2 < corners.size() && !hit; i += 3)
                hit = meets(towards, corners[i], corners[i + 1], corners[i + 2]);
            const std::uint8_t other = hit ? 0 : 128;
            image.pixels.insert(image.pixels.end(), {hit ? std::uint8_t{200} : other, other, other, 255});
        }
    return image;
}

scene::Image upside_down(scene::Image image)
{
    const std::size_t row = std::size_t{4} * image.width;
    for (std::size_t y = 0; y < image.height / 2; ++y)
        std::swap_ranges(image.pixels.begin() + static_cast<std::ptrdiff_t>(y * row),
                         image.pixels.begin() + static_cast<std::ptrdiff_t>((y + 1) * row),
                         image.pixels.begin() + static_cast<std::ptrdiff_t>((image.height - 1 - y) * row));
    return image;
}

void write_file(const fs::path& path, std::string_view bytes)
{
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

// The suite's form: a file with its camera in it and its blessed pictures.
class SilhouetteComparer : public testing::Test {
protected:
    void SetUp() override
    {
        root_ = fs::path(testing::TempDir()) / fmt::format("vitrine_silhouettes_{}", ::getpid());
        fs::remove_all(root_);
    }
    void TearDown() override { fs::remove_all(root_); }

    void write_bar(const scene::Scene& scene, const std::string& name = "bar/bar.dae")
    {
        std::string text;
        for (const auto& file : exporting::write_dae(scene, "bar"))
            if (file.name == "bar.dae")
                text.assign(reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size());
        const std::string_view end = "</visual_scene>", libraries = "<library_visual_scenes>";
        text.insert(
            text.find(end),
            fmt::format("<node id='aside'><translate>9 9 9</translate><instance_camera url='#lens'/></node>"
                        "<node id='testCamera'><translate>{} {} {}</translate><instance_camera "
                        "url='#lens'/></node>",
                        eye.x, eye.y, eye.z));
        text.insert(text.find(libraries),
                    fmt::format("<library_cameras><camera id='lens'><optics><technique_common><perspective>"
                                "<yfov>{}</yfov></perspective></technique_common></optics></camera>"
                                "</library_cameras>",
                                field_of_view));
        write_file(root_ / name, text);
    }

    void write_picture(const std::string& name, const scene::Image& picture)
    {
        const auto png = exporting::write_png(picture);
        write_file(root_ / "bar" / "Blessed" / name, {reinterpret_cast<const char*>(png.data()), png.size()});
    }

    double still_overlap(const scene::Scene& scene, const scene::Image& picture)
    {
        write_bar(scene);
        write_file(root_ / "bar" / "Blessed" / "default.txt", "png\\bar1.png\r\n");
        write_picture("png/bar1.png", picture);
        return only(test::compare_pictures(root_));
    }

    // The frames show `shown` at times of its own.
    double moving_overlap(const scene::Scene& scene, const scene::Scene& shown,
                          const std::function<double(int)>& time_of)
    {
        write_bar(scene);
        for (int i = 0; i < 15; ++i)
            write_picture(fmt::format("animations/type_(0)/{:02}.png", i), picture_at(shown, time_of(i)));
        return only(test::compare_pictures(root_));
    }

    static double only(const std::map<std::string, double>& overlaps)
    {
        EXPECT_EQ(overlaps.size(), 1u);
        return overlaps.empty() ? std::numeric_limits<double>::quiet_NaN() : overlaps.begin()->second;
    }

    const fs::path& root() const { return root_; }

private:
    fs::path root_;
};

scene::Scene unmoving(scene::Scene scene)
{
    scene.clips.clear();
    return scene;
}

TEST_F(SilhouetteComparer, EqualModelsAgree)
{
    const scene::Scene bar = test::skinned_bar();
    EXPECT_GE(still_overlap(bar, picture_at(bar, 0.0)), 0.95);
    EXPECT_GE(still_overlap(unmoving(bar), picture_at(bar, 0.0)), 0.95);
}

TEST_F(SilhouetteComparer, WrongStillsDoNot)
{
    const scene::Scene bar = test::skinned_bar();
    const scene::Image bent = picture_at(bar, 1.0);
    EXPECT_LT(still_overlap(bar, upside_down(bent)), test::min_overlap);
    EXPECT_LT(still_overlap(bar, bent), test::min_overlap) << "a still shows the beginning";
    scene::Image empty = bent;
    for (std::size_t i = 4; i < empty.pixels.size(); ++i)
        empty.pixels[i] = empty.pixels[i - 4];
    EXPECT_EQ(still_overlap(bar, empty), 0.0);
}

TEST_F(SilhouetteComparer, MovingImagesAgreeByEitherClock)
{
    const scene::Scene bar = test::skinned_bar();
    EXPECT_GE(moving_overlap(bar, bar, [](int i) { return 2.0 * i / 14.0; }), 0.95);
    EXPECT_GE(moving_overlap(bar, bar, [](int i) { return (1.0 + 3.0 * i) / 24.0; }), 0.95);
}

TEST_F(SilhouetteComparer, WrongMovingImagesDoNot)
{
    const scene::Scene bar = test::skinned_bar();
    const auto viewers = [](int i) { return 2.0 * i / 14.0; };
    EXPECT_LT(moving_overlap(unmoving(bar), bar, viewers), 0.9) << "what never bends";
    EXPECT_LT(moving_overlap(bar, bar, [&](int i) { return viewers(14 - i); }), 0.9) << "backwards";
}

TEST_F(SilhouetteComparer, FilesAreComparedWithTheSuitesReferences)
{
    const scene::Scene bar = test::skinned_bar();
    write_bar(bar);
    write_bar(bar, "bar/bar_blessed.dae");
    EXPECT_EQ(only(test::compare_references(root())), 1.0);
    write_bar(unmoving(bar), "bar/bar_blessed.dae");
    EXPECT_LT(only(test::compare_references(root())), 0.9);
}

std::size_t agreeing(const std::map<std::string, double>& overlaps, double least)
{
    std::size_t count = 0;
    for (const auto& [name, value] : overlaps) {
        fmt::print("{}: silhouettes overlap by {:.3f}\n", name, value);
        if (value >= least) ++count;
    }
    fmt::print("{} of {} silhouettes agree\n", count, overlaps.size());
    return count;
}

TEST(CorpusDae, SilhouettesAreThoseOfTheSuitesReferences)
{
    const auto corpus = test::corpus_dir();
    if (!corpus) GTEST_SKIP() << "no corpus: set VITRINE_CORPUS";
    const fs::path suite = *corpus / "COLLADA-CTS";
    const auto files = test::compare_references(suite);
    EXPECT_GE(files.size(), 8u);
    EXPECT_EQ(agreeing(files, test::min_same_overlap), files.size());
}

TEST(CorpusDae, SilhouettesAreThoseOfTheBlessedImages)
{
    const auto corpus = test::corpus_dir();
    if (!corpus) GTEST_SKIP() << "no corpus: set VITRINE_CORPUS";
    const auto pictures = test::compare_pictures(*corpus / "COLLADA-CTS");
    if (pictures.empty()) GTEST_SKIP() << "the corpus has COLLADA-CTS without its blessed pictures";
    EXPECT_GE(static_cast<double>(agreeing(pictures, test::min_overlap)),
              min_agreeing_fraction * static_cast<double>(pictures.size()));
}

TEST(CorpusDae, ExportsRenderLikeTheirSource)
{
    const auto corpus = test::corpus_dir();
    if (!corpus) GTEST_SKIP() << "no corpus: set VITRINE_CORPUS";
    const auto exports = test::compare_exports(*corpus / "COLLADA-CTS");
    EXPECT_GE(exports.size(), 100u);
    EXPECT_EQ(agreeing(exports, test::min_same_overlap), exports.size());
}

} // namespace
} // namespace vitrine
