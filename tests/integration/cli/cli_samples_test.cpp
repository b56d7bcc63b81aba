// The real program with its own samples.

#include <unistd.h>

#include <boost/json/parse.hpp>

#include "api/json_text.hpp"
#include "tests/integration/cli/program.hpp"

using vitrine::test::distance;
using vitrine::test::extent;
using vitrine::test::highest;
using vitrine::test::lowest;
namespace json = boost::json;
namespace fs = std::filesystem;

namespace {

// Runs on the output of `vitrine samples`, written once.
class CliSamples : public vitrine::test::CliTest {
protected:
    void SetUp() override
    {
        if (!fs::exists(samples_)) ASSERT_EQ(run({"samples", samples_.string()}).exit_code, 0);
    }
    static void TearDownTestSuite() { fs::remove_all(samples_); }
    std::string sample(const std::string& name) const { return (samples_ / name).string(); }
    // Rotates an MD5 model, whose front is X, to the front Z of the other formats.
    std::vector<glm::vec3> bake_md5(const std::string& file, const std::vector<std::string>& options) const
    {
        auto points = bake(file, options);
        for (auto& point : points)
            point = {-point.z, point.y, point.x};
        return points;
    }

private:
    inline static const fs::path samples_ =
        fs::path(testing::TempDir()) / ("vitrine-samples-" + std::to_string(::getpid()));
};

} // namespace

TEST_F(CliSamples, EveryFormatGivesTheSamePose)
{
    const auto rest = bake(sample("koi-glb/koi.glb"), {});
    EXPECT_LT(distance(rest, bake(sample("koi-gltf/koi.gltf"), {})), 1e-6f * extent(rest));
    EXPECT_LT(distance(rest, bake(sample("koi-obj/koi.obj"), {})), 1e-5f * extent(rest));
    EXPECT_LT(distance(rest, bake_md5(sample("koi-md5/koi.md5mesh"), {})), 1e-5f * extent(rest));
    for (const auto* frame : {"0", "7", "32"}) {
        const std::vector<std::string> when{"--clip", "swim", "--frame", frame};
        const auto md5 = bake_md5(sample("koi-md5/koi.md5mesh"), when);
        const auto report =
            json::parse(run({"pose", sample("koi-md5/koi.md5mesh"), when[0], when[1], when[2], when[3]}).out);
        const auto time = vitrine::api::to_text(report.at("time"));
        const auto glb = bake(sample("koi-glb/koi.glb"), {"--clip", "swim", "--time", time});
        EXPECT_LT(distance(glb, md5), 1e-4f * extent(glb)) << "frame " << frame << " at " << time << " s";
        EXPECT_LT(distance(md5, glb), 1e-4f * extent(glb)) << "frame " << frame << " at " << time << " s";
    }
}

TEST_F(CliSamples, PoseChangesOverTime)
{
    const auto glb = sample("robot-glb/robot.glb");
    const auto at = [&](const std::string& time) {
        const auto outcome = run({"pose", glb, "--clip", "walk", "--time", time});
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        return json::parse(outcome.out);
    };
    const auto start = at("0"), later = at("0.3");
    EXPECT_EQ(later.at("clip").at("name"), "walk");
    EXPECT_EQ(later.at("time"), 0.3);
    ASSERT_EQ(start.at("nodes").as_array().size(), later.at("nodes").as_array().size());
    EXPECT_NE(start.at("nodes"), later.at("nodes"));
    for (const auto& node : later.at("nodes").as_array()) {
        EXPECT_EQ(node.at("model").as_array().size(), 16u);
        EXPECT_EQ(node.at("local").at("rotation").as_array().size(), 4u);
        if (!node.at("parent").is_null())
            EXPECT_LT(node.at("parent").to_number<int>(), node.at("index").to_number<int>());
    }
    EXPECT_EQ(at("99").at("nodes"), at("100").at("nodes")) << "the end value holds";
}

TEST_F(CliSamples, MorphsAreBaked)
{
    const auto flag = sample("flag-glb/flag.glb");
    const auto rest = bake(flag, {}), blown = bake(flag, {"--clip", "gust", "--time", "0.5"});
    ASSERT_EQ(rest.size(), blown.size());
    EXPECT_GT(distance(blown, rest), 0.01f);
}

TEST_F(CliSamples, FileSpaceUsesTheFilesAxesAndUnit)
{
    const auto md5 = sample("robot-md5/robot.md5mesh");
    const auto scene = bake(md5, {}), file = bake(md5, {"--space", "file"});
    EXPECT_NEAR(highest(scene).y, highest(file).z, 1e-6) << "MD5 is Z up";
    const auto report = json::parse(run({"inspect", md5}).out);
    EXPECT_EQ(report.at("fileSpace").at("upAxis"), "Z");
    EXPECT_NEAR(report.at("fileSpace").at("bounds").at("min").at(0).to_number<double>(), lowest(file).x,
                1e-5);
}

TEST_F(CliSamples, UnknownClipIsReportedWithClipNames)
{
    const auto outcome = run({"bake", sample("koi-glb/koi.glb"), "--clip", "fly", "-o", "x.obj"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_NE(outcome.err.find("there is no clip 'fly' among 2: 'swim', 'dart'"), std::string::npos)
        << outcome.err;
}
