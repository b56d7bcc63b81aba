// Animated images of a clip: the requested number of frames, at the clip's own speed. What images and data
// say of its motion: keys, paths of joints.

#include <string>

#include <boost/json/serialize.hpp>

#include "tests/integration/http_fixture.hpp"
#include "tests/support/arm_model.hpp"
#include "tests/support/webp_animation.hpp"

namespace vitrine::test {
namespace {

TEST_F(Http, ClipAnimationIsAnAnimatedWebP)
{
    const auto clip = get(port(), asset_path("/clips")).json().at_pointer("/items/0");
    const auto id = std::string(clip.at("id").as_string());
    const auto path = asset_path("/animation?frames=6&size=48&clip=" + id);
    const auto reply = get(port(), path);
    ASSERT_EQ(reply.status, 200) << reply.body;
    EXPECT_EQ(reply.header("content-type"), "image/webp");
    const auto motion = read_animation(reply.body);
    EXPECT_EQ(motion.content.size(), 6u);
    EXPECT_NEAR(motion.milliseconds, 1000.0 * clip.at("duration").to_number<double>(), 10.0);
    EXPECT_EQ(get(port(), path, {{"If-None-Match", reply.header("etag")}}).status, 304);
    EXPECT_EQ(get(port(), path).body, reply.body);
    const auto turn = get(port(), asset_path("/turntable?frames=6&size=48&clip=" + id));
    EXPECT_NE(turn.body, reply.body);
    EXPECT_EQ(read_animation(turn.body).milliseconds, 4000u);
    EXPECT_EQ(get(port(), asset_path("/animation?clip=none-such")).status, 404);
}

TEST_F(Http, KeysSayBetweenWhichATimeIs)
{
    const auto arm = import_asset(port(), {{"arm.gltf", std::string(arm_gltf)}, {"arm.bin", arm_buffer()}});
    const auto keys = [&](std::string_view query, int status = 200) {
        const auto reply = get(port(), fmt::format("/v1/assets/{}/clips/bend/keys{}", arm, query));
        EXPECT_EQ(reply.status, status) << reply.body;
        return reply.json();
    };
    const auto all = keys("");
    EXPECT_EQ(all.at("count").to_number<int>(), 2);
    EXPECT_EQ(all.at("times").as_array(), (boost::json::array{0, 1}));
    EXPECT_FALSE(all.as_object().contains("at"));
    const auto quarter = keys("?t=0.25");
    EXPECT_EQ(boost::json::serialize(quarter.at("at")),
              R"({"time":2.5E-1,"from":{"key":0,"time":0},"to":{"key":1,"time":1},"blend":2.5E-1,)"
              R"("previous":0,"next":1,"interpolation":"linear"})");
    ASSERT_EQ(quarter.at("tracks").as_array().size(), 1u);
    const auto& track = quarter.at("tracks").at(0);
    EXPECT_EQ(track.at("name").as_string(), "arm");
    EXPECT_EQ(track.at("path").as_string(), "rotation");
    EXPECT_EQ(track.at("blend").to_number<double>(), 0.25);
    EXPECT_EQ(keys("?t=1").at("at").at("from"), keys("?t=1").at("at").at("to"));
    EXPECT_EQ(keys("?t=1.5").at("at"), keys("?t=1").at("at")) << "as poses, which hold the end";
    EXPECT_EQ(keys("?t=-1").at("at"), keys("?t=0").at("at"));
    const auto none = keys("?t=0.5&joint=root");
    EXPECT_TRUE(none.at("at").is_null());
    EXPECT_TRUE(none.at("tracks").as_array().empty());
    EXPECT_EQ(keys("?t=0.5&joint=arm").at("tracks").as_array().size(), 1u);
    for (const auto* wrong : {"?t=1e99", "?t=nan", "?joint=tail", "?at=1"})
        keys(wrong, 400);
    EXPECT_EQ(get(port(), fmt::format("/v1/assets/{}/clips/run/keys", arm)).status, 404);
}

TEST_F(Http, ImagesShowTrailsAndBoxesOfJoints)
{
    const auto arm = import_asset(port(), {{"arm.gltf", std::string(arm_gltf)}, {"arm.bin", arm_buffer()}});
    const auto draw = [&](std::string_view query, int status = 200) {
        const auto reply = get(
            port(), fmt::format("/v1/assets/{}/render?w=64&h=64&clip=slide&t=0.5&format=png&{}", arm, query));
        EXPECT_EQ(reply.status, status) << reply.body.substr(0, 300);
        return reply;
    };
    const auto plain = draw("overlay=none"), trail = draw("overlay=trails:arm");
    EXPECT_NE(trail.body, plain.body);
    EXPECT_EQ(draw("overlay=trails:1").body, trail.body);
    EXPECT_EQ(draw("overlay=trails").body, trail.body) << "the arm is the end of the skeleton";
    EXPECT_NE(trail.header("etag"), draw("overlay=trails:root").header("etag"));
    EXPECT_NE(draw("overlay=joint_boxes").body, plain.body);
    EXPECT_NE(draw("overlay=trails:tail", 400).body.find("there is no joint 'tail'"), std::string::npos);
    draw("overlay=trails:", 400);
    std::string many = "overlay=trails:0";
    for (int i = 1; i < 17; ++i)
        many += fmt::format(",trails:{}", i);
    draw(many, 400);
}

} // namespace
} // namespace vitrine::test
