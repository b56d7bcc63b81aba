// Animated images of a clip: the requested number of frames, at the clip's own speed.

#include <string>

#include "tests/integration/http_fixture.hpp"
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

} // namespace
} // namespace vitrine::test
