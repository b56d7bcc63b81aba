// `vitrine check`: profiles, formats, exit codes.

#include <cstring>

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "tests/integration/cli/program.hpp"
#include "tests/support/arm_model.hpp"

namespace json = boost::json;

namespace {

using testing::HasSubstr;

class CliCheck : public vitrine::test::CliTest {
protected:
    void SetUp() override
    {
        write("arm.bin", vitrine::test::arm_buffer());
        file_ = write("arm.gltf", std::string(vitrine::test::arm_gltf));
    }
    std::string file_;
};

TEST_F(CliCheck, AGoodFileHasNoFinding)
{
    const auto outcome = run({"check", file_});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err, "");
}

TEST_F(CliCheck, FindingsGiveOneAndUnreadableFilesTwo)
{
    const auto profile = write("tight.json", R"({"name": "tight", "budgets": {"joints": 1}})");
    const auto outcome = run({"check", file_, "--profile", profile});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(outcome.out, file_ + ": error model.joints: the model has 2 joints; the limit is 1\n");
    const auto bad = write("bad.obj", "f 1 2 3\n");
    const auto both = run({"check", file_, bad, "--profile", profile});
    EXPECT_EQ(both.exit_code, 2);
    EXPECT_THAT(both.err, HasSubstr("vitrine: " + bad + ": "));
    EXPECT_THAT(both.out, HasSubstr("model.joints")) << "the other file is reported";
}

TEST_F(CliCheck, SeverityThatFailsCanBeChosen)
{
    const auto profile =
        write("notes.json", R"({"rules": {"model.joints": {"severity": "note", "limit": 1}}})");
    const auto quiet = run({"check", file_, "--profile", profile});
    EXPECT_EQ(quiet.exit_code, 0);
    EXPECT_EQ(quiet.out, "");
    EXPECT_EQ(run({"check", file_, "--profile", profile, "--fail-on", "note"}).exit_code, 1);
    EXPECT_THAT(run({"check", file_, "--profile", profile, "--notes"}).out,
                HasSubstr("the model has 2 joints"));
}

TEST_F(CliCheck, FormatsAreReadable)
{
    const auto profile = write("tight.json", R"({"name": "tight", "budgets": {"joints": 1}})");
    const auto report = json::parse(run({"check", file_, "--profile", profile, "--format", "json"}).out);
    EXPECT_EQ(report.at("profile"), "tight");
    EXPECT_EQ(report.at("files").at(0).at("items").at(0).at("rule"), "model.joints");
    const auto log = json::parse(run({"check", file_, "--profile", profile, "--format", "sarif"}).out);
    EXPECT_EQ(log.at("version"), "2.1.0");
    EXPECT_EQ(log.at("runs").at(0).at("results").at(0).at("ruleId"), "model.joints");
    const auto junit = run({"check", file_, "--profile", profile, "--format", "junit"});
    EXPECT_EQ(junit.exit_code, 1);
    EXPECT_THAT(junit.out, HasSubstr("tests=\"1\" failures=\"1\""));
}

TEST_F(CliCheck, RotationsThatTheLoaderNormalizesAreFound)
{
    auto buffer = vitrine::test::arm_buffer();
    constexpr std::size_t last_w = 104 + 28; // of the rotations of "bend"
    const float w = 1.5f;
    std::memcpy(buffer.data() + last_w, &w, sizeof w);
    write("arm.bin", buffer);
    const auto outcome = run({"check", file_, "--format", "json"});
    EXPECT_EQ(outcome.exit_code, 1);
    const auto item = json::parse(outcome.out).at("files").at(0).at("items").at(0);
    EXPECT_EQ(item.at("rule"), "clip.quaternion-norm");
    EXPECT_EQ(item.at("severity"), "error");
    EXPECT_EQ(item.at("value"), 1);
}

TEST_F(CliCheck, WrongProfilesAreOneLine)
{
    const auto broken = write("broken.json", R"({"budgets": {"joints": "many"}})");
    const auto outcome = run({"check", file_, "--profile", broken});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.err,
              "vitrine: --profile: " + broken + ": /budgets/joints: must be a number of at least 0\n");
    const auto unknown = run({"check", file_, "--profile", "phone"});
    EXPECT_EQ(unknown.exit_code, 2);
    EXPECT_EQ(unknown.err, "vitrine: --profile: there is no profile 'phone'; the profiles are default, "
                           "game-console, mobile, webgl, vr, film-preview, or a file\n");
    EXPECT_EQ(run({"check", file_, "--format", "xml"}).exit_code, 2);
    const auto pipe = (folder_ / "pipe").string();
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_EQ(run({"check", file_, "--profile", pipe}).exit_code, 2) << "without a wait for a writer";
}

} // namespace
