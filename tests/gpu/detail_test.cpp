// A huge scene that moves is drawn with fewer triangles, and at rest with all of them again.

#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"
#include "vk_renderer/detail.hpp"

namespace vitrine::render {
namespace {

class Detail : public test::Gpu {};

// Share of the pixels whose red differs by more than 40.
double share_that_differs(const Frame& a, const Frame& b)
{
    std::size_t count = 0;
    for (std::size_t i = 0; i < a.pixels.size(); i += 4)
        count += std::abs(a.pixels[i] - b.pixels[i]) > 40 ? 1 : 0;
    return static_cast<double>(count) / (static_cast<double>(a.pixels.size()) / 4.0);
}

TEST_F(Detail, ShowsNearlyTheSameAndTheWholeAgainAtRest)
{
    const auto scene = share(test::tube(1500, 20, 30, 4)); // 60 000 triangles, bent
    View view{.width = 256, .height = 256};
    const Moment moment{0, 0.7};
    const auto whole = picture(scene, view, moment);
    view.coarse = coarsen(*scene, 6'000);
    ASSERT_TRUE(view.coarse);
    ASSERT_LT(view.coarse->indices.size(), 3u * 12'000);
    const auto coarse = picture(scene, view, moment);
    test::keep(coarse, "coarse");
    test::keep(whole, "whole");
    EXPECT_NE(coarse.pixels, whole.pixels);
    EXPECT_LT(share_that_differs(coarse, whole), 0.01);
    EXPECT_EQ(coarse.bounds.min, whole.bounds.min); // exact all the same
    view.coarse.reset();
    EXPECT_EQ(picture(scene, view, moment).pixels, whole.pixels);
}

TEST_F(Detail, OfAnotherSceneIsRefused)
{
    View view{.width = 64, .height = 64};
    view.coarse = std::make_shared<const CoarseScene>();
    EXPECT_THROW(picture(share(test::tube(10, 8, 4, 4)), view), RenderError);
}

} // namespace
} // namespace vitrine::render
