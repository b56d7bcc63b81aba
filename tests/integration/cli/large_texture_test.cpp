// Models with textures larger than the limit of one image, in whole programs.

#include <span>

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

#include "loaders/images/image.hpp"
#include "tests/integration/cli/program.hpp"
#include "tests/unit/images/jpeg_samples.hpp"

namespace json = boost::json;
using namespace vitrine;

namespace {

class CliLargeTexture : public test::CliTest {
protected:
    // A square in the XY plane with the image on its front.
    std::string write_square(const std::string& image_name, const std::string& image) const
    {
        write(image_name, image);
        write("m.mtl", "newmtl a\nKd 1 1 1\nmap_Kd " + image_name + "\n");
        return write("m.obj", "mtllib m.mtl\nv -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nvt 0 0\nvt 1 0\nvt 1 1\n"
                              "vt 0 1\nusemtl a\nf 1/1 2/2 3/3 4/4\n");
    }
};

} // namespace

// The left half is red, the right half teal.
TEST_F(CliLargeTexture, JpegOf16384PixelsIsShown)
{
    const std::string file = write_square("large.jpg", test::jpeg({.side = 16'384}));
    const auto inspected = run({"inspect", file});
    ASSERT_EQ(inspected.exit_code, 0) << inspected.err;
    const auto root = json::parse(inspected.out);
    EXPECT_EQ(root.at_pointer("/images/0/width").as_int64(), 8'192);
    EXPECT_EQ(root.at_pointer("/warnings/0/code").as_string(), "image_reduced");
    EXPECT_EQ(root.at_pointer("/warnings/0/message").as_string(),
              "the image 'large.jpg' of 16384 x 16384 pixels is reduced to 8192 x 8192: more than the limit "
              "image_pixels = 67108864");

    const std::string picture = (folder_ / "out.png").string();
    const auto rendered = run({"render", file, "-o", picture, "--size", "48x48", "--gpu", "software",
                               "--view", "front", "--light", "reference"});
    ASSERT_EQ(rendered.exit_code, 0) << rendered.err;
    const std::string png = test::content_of(picture);
    const auto image = images::decode_image(std::as_bytes(std::span(png)), "out.png", {});
    ASSERT_TRUE(image) << image.error().detail;
    const auto pixel = [&](std::size_t x) { return &image->pixels[4 * (24 * image->width + x)]; };
    EXPECT_GT(pixel(18)[0], 200);
    EXPECT_LT(pixel(18)[1], 60);
    EXPECT_LT(pixel(30)[0], 60);
    EXPECT_NEAR(pixel(30)[1], 128, 20);
}
