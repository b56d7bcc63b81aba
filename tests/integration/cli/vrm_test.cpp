// `vitrine inspect`, `render` and `convert` of VRM and VRMA files.

#include <algorithm>

#include <unistd.h>

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

#include "loaders/images/image.hpp"
#include "tests/integration/cli/program.hpp"

namespace json = boost::json;
namespace fs = std::filesystem;

namespace {

class CliVrm : public vitrine::test::CliTest {
protected:
    // Writes the output of `vitrine samples` once.
    void SetUp() override
    {
        if (!fs::exists(samples_)) ASSERT_EQ(run({"samples", samples_.string()}).exit_code, 0);
    }
    static void TearDownTestSuite() { fs::remove_all(samples_); }

    json::value inspect(const std::string& file) { return json::parse(run({"inspect", file}).out); }

    static inline const fs::path samples_ =
        fs::path(testing::TempDir()) / ("vitrine-vrm-" + std::to_string(::getpid()));
    const std::string new_ = (samples_ / "avatar-vrm" / "avatar.vrm").string();
    const std::string old_ = (samples_ / "avatar0-vrm" / "avatar0.vrm").string();
    const std::string motion_ = (samples_ / "bow-vrma" / "bow.vrma").string();
};

} // namespace

TEST_F(CliVrm, FactsAreListed)
{
    for (const auto& [file, version] : {std::pair(new_, "1.0"), std::pair(old_, "0.0")}) {
        const auto found = inspect(file);
        EXPECT_EQ(found.at("format"), "vrm");
        const auto& vrm = found.at("vrm");
        EXPECT_EQ(vrm.at("specVersion"), version);
        EXPECT_EQ(vrm.at("authors"), json::parse(R"(["Vitrine"])"));
        EXPECT_EQ(vrm.at("license"), "https://vrm.dev/licenses/1.0/");
        EXPECT_EQ(vrm.at("firstPerson"), json::parse(R"([{"node":"avatar","type":"auto"}])"));
        EXPECT_EQ(vrm.at_pointer("/expressions/1"),
                  json::parse(R"({"name":"happy","preset":true,"binary":false,"morphTargets":1,
                                  "materialChanges":0,"weights":[{"node":"avatar","morphTarget":1,"weight":1}]})"));
    }
    EXPECT_EQ(inspect(motion_).at("format"), "vrma");
    EXPECT_TRUE(inspect(write("p.obj", vitrine::test::pyramid)).at("vrm").is_null());
}

// The front view shows the face, in VRM 0.x too.
TEST_F(CliVrm, CharactersFaceTheFrontView)
{
    for (const auto& file : {new_, old_}) {
        const auto shown = run({"render", file, "--gpu", "software", "--view", "front", "--size", "400x400",
                                "--pick", "188,98"});
        ASSERT_EQ(shown.exit_code, 0) << shown.err;
        EXPECT_EQ(json::parse(shown.out).at_pointer("/hit/material/name"), "skin") << file;
        const auto behind = run(
            {"render", file, "--gpu", "software", "--view", "back", "--size", "400x400", "--pick", "188,98"});
        EXPECT_EQ(json::parse(behind.out).at_pointer("/hit/material/name"), "hair") << file;
    }
}

TEST_F(CliVrm, MotionsShowTheirSkeleton)
{
    const auto path = (folder_ / "bow.png").string();
    const auto outcome = run({"render", motion_, "-o", path, "--clip", "bow", "--time", "1", "--gpu",
                              "software", "--size", "96x96", "--background", "transparent"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.err.find("skeleton_shown"), std::string::npos) << outcome.err;
    const auto bytes = vitrine::test::content_of(path);
    const auto image = vitrine::images::decode_image(std::as_bytes(std::span(bytes)), "bow.png", {});
    ASSERT_TRUE(image);
    std::size_t covered = 0;
    for (std::size_t i = 3; i < image->pixels.size(); i += 4)
        covered += image->pixels[i] > 128;
    EXPECT_GT(covered, 100u);
}

TEST_F(CliVrm, BrokenFilesAreOneSentence)
{
    const auto bytes = vitrine::test::content_of(new_);
    const std::vector<std::pair<std::string, std::string>> broken{
        {write("cut.vrm", bytes.substr(0, bytes.size() / 2)), "truncated"},
        {write("text.vrm", "not a model"), "malformed"},
        {write("empty.vrma", "{}"), "malformed"}};
    for (const auto& [file, code] : broken) {
        const auto outcome = run({"inspect", file});
        EXPECT_NE(outcome.exit_code, 0) << file;
        EXPECT_TRUE(vitrine::test::is_one_complaint(outcome.err, file, code)) << outcome.err;
    }
}
