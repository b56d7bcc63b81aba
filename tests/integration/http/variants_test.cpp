// Material variants over REST and in the live preview.

#include <boost/json/parse.hpp>

#include "loaders/images/image.hpp"
#include "tests/integration/http_fixture.hpp"
#include "tests/integration/preview_client.hpp"
#include "tests/support/variant_triangle.hpp"

namespace vitrine::test {
namespace {

namespace json = boost::json;

using Color = std::array<int, 3>;
constexpr Color red{255, 0, 0}, green{0, 255, 0};

// Returns the color of the pixel at half of the width and 60 % of the height.
Color color_in(const std::string& picture)
{
    const auto image = images::decode_image(std::as_bytes(std::span(picture)), "", Limits{});
    if (!image) return {-1, -1, -1};
    const auto at = (std::size_t{image->height} * 6 / 10 * image->width + image->width / 2) * 4;
    return {image->pixels[at], image->pixels[at + 1], image->pixels[at + 2]};
}

class HttpVariants : public Http {
protected:
    static void SetUpTestSuite()
    {
        Http::SetUpTestSuite();
        triangle = import_asset(port(), {{"v.gltf", variant_triangle}});
        ASSERT_FALSE(triangle.empty());
    }
    static std::string path(std::string_view rest) { return fmt::format("/v1/assets/{}{}", triangle, rest); }
    static std::string still(std::string_view variant)
    {
        return path("/render?w=64&h=64&view=front&light=reference&format=png" + std::string(variant));
    }
    static inline std::string triangle;
};

// Returns the color of the next frame and acknowledges it; texts before it are skipped.
Color next_color(WebSocket& socket)
{
    const auto frame = parse(socket.next_of(2));
    acknowledge(socket, frame);
    return color_in(frame.payload);
}

bool is_near(const Color& a, const Color& b)
{
    return std::ranges::equal(a, b, [](int x, int y) { return std::abs(x - y) < 12; }); // JPEG
}

TEST_F(HttpVariants, AreListedWithTheMaterials)
{
    const auto listed = get(port(), path("/materials")).json();
    EXPECT_EQ(listed.at("variants"), json::parse(R"(["Red","Green","Plain"])"));
    EXPECT_EQ(listed.at("items").as_array().size(), 2u);
    EXPECT_EQ(get(port(), asset_path("/materials")).json().at("variants").as_array().size(), 0u);
    EXPECT_NE(get(port(), "/v1/assets?q=Plain").body.find(triangle), std::string::npos) << "and searched";
}

TEST_F(HttpVariants, SelectTheMaterialsOfAnImage)
{
    EXPECT_EQ(color_in(get(port(), still("")).body), red);
    EXPECT_EQ(color_in(get(port(), still("&variant=Green")).body), green);
    EXPECT_EQ(color_in(get(port(), still("&variant=1")).body), green);
    EXPECT_EQ(color_in(get(port(), still("&variant=Plain")).body), red);
    EXPECT_EQ(color_in(get(port(), still("")).body), red) << "not of another one's cache";
    EXPECT_NE(get(port(), still("")).header("etag"), get(port(), still("&variant=Green")).header("etag"));
    const auto hit = [&](const char* variant) {
        return text_at(
            get(port(), path(fmt::format("/pick?w=64&h=64&x=32&y=40&view=front{}", variant))).json(),
            "/hit/material/name");
    };
    EXPECT_EQ(hit(""), "red");
    EXPECT_EQ(hit("&variant=Green"), "green");
}

TEST_F(HttpVariants, SelectTheMaterialsOfAThumbnail)
{
    for (const char* accept : {"image/png", "image/webp"}) {
        SCOPED_TRACE(accept);
        const auto shown = [&](const char* variant) {
            auto reply =
                get(port(), path(fmt::format("/thumbnail?size=64{}", variant)), {{"Accept", accept}});
            EXPECT_EQ(reply.status, 200) << reply.body;
            return reply;
        };
        const auto is_green = [](const Reply& reply) {
            const auto color = color_in(reply.body);
            return color[1] > color[0] + 64;
        };
        EXPECT_FALSE(is_green(shown("")));
        EXPECT_TRUE(is_green(shown("&variant=Green")));
        EXPECT_TRUE(is_green(shown("&variant=1")));
        EXPECT_FALSE(is_green(shown("&variant=Red")));
        EXPECT_NE(shown("").header("etag"), shown("&variant=Green").header("etag"));
        EXPECT_EQ(shown("&variant=1").header("etag"), shown("&variant=Green").header("etag"));
    }
}

TEST_F(HttpVariants, SelectTheMaterialsOfAnAnimation)
{
    const auto shown = [&](const char* variant) {
        const auto sheet = get(port(), path(fmt::format("/sprite?frames=1&size=64&format=png{}", variant)));
        EXPECT_EQ(sheet.status, 200) << sheet.body;
        return color_in(sheet.body);
    };
    EXPECT_GT(shown("")[0], shown("")[1]);
    EXPECT_GT(shown("&variant=Green")[1], shown("&variant=Green")[0]);
    for (const char* kind : {"/turntable?frames=2&size=32", "/animation?frames=2&size=32"}) {
        const auto plain = get(port(), path(kind)),
                   other = get(port(), path(std::string(kind) + "&variant=Green"));
        EXPECT_EQ(other.status, 200) << other.body;
        EXPECT_NE(plain.body, other.body) << kind;
    }
}

TEST_F(HttpVariants, RejectAnUnknownVariant)
{
    for (const char* rest :
         {"/render?variant=Blue", "/pick?x=1&y=1&variant=Blue", "/sprite?variant=Blue",
          "/sprite/manifest?variant=Blue", "/thumbnail?variant=Blue", "/animation?variant=Blue",
          "/turntable?variant=Blue", "/mesh?variant=Blue", "/export.glb?variant=3"}) {
        const auto rejected = get(port(), path(rest));
        EXPECT_EQ(rejected.status, 400) << rest << rejected.body;
        EXPECT_NE(rejected.body.find("'Red', 'Green', 'Plain'"), std::string::npos) << rejected.body;
    }
    EXPECT_EQ(get(port(), path("/mesh?variant=Green")).body, get(port(), path("/mesh")).body);
}

TEST_F(HttpVariants, AreExported)
{
    const auto exported = [&](const char* variant) {
        const auto reply = get(port(), path(std::string("/export.glb") + variant));
        EXPECT_EQ(reply.status, 200) << reply.body;
        return reply;
    };
    EXPECT_NE(exported("").body.find(R"("variants":[{"name":"Red"},{"name":"Green"},{"name":"Plain"}])"),
              std::string::npos);
    const auto chosen = exported("?variant=Green");
    EXPECT_EQ(chosen.body.find("variants"), std::string::npos);
    EXPECT_NE(chosen.body.find(R"("material":1)"), std::string::npos);
    EXPECT_NE(chosen.header("etag"), exported("").header("etag"));
    EXPECT_EQ(exported("?variant=1").body, chosen.body);
}

TEST_F(HttpVariants, AreSelectedInTheLivePreview)
{
    WebSocket socket(port(), triangle);
    const auto hello = json::parse(socket.next().data);
    EXPECT_EQ(hello.at("variants"), json::parse(R"(["Red","Green","Plain"])"));
    socket.say(R"({"type":"view","width":64,"height":64,"light":"reference","variant":"Green",)"
               R"("camera":{"yaw":0,"pitch":0}})");
    EXPECT_PRED2(is_near, next_color(socket), green) << "the first frame too";
    socket.say(R"({"type":"view","variant":null})");
    EXPECT_PRED2(is_near, next_color(socket), red);
    socket.say(R"({"type":"view","variant":"Green"})");
    EXPECT_PRED2(is_near, next_color(socket), green);
    socket.say(R"({"type":"view","variant":"Blue"})");
    const auto problem = json::parse(socket.next_of(1).data);
    EXPECT_EQ(problem.at("code"), "bad_value");
}

} // namespace
} // namespace vitrine::test
