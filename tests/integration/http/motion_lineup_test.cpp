// Images of files with motion alone beside each other and beside models, over REST.

#include "server/samples/samples.hpp"
#include "tests/integration/http/lineup_shapes.hpp"
#include "tests/integration/http_fixture.hpp"

namespace vitrine::test {
namespace {

// A skeleton without a mesh, in centimeters: its arms are half as long as it is high, and the left one is
// raised in one second.
UploadFile figure_bvh(const std::string& name, double height)
{
    std::string text = "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 1 Yrotation\n";
    const auto add_limb = [&](const char* joint, double x, double y) {
        text +=
            fmt::format("JOINT {0}\n{{\nOFFSET 0 {1} 0\nCHANNELS 1 Zrotation\nEnd Site\n{{\nOFFSET {2} {3} "
                        "0\n}}\n}}\n",
                        joint, 0.8 * height, x * height, y * height);
    };
    add_limb("Head", 0.0, 0.2);
    add_limb("LeftArm", 0.5, 0.0);
    add_limb("RightArm", -0.5, 0.0);
    return {name, text + "}\nMOTION\nFrames: 2\nFrame Time: 1\n0 0 0 0\n0 0 90 0\n"};
}

// A file of the sample library.
UploadFile partial_sample(std::string_view folder)
{
    for (const auto& sample : samples::write_partial_formats())
        if (sample.folder == folder)
            return {sample.main_name, std::string(reinterpret_cast<const char*>(sample.files[0].bytes.data()),
                                                  sample.files[0].bytes.size())};
    return {};
}

class HttpMotionLineup : public Http {};

TEST_F(HttpMotionLineup, SkeletonsWithoutAMeshHaveTheirTrueSizes)
{
    const auto tall = import_asset(port(), {figure_bvh("tall.bvh", 200)}),
               child = import_asset(port(), {figure_bvh("child.bvh", 100)});
    const auto assets = "asset=" + tall + "&asset=" + child;
    const auto shapes = draw_row(port(), assets);
    ASSERT_EQ(shapes.size(), 2u);
    const auto width = [](const Shape& shape) { return static_cast<double>(shape.last - shape.first + 1); };
    EXPECT_NEAR(width(shapes[0]) / width(shapes[1]), 2.0, 0.1);
    EXPECT_GT(shapes[0].height, shapes[1].height + 40);
    const auto row = get(port(), "/v1/lineup?" + assets).json();
    EXPECT_NEAR(number_of(row, "/items/0/bounds/max/1"), 2.0, 0.1);
    EXPECT_NEAR(number_of(row, "/items/1/bounds/max/1"), 1.0, 0.05);
    EXPECT_EQ(number_of(row, "/items/0/unit"), 0.01);
    // A raised arm takes no room beside the figure.
    const auto raised = draw_row(port(), assets + "&1.clip=0&1.t=1");
    ASSERT_EQ(raised.size(), 2u);
    EXPECT_LT(width(raised[1]) / width(raised[0]), 0.75 * width(shapes[1]) / width(shapes[0]));
}

TEST_F(HttpMotionLineup, MotionStandsBesideMotionAndMeshes)
{
    const auto figure = import_asset(port(), {figure_bvh("figure.bvh", 170)}),
               bow = import_asset(port(), {partial_sample("bow-vrma")}),
               vase = import_asset(port(), {vase_glb()});
    ASSERT_FALSE(figure.empty() || bow.empty() || vase.empty());
    const auto assets = "asset=" + figure + "&asset=" + bow + "&asset=" + vase;
    const auto shapes = draw_row(port(), assets);
    ASSERT_EQ(shapes.size(), 3u);
    const std::string ids[]{figure, bow, vase};
    for (std::size_t i = 0; i < 3; ++i) { // a bone of the spine, or the vase
        const auto x = (shapes[i].first + shapes[i].last) / 2;
        std::size_t hits = 0;
        for (std::size_t y = 60; y < 180; y += 10) {
            const auto found =
                get(port(),
                    fmt::format("/v1/pick?w=400&h=200&view=front&ortho=true&x={}&y={}&{}", x, y, assets))
                    .json();
            if (found.at("hit").is_null()) continue;
            ++hits;
            EXPECT_EQ(text_at(found, "/asset/id"), ids[i]);
        }
        EXPECT_GT(hits, 1u) << i;
    }
    const auto moving = get(port(), "/v1/animation?frames=3&size=64&clip=0&2.clip=none&" + assets);
    EXPECT_EQ(moving.status, 200) << moving.body;
}

class HttpSkeletons : public Http {
protected:
    static Reply read(const std::string& asset, const std::string& rest, int status = 200)
    {
        auto reply = get(port(), fmt::format("/v1/assets/{}{}", asset, rest));
        EXPECT_EQ(reply.status, status) << rest << " " << reply.body.substr(0, 500);
        return reply;
    }
};

// Images of a rig without a mesh show its bones, also those that a look leaves.
TEST_F(HttpSkeletons, BonesAreLeftOut)
{
    const auto rig =
        import_asset(port(), {{"rig.gltf", R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
                 "nodes":[{"name":"hips","children":[1,2]},{"name":"head","translation":[0,1,0]},
                          {"name":"tail","translation":[1,0,0]}]})"}});
    for (const std::string kind : {"/render?w=64&h=64&view=front&format=png", "/turntable?frames=2&size=32",
                                   "/sprite?frames=1&size=32"}) {
        const auto whole = read(rig, kind).body, headless = read(rig, kind + "&hide=head").body;
        EXPECT_NE(whole, headless) << kind;
        EXPECT_NE(headless, read(rig, kind + "&only=head").body) << kind;
        EXPECT_NE(whole, read(rig, kind + "&surface=clay").body) << kind;
        EXPECT_EQ(text_at(read(rig, kind + "&hide=hips", 422).json(), "/code"), "nothing_to_show");
    }
    EXPECT_TRUE(read(rig, "/pick?w=64&h=64&x=32&y=32&view=front&only=head,tail").json().at("hit").is_null());
    read(rig, "/export.glb?hide=head");
}

} // namespace
} // namespace vitrine::test
