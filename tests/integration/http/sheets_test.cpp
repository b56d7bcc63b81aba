// Sprite sheets with a row for each view.

#include <array>
#include <cstring>

#include "loaders/images/image.hpp"
#include "tests/integration/http_fixture.hpp"

namespace vitrine::test {
namespace {

TEST_F(Http, SheetsHaveARowForEachView)
{
    const std::string query = "frames=3&size=48&format=png&view=front&view=side&view=auto&overlay=skeleton";
    EXPECT_EQ(picture_size(get(port(), asset_path("/sprite?" + query)).body), std::pair(3 * 48u, 3 * 48u));
    const auto manifest = get(port(), asset_path("/sprite/manifest?" + query)).json();
    EXPECT_EQ(manifest.at("columns").to_number<unsigned>(), 3u);
    EXPECT_EQ(manifest.at("rows").to_number<unsigned>(), 3u);
    EXPECT_EQ(manifest.at("frames").to_number<unsigned>(), 9u);
}

TEST_F(Http, FramesOfASheetAreTheImagesOfTheirViews)
{
    constexpr unsigned side = 48, frames = 4, bytes = 4; // of a pixel
    const auto decoded_png = [](const std::string& path) {
        const auto png = get(port(), path).body;
        return images::decode_image(std::as_bytes(std::span(png)), "", Limits{}).value();
    };
    const auto duration = get(port(), asset_path("/sprite/manifest?clip=0&frames=4")).json().at("duration");
    const auto sheet =
        decoded_png(asset_path("/sprite?clip=0&frames=4&size=48&format=png&view=front&view=30,15"));
    ASSERT_EQ(sheet.width, side * frames);
    ASSERT_EQ(sheet.height, side * 2);
    for (unsigned row = 0; const std::string view : {"front", "30,15"}) {
        for (unsigned column = 0; column < frames; ++column) {
            const auto image =
                decoded_png(asset_path(fmt::format("/render?clip=0&t={}&view={}&w=48&h=48&format=png",
                                                   duration.to_number<double>() * column / frames, view)));
            ASSERT_EQ(image.pixels.size(), std::size_t{side} * side * bytes);
            for (unsigned y = 0; y < side; ++y)
                EXPECT_EQ(std::memcmp(image.pixels.data() + y * side * bytes,
                                      sheet.pixels.data() +
                                          ((row * side + y) * side * frames + column * side) * bytes,
                                      side * bytes),
                          0)
                    << view << " frame " << column << " line " << y;
        }
        ++row;
    }
}

TEST_F(Http, RejectedSheetsNameTheParameter)
{
    constexpr std::array<std::pair<const char*, const char*>, 5> rejected{
        {{"view=inside", "view"},
         {"view=1,1&view=1,2&view=1,3&view=1,4&view=1,5&view=1,6&view=1,7&view=1,8&view=1,9", "view"},
         {"frames=61&view=front&view=side", "view"},
         {"overlay=wings", "overlay"},
         {"quality=0", "quality"}}};
    for (const auto& [query, name] : rejected) {
        const auto reply = get(port(), asset_path(fmt::format("/sprite?{}", query)));
        EXPECT_EQ(reply.status, 400) << query;
        EXPECT_NE(reply.body.find(name), std::string::npos) << reply.body;
    }
}

} // namespace
} // namespace vitrine::test
