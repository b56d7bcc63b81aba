// Images of several assets side by side, over REST.

#include "tests/integration/http/lineup_shapes.hpp"
#include "tests/integration/http_fixture.hpp"
#include "tests/support/arm_model.hpp"

namespace vitrine::test {
namespace {

// A box of the size that stands on y = 5.
std::string box_obj(double width, double height)
{
    std::string obj;
    for (const double z : {0.0, 1.0})
        obj += fmt::format("v 0 5 {2}\nv {0} 5 {2}\nv {0} {1} {2}\nv 0 {1} {2}\n", width, 5 + height, z);
    return obj + "f 1 2 3 4\nf 8 7 6 5\nf 1 5 6 2\nf 2 6 7 3\nf 3 7 8 4\nf 4 8 5 1\n";
}

class HttpLineup : public Http {
protected:
    static void SetUpTestSuite()
    {
        Http::SetUpTestSuite();
        arm = import_asset(port(), {{"arm.gltf", std::string(arm_gltf)}, {"arm.bin", arm_buffer()}});
        small = import_asset(port(), {{"small.obj", box_obj(1, 2)}});
        large = import_asset(port(), {{"large.obj", box_obj(2, 4)}});
        ASSERT_FALSE(arm.empty() || small.empty() || large.empty());
    }
    static Reply read(const std::string& query, int status = 200)
    {
        auto reply = get(port(), "/v1/render?" + query);
        EXPECT_EQ(reply.status, status) << query << " " << reply.body.substr(0, 500);
        return reply;
    }
    static void expect_rejected(const std::string& query, int status, std::string_view words)
    {
        const auto reply = read(query, status);
        EXPECT_NE(reply.body.find(words), std::string::npos) << reply.body;
    }
    static std::vector<Shape> draw(const std::string& query) { return draw_row(port(), query); }
    static inline std::string arm, small, large;
};

TEST_F(HttpLineup, RelativeSizesAreTrue)
{
    const auto shapes = draw("asset=" + small + "&asset=" + large);
    ASSERT_EQ(shapes.size(), 2u);
    const auto width = [](const Shape& shape) { return static_cast<double>(shape.last - shape.first + 1); };
    EXPECT_NEAR(width(shapes[1]) / width(shapes[0]), 2.0, 0.1);
    // On one ground: the lower edges are in one line, so that the upper ones differ by the heights.
    const auto picture = draw("asset=" + large + "&asset=" + small);
    EXPECT_GT(picture[0].height, picture[1].height) << "in the order of the request";
    EXPECT_NEAR(width(picture[0]), width(shapes[1]), 1.0);
    const auto equal = draw("sizes=equal&asset=" + small + "&asset=" + large);
    ASSERT_EQ(equal.size(), 2u);
    EXPECT_NEAR(width(equal[0]), width(equal[1]), 1.5);
    EXPECT_NEAR(static_cast<double>(equal[0].height), static_cast<double>(equal[1].height), 1.5);
}

TEST_F(HttpLineup, SaysWhereEachIs)
{
    const auto path = "/v1/lineup?asset=" + small + "&asset=" + large;
    const auto reply = get(port(), path);
    ASSERT_EQ(reply.status, 200) << reply.body;
    const auto row = reply.json();
    EXPECT_EQ(text_at(row, "/sizes"), "actual");
    EXPECT_NEAR(number_of(row, "/bounds/min/0"), -1.7, 1e-5); // 1 + 2 wide, a tenth of 4 between them
    EXPECT_NEAR(number_of(row, "/items/0/bounds/max/0"), -0.7, 1e-5);
    EXPECT_NEAR(number_of(row, "/items/0/bounds/min/1"), 0.0, 1e-5);
    EXPECT_NEAR(number_of(row, "/items/0/transform/translation/1"), -5.0, 1e-5);
    EXPECT_NEAR(number_of(row, "/items/1/bounds/max/1"), 4.0, 1e-5);
    EXPECT_EQ(text_at(row, "/items/1/asset/id"), large);
    EXPECT_EQ(text_at(row, "/items/1/asset/name"), "large");
    EXPECT_TRUE(row.at_pointer("/items/0/clip").is_null());
    EXPECT_EQ(get(port(), path, {{"If-None-Match", reply.header("etag")}}).status, 304);
    EXPECT_NE(get(port(), path + "&1.height=2").header("etag"), reply.header("etag"));
    const auto moving = get(port(), "/v1/lineup?asset=" + small + "&asset=" + arm + "&1.clip=bend").json();
    EXPECT_EQ(text_at(moving, "/items/1/clip/name"), "bend");
    EXPECT_GT(number_of(moving, "/items/1/clip/duration"), 0.0);
}

TEST_F(HttpLineup, PicksTheModelAtAPixel)
{
    const auto view =
        "w=400&h=200&view=front&ortho=true&asset=" + small + "&asset=" + arm + "&asset=" + large;
    const auto shapes = draw("asset=" + small + "&asset=" + arm + "&asset=" + large);
    ASSERT_EQ(shapes.size(), 3u);
    const std::string ids[]{small, arm, large};
    const auto pick = [&](std::size_t x, std::size_t y) {
        return get(port(), fmt::format("/v1/pick?x={}&y={}&{}", x, y, view));
    };
    for (std::size_t i = 0; i < 3; ++i) {
        const auto meter = shapes[0].last - shapes[0].first;
        const auto reply = pick(shapes[i].first + 5, 200 - shapes[i].height + meter);
        ASSERT_EQ(reply.status, 200) << reply.body;
        const auto found = reply.json();
        ASSERT_FALSE(found.at("hit").is_null()) << i;
        EXPECT_EQ(number_of(found, "/item"), static_cast<double>(i)) << reply.body;
        EXPECT_EQ(text_at(found, "/asset/id"), ids[i]);
        EXPECT_EQ(number_of(found, "/hit/mesh/index"), 0.0) << "in the scene of the asset";
    }
    const auto nothing = pick(0, 0).json();
    EXPECT_TRUE(nothing.at("item").is_null() && nothing.at("asset").is_null() && nothing.at("hit").is_null());
    EXPECT_EQ(get(port(), "/v1/pick?x=400&y=0&" + view).status, 400);
    EXPECT_EQ(get(port(), "/v1/pick?x=4&" + view).status, 400);
    EXPECT_EQ(get(port(), "/v1/pick?x=4&y=4").status, 400);
    const auto tag = pick(1, 1).header("etag");
    EXPECT_EQ(get(port(), "/v1/pick?x=1&y=1&" + view, {{"If-None-Match", tag}}).status, 304);
}

TEST_F(HttpLineup, HasTheSizeThatIsAskedFor)
{
    const auto assets = "asset=" + small + "&asset=" + large;
    const auto row = [&](const std::string& query) { return get(port(), "/v1/lineup?" + query).json(); };
    const auto tall = row(assets + "&0.unit=0.01&1.height=2");
    EXPECT_NEAR(number_of(tall, "/items/0/bounds/max/1"), 0.02, 1e-6);
    EXPECT_NEAR(number_of(tall, "/items/0/unit"), 0.01, 1e-8);
    EXPECT_NEAR(number_of(tall, "/items/1/bounds/max/1"), 2.0, 1e-5);
    EXPECT_NEAR(number_of(tall, "/items/1/unit"), 0.5, 1e-6);
    const auto shapes = draw(assets + "&height=2");
    ASSERT_EQ(shapes.size(), 2u);
    EXPECT_NEAR(static_cast<double>(shapes[0].height), static_cast<double>(shapes[1].height), 1.5);
    const auto robot = import_asset(port(), robot_md5());
    EXPECT_NEAR(number_of(row("asset=" + robot), "/items/0/unit"), 0.0254, 1e-7);
    EXPECT_NEAR(number_of(row("unit=1&asset=" + robot), "/items/0/unit"), 1.0, 1e-7);
    expect_rejected(assets + "&sizes=equal&1.height=2", 400, "1.height is only taken with sizes=actual");
    for (const auto* bad : {"height=0", "unit=-1", "height=nan", "unit=1e7", "0.height=1e-9"})
        expect_rejected(assets + "&" + bad, 400, "must be a number");
    for (const auto* large_or_small : {"unit=1e6", "height=1e6", "height=1e-6", "unit=1e-6"})
        read(assets + "&w=16&h=16&" + large_or_small);
}

TEST_F(HttpLineup, EachHasItsOwnMotion)
{
    const auto assets = "asset=" + arm + "&asset=" + arm + "&w=48&h=48&format=png";
    const auto tag = [&](const std::string& query) { return read(assets + query).header("etag"); };
    const auto still = tag("");
    EXPECT_EQ(tag("&clip=none"), still);
    EXPECT_NE(tag("&clip=bend"), still);
    EXPECT_NE(tag("&clip=bend&t=0.5"), tag("&clip=bend"));
    EXPECT_EQ(tag("&clip=bend&1.clip=slide"), tag("&0.clip=bend&1.clip=slide"));
    EXPECT_NE(tag("&clip=bend&1.clip=slide"), tag("&0.clip=slide&1.clip=bend"));
    EXPECT_NE(tag("&clip=bend&1.t=0.5"), tag("&clip=bend"));
    EXPECT_NE(tag("&1.turn=arm:0,0,90"), still);
    EXPECT_NE(tag("&0.attach=" + small + "@arm"), still);
    const auto body = [&](const std::string& query) { return read(assets + query).body; };
    EXPECT_EQ(body("&clip=bend&t=0.25"), body("&clip=bend&t=1.25")) << "a clip starts again";
    EXPECT_NE(body("&clip=bend&t=0.25"), body("&clip=bend&t=0.75"));
    const auto shapes = draw("asset=" + arm + "&asset=" + arm + "&1.turn=arm:0,0,-90");
    ASSERT_EQ(shapes.size(), 2u);
    EXPECT_GT(shapes[0].height, shapes[1].height + 40);
}

TEST_F(HttpLineup, IsCachedByWhatItShows)
{
    const auto path = "/v1/render?w=32&h=32&asset=" + small + "&asset=" + arm;
    const auto first = get(port(), path, {{"Accept", "image/webp"}});
    EXPECT_EQ(first.status, 200);
    EXPECT_EQ(first.header("content-type"), "image/webp");
    EXPECT_EQ(first.header("vary"), "Accept");
    EXPECT_EQ(first.header("cache-control"), "no-cache");
    const auto again = get(port(), path, {{"Accept", "image/webp"}, {"If-None-Match", first.header("etag")}});
    EXPECT_EQ(again.status, 304);
    EXPECT_EQ(get(port(), path + "&sizes=actual&view=auto", {{"Accept", "image/webp"}}).header("etag"),
              first.header("etag"));
    EXPECT_NE(get(port(), path + "&sizes=equal", {{"Accept", "image/webp"}}).header("etag"),
              first.header("etag"));
    const auto lent = import_asset(port(), {{"lent.obj", box_obj(1, 3)}});
    const auto with_lent = "asset=" + small + "&asset=" + lent + "&w=16&h=16";
    read(with_lent);
    read(with_lent); // from the cache of responses
    EXPECT_EQ(fetch(port(), "DELETE", "/v1/assets/" + lent).status, 204);
    expect_rejected(with_lent, 404, "There is no asset " + lent + ".");
}

TEST_F(HttpLineup, MovesAndTurns)
{
    const auto query = "?frames=3&size=32&asset=" + arm + "&asset=" + koi;
    const auto turn = get(port(), "/v1/turntable" + query);
    EXPECT_EQ(turn.status, 200) << turn.body;
    EXPECT_EQ(turn.header("content-type"), "image/webp");
    const auto moving = get(port(), "/v1/animation" + query + "&0.clip=bend");
    EXPECT_EQ(moving.status, 200) << moving.body;
    EXPECT_NE(moving.body, turn.body);
    EXPECT_EQ(
        get(port(), "/v1/animation" + query + "&0.clip=bend", {{"If-None-Match", moving.header("etag")}})
            .status,
        304);
    for (const std::string kind : {"animation", "turntable"}) {
        const auto crowd = get(port(), "/v1/" + kind + query + "&0.clip=bend&crowd=4&ghosts=1");
        EXPECT_EQ(crowd.status, 200) << crowd.body;
        EXPECT_NE(crowd.body, kind == "animation" ? moving.body : turn.body);
        EXPECT_EQ(get(port(), "/v1/" + kind + query + "&crowd=0").status, 400);
    }
}

TEST_F(HttpLineup, SaysWhichAssetIsAtFault)
{
    expect_rejected("w=32", 400, "asset is missing");
    expect_rejected("asset=nobody&asset=" + arm, 404, "There is no asset nobody.");
    expect_rejected("asset=" + arm + "&asset=" + small + "&clip=bend", 404,
                    "Asset " + small + ": This asset has no clip 'bend'.");
    expect_rejected("asset=" + arm + "&0.turn=tail:0,0,1", 400,
                    "Asset " + arm + ": there is no joint 'tail'");
    expect_rejected("asset=" + arm + "&variant=red", 400, "Asset " + arm);
    expect_rejected("asset=" + arm + "&0.attach=nobody@arm", 404, "There is no asset nobody to attach.");
    expect_rejected("asset=" + arm + "&1.clip=bend", 400, "1.clip is not a parameter of this route");
    expect_rejected("asset=" + arm + "&0.t=nan", 400, "0.t must be a number");
    expect_rejected("asset=" + arm + "&0.skinning=cubic", 400, "0.skinning must be one of");
    expect_rejected("asset=" + arm + "&sizes=big", 400, "sizes must be one of actual, equal");
    expect_rejected("asset=" + arm + "&0.w=5", 400, "0.w is not a parameter of this route");
    expect_rejected("asset=" + arm + "&overlay=weights:nobody", 400, "there is no joint 'nobody'");
    expect_rejected("asset=" + arm + "&-1.clip=bend&.clip=bend&00.clip=bend", 400, "is not a parameter");
    std::string many;
    for (int i = 0; i < 16; ++i)
        many += "&asset=" + small;
    read("w=16&h=16" + many);
    expect_rejected("w=16&h=16&asset=" + arm + many, 400, "asset is given more than 16 times");
}

} // namespace
} // namespace vitrine::test
