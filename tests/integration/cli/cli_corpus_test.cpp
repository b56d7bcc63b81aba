// The real program with real files, against independent results. Skipped without the corpus.

#include <array>

#include <boost/json/parse.hpp>

#include "tests/integration/cli/program.hpp"
#include "tests/support/corpus.hpp"

using vitrine::test::extent;
using vitrine::test::highest;
using vitrine::test::lowest;
namespace json = boost::json;
namespace fs = std::filesystem;

namespace {

constexpr const char* barbarian =
    "KayKit-Adventurers/addons/kaykit_character_pack_adventures/Characters/gltf/Barbarian.glb";

class CliCorpus : public vitrine::test::CliTest {
protected:
    void SetUp() override
    {
        const auto corpus = vitrine::test::corpus_dir();
        if (!corpus) GTEST_SKIP() << "no corpus: set VITRINE_CORPUS";
        corpus_ = *corpus;
    }

    std::string path(std::string_view name) const { return (corpus_ / name).string(); }

    // Returns the rows of truth/NAME.jsonl.
    std::vector<json::value> truth(const std::string& name) const
    {
        std::vector<json::value> rows;
        std::ifstream in(corpus_ / "truth" / name);
        for (std::string line; std::getline(in, line);)
            rows.push_back(json::parse(line));
        return rows;
    }

    // Returns the largest difference of the boxes, relative to the model's size.
    static double off(const std::vector<glm::vec3>& points, const json::value& min, const json::value& max)
    {
        if (points.empty()) return std::numeric_limits<double>::infinity();
        const auto low = lowest(points), high = highest(points);
        double worst = 0;
        for (int i = 0; i < 3; ++i) {
            const auto k = static_cast<std::size_t>(i);
            worst = std::max({worst, std::abs(min.at(k).to_number<double>() - low[i]),
                              std::abs(max.at(k).to_number<double>() - high[i])});
        }
        return worst / std::max(extent(points), 1e-6f);
    }

    fs::path corpus_;
};

bool has(const json::value& row, const char* member)
{
    return row.as_object().contains(member);
}

} // namespace

TEST_F(CliCorpus, InspectsACharacter)
{
    const auto outcome = run({"inspect", path(barbarian)});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto counts = json::parse(outcome.out).at("counts");
    EXPECT_EQ(counts.at("vertices"), 5922);
    EXPECT_EQ(counts.at("triangles"), 6543);
    EXPECT_EQ(counts.at("joints"), 41);
    EXPECT_EQ(counts.at("clips"), 76);
}

TEST_F(CliCorpus, PosesByPartOfTheClipName)
{
    const auto outcome = run({"pose", path(barbarian), "--clip", "Walking", "--time", "0.5"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(json::parse(outcome.out).at("clip").at("name"), "Walking_A");
}

// The reference does not normalize rotation keys, as glTF requires: a tolerance slightly above 1e-4.
TEST_F(CliCorpus, BakeOfGltfMatchesReference)
{
    int compared = 0;
    for (const auto& row : truth("gltf.jsonl")) {
        if (!has(row, "rest")) continue;
        const auto file = path(row.at("file").as_string());
        EXPECT_LT(off(bake(file, {"--space", "file"}), row.at("rest").at(0), row.at("rest").at(1)), 1e-4)
            << file;
        for (const auto& frame : row.at("frames").as_array()) {
            const auto clip = std::string(frame.at("clip").as_string());
            const auto time = std::to_string(frame.at("t").to_number<double>());
            const auto points = bake(file, {"--space", "file", "--clip", clip, "--time", time});
            EXPECT_LT(off(points, frame.at("min"), frame.at("max")), 1.2e-4)
                << file << " " << clip << " " << time;
            ++compared;
        }
    }
    EXPECT_GT(compared, 40);
}

TEST_F(CliCorpus, BakeOfMd5MatchesReference)
{
    int compared = 0;
    for (const auto& row : truth("md5.jsonl")) {
        const auto name = std::string(row.at("file").as_string());
        if (name.find("/invalid/") != std::string::npos) continue;
        const auto file = path(name);
        EXPECT_LT(off(bake(file, {"--space", "file"}), row.at("bind").at(0), row.at("bind").at(1)), 1e-4)
            << name;
        for (const auto& animation : row.at("anims").as_object()) {
            if (!has(animation.value(), "bounds")) continue;
            for (const auto& frame : animation.value().at("bounds").as_object()) {
                const auto points =
                    bake(file, {"--space", "file", "--clip", fs::path(std::string(animation.key())).stem(),
                                "--frame", std::string(frame.key())});
                EXPECT_LT(off(points, frame.value().at(0), frame.value().at(1)), 1e-4) << name;
                ++compared;
            }
        }
    }
    EXPECT_GT(compared, 10);
}

TEST_F(CliCorpus, RejectsMalformedMd5)
{
    int count = 0;
    for (const auto& entry : fs::directory_iterator(corpus_ / "assimp/models/MD5/invalid")) {
        const auto outcome = run({"inspect", entry.path().string()});
        EXPECT_EQ(outcome.exit_code, 1) << entry.path();
        EXPECT_NE(outcome.err.find(": out_of_range at line "), std::string::npos) << outcome.err;
        ++count;
    }
    EXPECT_GE(count, 4);
}
