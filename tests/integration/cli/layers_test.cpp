// `--layer`, `--turn`, `--move`, `--scale`, `--reach`, `--attach` and clips of other files.

#include <array>
#include <cstring>

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

#include "tests/integration/cli/program.hpp"
#include "tests/support/arm_model.hpp"

namespace json = boost::json;

namespace {

class CliLayers : public vitrine::test::CliTest {
protected:
    void SetUp() override
    {
        write("arm.bin", vitrine::test::arm_buffer());
        file_ = write("arm.gltf", std::string(vitrine::test::arm_gltf));
        auto other = std::string(vitrine::test::arm_gltf);
        other.replace(other.find("bend"), 4, "lean");
        other_ = write("other.gltf", other);
    }
    // The model matrix of the first node of this name.
    std::array<double, 16> model(std::vector<std::string> options, std::string_view name)
    {
        options.insert(options.begin(), {"pose", file_});
        const auto outcome = run(options);
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        std::array<double, 16> matrix{};
        if (outcome.exit_code != 0) return matrix;
        const auto document = json::parse(outcome.out);
        for (const auto& node : document.at("nodes").as_array()) {
            if (node.at("name") != json::string_view(name)) continue;
            for (std::size_t i = 0; i < matrix.size(); ++i)
                matrix[i] = node.at("model").as_array()[i].to_number<double>();
            break;
        }
        return matrix;
    }
    // The position of the tip, 1 m above the arm.
    std::array<double, 2> tip(const std::vector<std::string>& options)
    {
        const auto m = model(options, "arm");
        return {m[4] + m[12], m[5] + m[13]};
    }
    void expect_attached(const std::vector<std::string>& options, double x, double y)
    {
        const auto m = model(options, "other");
        EXPECT_NEAR(m[12], x, 1e-5) << testing::PrintToString(options);
        EXPECT_NEAR(m[13], y, 1e-5) << testing::PrintToString(options);
    }
    void expect_tip(const std::vector<std::string>& options, double x, double y)
    {
        const auto at = tip(options);
        EXPECT_NEAR(at[0], x, 1e-5) << testing::PrintToString(options);
        EXPECT_NEAR(at[1], y, 1e-5) << testing::PrintToString(options);
    }
    void expect_rejected(std::vector<std::string> options, std::string_view words)
    {
        options.insert(options.begin(), {"pose", file_});
        const auto outcome = run(options);
        EXPECT_EQ(outcome.exit_code, 1) << testing::PrintToString(options);
        EXPECT_THAT(outcome.err, testing::HasSubstr(words));
    }

    std::string file_, other_;
};

TEST_F(CliLayers, PosesBlendClips)
{
    expect_tip({"--clip", "bend", "--time", "1", "--layer", "slide"}, 1, 1);
    expect_tip({"--clip", "bend", "--time", "1", "--layer", "slide@0.5*0.5", "--layer", "bend@0~arm"}, 0.5,
               2);
    expect_tip({"--layer", "slide@1", "--turn", "arm:0,0,90"}, 1, 1);
    expect_tip(
        {"--turn", "arm:0,0,45", "--turn", "arm:0,0,45", "--move", "root:3,0,0", "--scale", "arm:1,2,1"}, 1,
        1);
    expect_tip({"--layer", "slide", "--time", "0.5"}, 1, 2);
    const auto posed = json::parse(run({"pose", file_, "--layer", "slide", "--time", "0.5"}).out);
    EXPECT_TRUE(posed.at("clip").is_null());
    EXPECT_EQ(posed.at("time"), 0.5);
    EXPECT_TRUE(json::parse(run({"pose", file_}).out).at("time").is_null());
}

TEST_F(CliLayers, ClipsOfOtherFilesPlay)
{
    expect_tip({"--clip", other_ + ":lean", "--time", "1"}, -1, 1);
    expect_tip({"--clip", other_ + ":", "--time", "1"}, -1, 1);
    expect_tip({"--clip", "slide", "--time", "1", "--layer", other_ + ":lean@1"}, 1, 1);
    expect_rejected({"--clip", other_ + ":run"}, "other.gltf: there is no clip 'run' among 2");
    expect_rejected({"--clip", write("bad.obj", "f 1 2 3\n") + ":run"}, "bad.obj: ");
    expect_rejected({"--clip", write("p.obj", vitrine::test::pyramid) + ":run"}, "p.obj has no clips");
    expect_rejected({"--clip", "missing.fbx:run"}, "there is no clip 'missing.fbx:run'");
}

TEST_F(CliLayers, FilesAreAttachedAndReach)
{
    const auto attach = other_ + "@arm:0,0.5,0";
    expect_attached({"--attach", attach}, 0, 1.5);
    expect_attached({"--attach", attach, "--turn", "arm:0,0,90"}, -0.5, 1);
    expect_attached({"--attach", attach, "--reach", "other:0.8,0.9,0"}, 0.8, 0.9);
    expect_attached({"--attach", attach, "--reach", "other:9,0,0~0,9,0"}, 1.5, 0);
    const auto out = [&](std::string_view name) { return (folder_ / name).string(); };
    ASSERT_EQ(run({"bake", file_, "--attach", attach, "-o", out("both.obj")}).exit_code, 0);
    ASSERT_EQ(run({"bake", file_, "-o", out("one.obj")}).exit_code, 0);
    EXPECT_GT(vitrine::test::content_of(out("both.obj")).size(),
              vitrine::test::content_of(out("one.obj")).size());
    ASSERT_EQ(run({"convert", file_, out("both.glb"), "--attach", attach}).exit_code, 0);
    expect_rejected({"--attach", other_ + "@tail"}, "--attach: there is no joint 'tail'");
    expect_rejected({"--attach", other_}, "is not ASSET@JOINT");
    expect_rejected({"--attach", "missing.fbx@arm"}, "missing.fbx: missing_file");
    expect_rejected({"--reach", "arm:1,2,3"}, "--reach: the joint 'arm' has no two joints above it");
}

TEST_F(CliLayers, ConvertedFilesHaveThem)
{
    const auto source = file_;
    const auto convert = [&](const std::string& name, std::vector<std::string> options) {
        file_ = (folder_ / name).string();
        options.insert(options.begin(), {"convert", source, file_});
        const auto outcome = run(options);
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    };
    convert("turned.glb", {"--turn", "arm:0,0,90"});
    expect_tip({}, -1, 1);
    convert("mixed.glb", {"--clip", "bend", "--layer", "slide", "--scale", "arm:1,2,1"});
    expect_tip({"--clip", "layers", "--time", "1"}, 0, 1);
    convert("leaned.glb", {"--clip", other_ + ":lean"});
    expect_tip({"--clip", "layers", "--time", "1"}, -1, 1);
    convert("slid.glb", {"--clip", "slide"});
    expect_tip({"--clip", "layers", "--time", "1"}, 2, 2);
    expect_rejected({"--clip", "bend"}, "there is no clip 'bend'");
    convert("still.glb", {"--clip", "none"});
    expect_tip({"--clip", "bend", "--time", "1"}, -1, 1);
    const auto rejected = run({"convert", source, file_, "--layer", "bend~tail"});
    EXPECT_EQ(rejected.exit_code, 1);
    EXPECT_THAT(rejected.err, testing::HasSubstr("--layer: "));
}

TEST_F(CliLayers, MeshesAndImagesShowThem)
{
    const auto out = [&](std::string_view name) { return (folder_ / name).string(); };
    ASSERT_EQ(run({"bake", file_, "--clip", "bend", "--time", "1", "-o", out("a.obj")}).exit_code, 0);
    ASSERT_EQ(run({"bake", file_, "--layer", "bend@1", "-o", out("b.obj")}).exit_code, 0);
    EXPECT_EQ(vitrine::test::content_of(out("a.obj")), vitrine::test::content_of(out("b.obj")));
    const auto image = [&](const std::string& name, std::vector<std::string> options) {
        options.insert(options.begin(), {"render", file_, "--gpu", "software", "--size", "48x48", "--view",
                                         "0,0,9", "--light", "reference", "-o", out(name)});
        EXPECT_EQ(run(options).exit_code, 0) << testing::PrintToString(options);
        return vitrine::test::content_of(out(name));
    };
    const auto turned = image("c.png", {"--turn", "arm:0,0,90"});
    EXPECT_TRUE(turned == image("d.png", {"--layer", "bend@1"}));
    EXPECT_FALSE(turned == image("e.png", {"--turn", "arm:0,0,0"}));
    EXPECT_FALSE(image("f.webp", {"--frames", "4", "--clip", "slide"}) ==
                 image("g.webp", {"--frames", "4", "--clip", "slide", "--layer", "bend"}));
    EXPECT_NE(run({"render", file_, "--frames", "4", "--turn", "arm:0,0,90", "-o", out("h.webp")}).exit_code,
              0);
}

TEST_F(CliLayers, SkinningMethodsDiffer)
{
    auto halves = vitrine::test::arm_buffer(); // the third vertex follows both joints
    const float half = 0.5f;
    for (const std::size_t at : {80u, 84u})
        std::memcpy(&halves[at], &half, sizeof half);
    write("arm.bin", halves);
    const auto height = [&](const std::string& method) {
        const auto out = (folder_ / (method + ".obj")).string();
        EXPECT_EQ(run({"bake", file_, "--turn", "arm:0,0,120", "--skinning", method, "-o", out}).exit_code,
                  0);
        return vitrine::test::content_of(out);
    };
    EXPECT_FALSE(height("linear") == height("dual_quaternion"));
    const auto unset = (folder_ / "unset.obj").string();
    EXPECT_EQ(run({"bake", file_, "--turn", "arm:0,0,120", "-o", unset}).exit_code, 0);
    EXPECT_TRUE(vitrine::test::content_of(unset) == height("linear"));
    EXPECT_NE(run({"pose", file_, "--skinning", "cubic"}).exit_code, 0);
}

TEST_F(CliLayers, SaysWhatIsWrong)
{
    expect_rejected({"--layer", "run"}, "--layer: there is no clip 'run' among 2: 'bend', 'slide'");
    expect_rejected({"--turn", "tail:1,2,3"}, "--turn: there is no joint 'tail'");
    expect_rejected({"--move", "arm"}, "--move: 'arm' is not JOINT:x,y,z");
    expect_rejected({"--layer", "bend", "--frame", "3"}, "--file-time and --frame need --clip");
}

TEST_F(CliLayers, SeveralFilesStandSideBySide)
{
    const auto out = [&](const std::string& name) { return (folder_ / name).string(); };
    const auto draw = [&](const std::string& name, std::vector<std::string> options) {
        options.insert(options.begin(),
                       {"render", file_, other_, "--gpu", "software", "--size", "64x32", "-o", out(name)});
        return run(options);
    };
    const auto picture = [&](const std::string& name, const std::vector<std::string>& options) {
        const auto outcome = draw(name, options);
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        return vitrine::test::content_of(out(name));
    };
    const auto still = picture("a.png", {"--clip", "none"});
    EXPECT_NE(picture("b.png", {"--clip", "none", "--model", "1.turn=arm:0,0,90"}), still);
    EXPECT_NE(picture("j.png", {"--clip", "none", "--model", "1.surface=clay"}), still);
    EXPECT_NE(picture("c.png", {"--clip", "slide", "--time", "0.5"}), picture("d.png", {"--clip", "slide"}));
    EXPECT_EQ(picture("e.png", {"--model", "0.clip=bend", "--model", "1.clip=lean", "--time", "0.5"}),
              picture("f.png", {"--clip", "0", "--time", "0.5"}));
    EXPECT_NE(picture("g.webp", {"--frames", "3", "--clip", "0"}),
              picture("h.webp", {"--frames", "3", "--clip", "0", "--model", "1.time=0.5"}));
    EXPECT_FALSE(picture("i.webp", {"--turntable", "3", "--sizes", "equal"}).empty());
    EXPECT_NE(picture("k.png", {"--clip", "none", "--model", "1.height=9"}), still);
    EXPECT_EQ(picture("l.png", {"--clip", "none", "--unit", "1"}), still);
    const auto expect_error = [&](const std::vector<std::string>& options, int code, std::string_view words) {
        const auto outcome = draw("x.png", options);
        EXPECT_EQ(outcome.exit_code, code) << testing::PrintToString(options);
        EXPECT_THAT(outcome.err, testing::HasSubstr(words));
    };
    expect_error({"--clip", "bend"}, 1, "other.gltf: there is no clip 'bend' among 2");
    expect_error({"--model", "2.clip=bend"}, 1,
                 "--model '2.clip=bend': must be N.OPTION=VALUE, N from 0 to 1");
    expect_error({"--model", "clip=bend"}, 1, "must be N.OPTION=VALUE");
    expect_error({"--model", "1.size=5"}, 1, "--model 1: ");
    expect_error({"--sizes", "big"}, 2, "--sizes");
    expect_error({"--height", "0"}, 2, "--height");
    expect_error({"--model", "1.unit=nan"}, 1, "--model 1: ");
    expect_error({"--sizes", "equal", "--model", "1.height=2"}, 1, "are only taken with --sizes actual");
    EXPECT_EQ(run({"render", file_, "missing.obj", "-o", out("y.png")}).exit_code, 1);
}

} // namespace
