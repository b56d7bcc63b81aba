// `vitrine render`: selection of pose and frames.

#include <algorithm>

#include <unistd.h>

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

#include "loaders/images/image.hpp"
#include "tests/integration/cli/program.hpp"
#include "tests/support/webp_animation.hpp"

namespace json = boost::json;
namespace fs = std::filesystem;

namespace {

// Two nodes, each of which grows by 1e10 in one second.
constexpr const char* growing =
    R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":68,"uri":"data:;base64,)"
    "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAgD8AAIA/AACAPw"
    "AAgD/5AhVQ+QIVUPkCFVA="
    R"("}],"bufferViews":[{"buffer":0,"byteLength":36},
    {"buffer":0,"byteOffset":36,"byteLength":8},{"buffer":0,"byteOffset":44,"byteLength":24}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},
    {"bufferView":1,"componentType":5126,"count":2,"type":"SCALAR"},
    {"bufferView":2,"componentType":5126,"count":2,"type":"VEC3"}],
    "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"nodes":[{"children":[1]},{"mesh":0}],
    "animations":[{"samplers":[{"input":1,"output":2}],"channels":[
    {"sampler":0,"target":{"node":0,"path":"scale"}},{"sampler":0,"target":{"node":1,"path":"scale"}}]}]})";

class CliRender : public vitrine::test::CliTest {
protected:
    // Writes the output of `vitrine samples` once.
    void SetUp() override
    {
        if (!fs::exists(samples_)) ASSERT_EQ(run({"samples", samples_.string()}).exit_code, 0);
    }
    static void TearDownTestSuite() { fs::remove_all(samples_); }

    // Returns the bytes of the image; on failure the test fails and the result is empty.
    std::string render(const std::string& file, std::vector<std::string> options,
                       const std::string& name = "out.png")
    {
        const auto path = (folder_ / name).string();
        fs::remove(path);
        std::vector<std::string> arguments{"render", file,    "-o",    path,
                                           "--size", "48x40", "--gpu", "software"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const auto outcome = run(arguments);
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        EXPECT_EQ(outcome.err, "");
        return vitrine::test::content_of(path);
    }

    static std::uint32_t big_endian(const std::string& bytes, std::size_t at)
    {
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < 4; ++i)
            value = value << 8 | static_cast<unsigned char>(bytes.at(at + i));
        return value;
    }

    inline static const fs::path samples_ =
        fs::path(testing::TempDir()) / ("vitrine-drawn-" + std::to_string(::getpid()));
    const std::string robot_ = (samples_ / "robot-glb" / "robot.glb").string();
    const std::string vase_ = (samples_ / "vase-glb" / "vase.glb").string();
};

} // namespace

TEST_F(CliRender, FramesWithoutClipUseAnAnimatedClip)
{
    const auto frames = render(robot_, {"--frames", "5"}, "a.webp");
    const auto animation = vitrine::test::read_animation(frames);
    EXPECT_EQ(animation.frame_count, 5u);
    const auto outcome = run({"inspect", robot_});
    const auto clips = json::parse(outcome.out).at("clips").as_array();
    const auto walk = std::ranges::find_if(clips, [](const auto& clip) { return clip.at("name") == "walk"; });
    ASSERT_NE(walk, clips.end()) << outcome.out;
    EXPECT_NEAR(animation.milliseconds, 1000.0 * walk->at("duration").to_number<double>(), 1.0);
    EXPECT_TRUE(frames == render(robot_, {"--frames", "5", "--clip", "walk"}, "b.webp")) << "bytes";
}

TEST_F(CliRender, FramesOfAStaticModelAreRejected)
{
    const auto file = write("pyramid.obj", vitrine::test::pyramid);
    const auto path = folder_ / "a.webp";
    const auto outcome = run({"render", file, "-o", path.string(), "--frames", "5"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_NE(outcome.err.find(file + ": --frames requires an animated clip, and the file has none"),
              std::string::npos)
        << outcome.err;
    EXPECT_FALSE(fs::exists(path));
}

TEST_F(CliRender, RejectsATooLargeSheetBeforeRendering)
{
    const auto output = (folder_ / "sheet.jpg").string();
    auto outcome = run({"render", vase_, "-o", output, "--turntable", "100", "--size", "8192x8"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.err, testing::HasSubstr("a sheet of 81920 x 80"));
    outcome = run({"render", vase_, "-o", (folder_ / "sheet.png").string(), "--turntable", "600", "--size",
                   "4096x4096"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.err, testing::HasSubstr("at most 134217728 pixels"));
}

TEST_F(CliRender, ReportsTheFileOfAnInvalidPose)
{
    const auto file = write("growing.gltf", growing);
    const auto path = folder_ / "a.png";
    const auto outcome =
        run({"render", file, "-o", path.string(), "--clip", "0", "--time", "1", "--gpu", "software"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.err, testing::StartsWith("vitrine: " + file + ": not_drawable at the file: "));
    EXPECT_FALSE(fs::exists(path));
}

TEST_F(CliRender, TurntableIsAnAnimationOrASheet)
{
    for (const unsigned frames : {6u, 10u}) {
        const auto animation =
            vitrine::test::read_animation(render(vase_, {"--turntable", std::to_string(frames)}, "a.webp"));
        EXPECT_EQ(animation.frame_count, frames);
        EXPECT_EQ(animation.milliseconds, 4000u) << "of any number of frames";
    }
    const auto sheet = render(vase_, {"--turntable", "6"});
    EXPECT_EQ(big_endian(sheet, 16), 3u * 48u);
    EXPECT_EQ(big_endian(sheet, 20), 2u * 40u);
}

TEST_F(CliRender, StillShowsARepresentativePose)
{
    const auto default_image = render(robot_, {});
    EXPECT_EQ(default_image, render(robot_, {"--view", "auto"}));
    EXPECT_NE(default_image, render(robot_, {"--clip", "none"}));
    EXPECT_NE(default_image, render(robot_, {"--view", "three-quarter"})) << "it is nearer";
}

TEST_F(CliRender, ReferenceLightShowsTheStaticPose)
{
    const auto default_image = render(robot_, {"--light", "reference"});
    EXPECT_EQ(default_image, render(robot_, {"--light", "reference", "--clip", "none"}));
    EXPECT_NE(default_image, render(robot_, {"--light", "reference", "--clip", "0", "--time", "0.3"}));
}

TEST_F(CliRender, PickReportsTheSurface)
{
    const auto pick = [&](const std::string& pixel, std::vector<std::string> more = {}) {
        std::vector<std::string> arguments{"render", robot_,  "--size",   "64x48",  "--view",
                                           "front",  "--gpu", "software", "--pick", pixel};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const auto outcome = run(arguments);
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        return json::parse(outcome.out).at("hit");
    };
    const auto middle = pick("32,24");
    EXPECT_FALSE(middle.at("node").at("name").as_string().empty());
    EXPECT_GT(middle.at("joint").at("weight").to_number<double>(), 0.0);
    EXPECT_TRUE(pick("0,0").is_null());
    const auto path = folder_ / "picked.png";
    EXPECT_EQ(pick("32,24", {"-o", path.string()}), middle);
    EXPECT_TRUE(fs::exists(path)) << "and the picture, where it is asked for";
    for (const auto* wrong : {"64,0", "0,48", "1", "1,", "a,b", "1,2,3", "-1,2"}) {
        const auto outcome = run({"render", robot_, "--size", "64x48", "--pick", wrong});
        EXPECT_EQ(outcome.exit_code, 2) << wrong;
        EXPECT_NE(outcome.err.find("a pixel of the image of 64 x 48"), std::string::npos) << outcome.err;
    }
    EXPECT_EQ(run({"render", robot_}).exit_code, 2) << "neither a picture nor a pixel";
}

TEST_F(CliRender, RejectsMutuallyExclusiveOptions)
{
    for (const auto* other : {"--turntable", "--time", "--frame", "--file-time"})
        EXPECT_EQ(run({"render", robot_, "-o", "x.webp", "--frames", "3", other, "2"}).exit_code, 2) << other;
}

// Motion without a mesh shows the bones of its skeleton, moved by the clip.
TEST_F(CliRender, MotionWithoutAMeshShowsItsBones)
{
    const auto file = (samples_ / "walk-bvh" / "walk.bvh").string();
    const auto picture = [&](const std::vector<std::string>& options) {
        const auto path = (folder_ / "bones.png").string();
        std::vector<std::string> arguments{"render", file,    "-o",       path,           "--size",
                                           "96x96",  "--gpu", "software", "--background", "transparent"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const auto outcome = run(arguments);
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        EXPECT_NE(outcome.err.find("skeleton_shown"), std::string::npos) << outcome.err;
        const auto bytes = vitrine::test::content_of(path);
        auto image = vitrine::images::decode_image(std::as_bytes(std::span(bytes)), "bones.png", {});
        EXPECT_TRUE(image);
        return image ? std::vector<std::uint8_t>(image->pixels.begin(), image->pixels.end())
                     : std::vector<std::uint8_t>();
    };
    const auto covered = [](const std::vector<std::uint8_t>& pixels) {
        std::size_t count = 0;
        for (std::size_t i = 3; i < pixels.size(); i += 4)
            count += pixels[i] > 127;
        return count;
    };
    const auto still = picture({}), start = picture({"--time", "0"}), later = picture({"--time", "0.25"});
    EXPECT_GT(covered(still), 150u) << "pixels of 9216";
    EXPECT_GT(covered(start), 150u);
    EXPECT_NE(start, later);
}
