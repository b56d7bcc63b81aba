#include "loaders/images/image_budget.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loaders/images/texture_library.hpp"
#include "tests/support/memory_source.hpp"
#include "tests/support/tga.hpp"

using namespace vitrine;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

std::string gray_square(std::uint8_t side, std::uint8_t value = 128)
{
    return test::tga(side, side, std::vector<std::uint8_t>(std::size_t{4} * side * side, value));
}

class ImageBudget : public testing::Test {
protected:
    // The side of the image, or the error.
    std::string decode(const std::string& bytes, const std::string& name = "a.tga")
    {
        const auto image = budget().decode(std::as_bytes(std::span(bytes)), name, "at " + name);
        return image ? std::to_string(scene.images.at(*image).width) : image.error().detail;
    }
    std::vector<std::uint32_t> sides() const
    {
        std::vector<std::uint32_t> all;
        for (const auto& image : scene.images) {
            EXPECT_EQ(image.pixels.size(), std::size_t{4} * image.width * image.height);
            all.push_back(image.width);
        }
        return all;
    }
    std::vector<std::string> warnings()
    {
        io::WarningLog log;
        budget().report_reduced(log);
        std::vector<std::string> all;
        for (const auto& warning : log.take())
            all.push_back(warning.code + " " + warning.where + ": " + warning.message);
        return all;
    }
    images::ImageBudget& budget()
    {
        if (!budget_) budget_.emplace(limits, scene);
        return *budget_;
    }

    Limits limits;
    scene::Scene scene;

private:
    std::optional<images::ImageBudget> budget_;
};

} // namespace

TEST_F(ImageBudget, ReducesAnImageThatIsTooLarge)
{
    limits.image_pixels = 5'000;
    EXPECT_EQ(decode(gray_square(70)), "70") << "4900 pixels";
    EXPECT_EQ(decode(gray_square(72), "b.tga"), "36");
    EXPECT_THAT(warnings(),
                ElementsAre("image_reduced at b.tga: the image 'b.tga' of 72 x 72 pixels is reduced to "
                            "36 x 36: more than the limit image_pixels = 5000"));
    EXPECT_EQ(budget().file_size(1), (images::ImageSize{72, 72}));
    EXPECT_EQ(budget().file_size(0), (images::ImageSize{70, 70}));
    EXPECT_EQ(scene.images[1].pixels[4], 128);
}

// Whatever their order, large images are reduced alike and small ones are not.
TEST_F(ImageBudget, SharesTheLimitAmongLargeImages)
{
    limits.image_pixels = 16'384;
    limits.total_pixels = 50'000;
    for (const unsigned side : {128u, 20u, 128u, 128u})
        EXPECT_EQ(decode(gray_square(static_cast<std::uint8_t>(side))), std::to_string(side));
    EXPECT_THAT(warnings(), IsEmpty());
    EXPECT_EQ(decode(gray_square(128)), "64") << "four would have 65,936 pixels";
    EXPECT_THAT(sides(), ElementsAre(64, 20, 64, 64, 64));
    EXPECT_EQ(decode(gray_square(64)), "64");
    EXPECT_EQ(decode(gray_square(128), "last.tga"), "64");
    const auto all = warnings();
    ASSERT_EQ(all.size(), 5u);
    EXPECT_EQ(all.back(),
              "image_reduced at last.tga: the image 'last.tga' of 128 x 128 pixels is reduced to 64 x "
              "64: the pixels of all images: more than the limit total_pixels = 50000");
}

TEST_F(ImageBudget, OmitsImagesForWhichThereIsNoRoomAtTheLeastSize)
{
    limits.image_pixels = 16'384;
    limits.total_pixels = 8'192;
    EXPECT_EQ(decode(gray_square(64)), "64");
    EXPECT_EQ(decode(gray_square(128)), "64");
    for (const std::uint8_t side : {std::uint8_t{128}, std::uint8_t{1}})
        EXPECT_EQ(decode(gray_square(side)),
                  "the pixels of all images: more than the limit total_pixels = 8192");
    EXPECT_THAT(sides(), ElementsAre(64, 64));
    limits.images = 2;
    EXPECT_EQ(decode(gray_square(1)), "the images: more than the limit images = 2");
}

TEST_F(ImageBudget, InvalidImagesReduceNoOther)
{
    limits.image_pixels = limits.total_pixels = 16'384;
    EXPECT_EQ(decode(gray_square(128)), "128");
    const std::string png_header("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x80\0\0\0\x80\x08\2\0\0\0\0\0\0\0", 33);
    EXPECT_THAT(decode(png_header, "b.png"), HasSubstr("invalid"));
    EXPECT_THAT(sides(), ElementsAre(128));
}

// Decoding costs time even if the images are invalid or reduced to little.
TEST_F(ImageBudget, LimitsThePixelsThatAreDecoded)
{
    limits.image_pixels = limits.total_pixels = 16'384;
    const std::string png_header("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x80\0\0\0\x80\x08\2\0\0\0\0\0\0\0", 33);
    for (int i = 0; i < 12; ++i)
        EXPECT_THAT(decode(png_header, "b.png"), HasSubstr("invalid")) << i;
    EXPECT_EQ(decode(gray_square(128)),
              "the pixels of all image files: more than 12 times the limit total_pixels = 16384");
}

TEST_F(ImageBudget, CountsCopies)
{
    limits.image_pixels = limits.total_pixels = 16'384;
    EXPECT_EQ(decode(gray_square(128, 7)), "128");
    EXPECT_EQ(budget().add_copy(0, "at a copy").value(), 1u);
    EXPECT_THAT(sides(), ElementsAre(64, 64));
    EXPECT_EQ(scene.images[1].pixels, scene.images[0].pixels);
    const auto all = warnings();
    ASSERT_EQ(all.size(), 2u);
    EXPECT_THAT(all[1], HasSubstr("at a copy: the image 'a.tga' of 128 x 128 pixels"));
}

TEST_F(ImageBudget, ReducesImagesThatAreMadeOfOthers)
{
    limits.image_pixels = limits.total_pixels = 16'384;
    EXPECT_EQ(decode(gray_square(128)), "128");
    EXPECT_EQ(budget().make_room({128, 128}), "");
    EXPECT_THAT(sides(), ElementsAre(64));
    scene::Image made{.name = "made", .pixels = std::vector<std::uint8_t>(std::size_t{4} * 128 * 128, 9)};
    made.width = made.height = 128;
    budget().add(std::move(made));
    EXPECT_THAT(sides(), ElementsAre(64, 64));
    EXPECT_EQ(warnings().size(), 1u) << "of files alone";
}

TEST(TextureLibrary, ReportsReducedImages)
{
    test::MemorySource source("m.obj", {{"m.obj", ""}, {"a.tga", gray_square(100)}});
    scene::Scene scene;
    io::WarningLog log;
    const Limits limits{.image_pixels = 5'000};
    images::TextureLibrary library(source, limits, scene, log);
    const std::uint32_t image = library.get("a.tga", "line 1");
    EXPECT_EQ(library.image(image).width, 50u);
    EXPECT_EQ(library.file_size(image), (images::ImageSize{100, 100}));
    library.report_reduced();
    const auto warnings = log.take();
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_EQ(warnings[0].code, "image_reduced");
    EXPECT_EQ(warnings[0].where, "a.tga");
}
