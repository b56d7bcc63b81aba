// Animated images of a clip: the requested number of frames, at the clip's own speed.

#include <set>
#include <string>

#include "tests/integration/http_fixture.hpp"

namespace vitrine::test {
namespace {

// Frames of an animated WebP: durations in milliseconds, and the number of frames that differ from the
// previous one.
struct Played {
    unsigned milliseconds = 0;
    std::set<std::string> pictures;
};

Played played(const std::string& webp)
{
    Played out;
    const auto byte = [&](std::size_t at) {
        return static_cast<unsigned>(static_cast<unsigned char>(webp.at(at)));
    };
    for (std::size_t at = 12; at + 8 <= webp.size();) {
        const std::size_t size = byte(at + 4) | byte(at + 5) << 8 | byte(at + 6) << 16 | byte(at + 7) << 24;
        if (webp.substr(at, 4) == "ANMF") {
            out.milliseconds += byte(at + 20) | byte(at + 21) << 8 | byte(at + 22) << 16;
            out.pictures.insert(webp.substr(at + 24, size - 16));
        }
        at += 8 + size + size % 2;
    }
    return out;
}

TEST_F(Http, ClipAnimationIsAnAnimatedWebP)
{
    const auto clip = get(port(), asset_path("/clips")).json().at_pointer("/items/0");
    const auto id = std::string(clip.at("id").as_string());
    const auto path = asset_path("/animation?frames=6&size=48&clip=" + id);
    const auto reply = get(port(), path);
    ASSERT_EQ(reply.status, 200) << reply.body;
    EXPECT_EQ(reply.header("content-type"), "image/webp");
    const auto motion = played(reply.body);
    EXPECT_EQ(motion.pictures.size(), 6u);
    EXPECT_NEAR(motion.milliseconds, 1000.0 * clip.at("duration").to_number<double>(), 10.0);
    EXPECT_EQ(get(port(), path, {{"If-None-Match", reply.header("etag")}}).status, 304);
    EXPECT_EQ(get(port(), path).body, reply.body);
    EXPECT_NE(get(port(), asset_path("/turntable?frames=6&size=48&clip=" + id)).body, reply.body);
    EXPECT_EQ(get(port(), asset_path("/animation?clip=none-such")).status, 404);
}

} // namespace
} // namespace vitrine::test
