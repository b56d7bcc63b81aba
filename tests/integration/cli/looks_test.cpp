// --lod, --hide, --only, --surface, --skin and ranges of frames on the command line.

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

#include "tests/integration/cli/program.hpp"
#include "tests/support/tga.hpp"
#include "tests/unit/md2/samples.hpp"

namespace json = boost::json;

namespace {

using testing::HasSubstr;

class CliLooks : public vitrine::test::CliTest {
protected:
    void SetUp() override
    {
        CliTest::SetUp();
        vitrine::test::Md2Model model;
        model.skins = {"red.tga", "blue.tga"};
        model.frames[1].name = "walk1";
        soldier_ = write("tris.md2", model.write());
        write("red.tga", vitrine::test::pixel(1));
        write("blue.tga", vitrine::test::pixel(2));
    }
    // Returns what a pick in the middle of the image hits.
    json::value picked(const std::string& file, std::vector<std::string> options)
    {
        std::vector<std::string> arguments{"render", file,     "--gpu", "software", "--view",
                                           "front",  "--pick", "32,38", "--size",   "64x64"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const auto outcome = run(arguments);
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        return json::parse(outcome.out);
    }
    std::string node(std::vector<std::string> options)
    {
        return std::string(picked(levels_, std::move(options)).at_pointer("/hit/node/name").as_string());
    }
    std::string error_of(std::vector<std::string> options)
    {
        std::vector<std::string> arguments{"bake", levels_, "-o", (folder_ / "out.obj").string()};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const auto outcome = run(arguments);
        EXPECT_NE(outcome.exit_code, 0);
        return outcome.err;
    }

    const std::string levels_ =
        write("levels.obj", "v -1 -1 0\nv 1 -1 0\nv 0 1 0\nv -1 -1 -1\nv 1 -1 -1\nv 0 1 -1\n"
                            "o a_LOD0\nf 1 2 3\no a_LOD1\nf 1 2 3\no back\nf 4 5 6\n");
    std::string soldier_;
};

TEST_F(CliLooks, PicturesShowALevelOrSomeNodes)
{
    EXPECT_EQ(node({}), "a_LOD0");
    EXPECT_EQ(node({"--lod", "1"}), "a_LOD1");
    EXPECT_EQ(node({"--hide", "a_LOD0"}), "back");
    EXPECT_EQ(node({"--only", "back"}), "back");
    EXPECT_EQ(picked(levels_, {"--surface", "clay"}).at_pointer("/hit/material/name"), "clay");
}

TEST_F(CliLooks, BakedMeshesAndConvertedFilesHaveThem)
{
    const auto faces = [&](std::vector<std::string> options) {
        const auto out = (folder_ / "baked.obj").string();
        std::vector<std::string> arguments{"bake", levels_, "-o", out};
        arguments.insert(arguments.end(), options.begin(), options.end());
        EXPECT_EQ(run(arguments).exit_code, 0);
        const auto mesh = vitrine::test::content_of(out);
        return std::ranges::count(mesh, 'f');
    };
    EXPECT_EQ(faces({}), 2) << "the less detailed level is not baked";
    EXPECT_EQ(faces({"--lod", "1"}), 2);
    EXPECT_EQ(faces({"--only", "back"}), 1);
    const auto glb = (folder_ / "clay.glb").string();
    ASSERT_EQ(run({"convert", levels_, glb, "--surface", "clay", "--hide", "back"}).exit_code, 0);
    const auto found = json::parse(run({"inspect", glb}).out);
    EXPECT_EQ(found.at_pointer("/materials/0/name"), "clay");
}

TEST_F(CliLooks, LevelsAndSkinsAreListed)
{
    const auto found = json::parse(run({"inspect", levels_}).out);
    EXPECT_EQ(found.at("levels").as_array().size(), 2u);
    EXPECT_EQ(found.at_pointer("/counts/triangles"), 3) << "of all levels";
    EXPECT_EQ(found.at_pointer("/warnings/0/code"), "lod_hidden");
    const auto skins = json::parse(run({"inspect", soldier_}).out);
    EXPECT_EQ(skins.at("skins"), json::parse(R"(["red","blue"])"));
    EXPECT_EQ(skins.at("frames"), 2);
    EXPECT_EQ(skins.at("clips").as_array().size(), 2u);
}

TEST_F(CliLooks, SkinsAndRangesOfFramesAreSelected)
{
    const auto out = (folder_ / "frame.obj").string();
    const auto baked = [&](std::vector<std::string> options) {
        std::vector<std::string> arguments{"bake", soldier_, "-o", out};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const auto outcome = run(arguments);
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        return vitrine::test::content_of(out);
    };
    EXPECT_EQ(baked({"--clip", "frames:0-1", "--time", "0.1"}), baked({"--clip", "walk"}));
    EXPECT_EQ(baked({"--clip", "frames:all", "--frame", "1"}), baked({"--clip", "walk"}));
    EXPECT_NE(baked({"--clip", "frames:0-1", "--time", "0.05"}), baked({"--clip", "walk"}));
    EXPECT_THAT(run({"bake", soldier_, "-o", out, "--clip", "frames:0-2"}).err,
                HasSubstr("the frames 0 to 1"));
    EXPECT_THAT(run({"bake", soldier_, "-o", out, "--skin", "green"}).err,
                HasSubstr("there is no skin 'green' among 2: 'red', 'blue'"));
    baked({"--skin", "blue"});
}

TEST_F(CliLooks, RejectWhatTheFileDoesNotHave)
{
    EXPECT_THAT(error_of({"--lod", "2"}),
                HasSubstr("--lod: there is no level of detail 2: the file has the levels 0 to 1"));
    EXPECT_THAT(error_of({"--hide", "leg"}), HasSubstr("--hide: there is no node 'leg'"));
    EXPECT_THAT(error_of({"--only", "a_LOD1"}), HasSubstr("nothing that is left of the model is drawn"));
    EXPECT_THAT(error_of({"--surface", "gold"}), HasSubstr("--surface"));
}

} // namespace
