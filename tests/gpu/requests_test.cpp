// The same request always gives the same image or error, however often it is repeated and after any other
// request.

#include <array>
#include <random>
#include <vector>

#if __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#endif

#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::test {
namespace {

using render::View;

class GpuRequests : public Gpu {};

TEST_F(GpuRequests, IsDeterministic)
{
    const auto scene = share(mixture());
    const View view{.width = 200, .height = 150};
    const auto first = picture(scene, view, {0, 0.4});
    EXPECT_EQ(first.pixels, picture(scene, view, {0, 0.4}).pixels);
    render::Renderer other(tested());
    const render::ClipTime clip_time{0, 0.4};
    EXPECT_EQ(first.pixels, other.render(scene, view, {&clip_time, 1})[0].pixels);
}

// A square of random colors: no two pixels are averages of the same samples.
scene::Scene noisy_square()
{
    constexpr std::uint32_t side = 512;
    scene::Material material = rough_material(glm::vec3(1.0f));
    material.base_color_texture.image = 0;
    auto scene = square(material);
    scene.images.push_back({.name = "noise", .width = side, .height = side, .pixels = {}});
    std::minstd_rand random;
    for (std::uint32_t i = 0; i < 4 * side * side; ++i)
        scene.images[0].pixels.push_back(i % 4 == 3 ? 255 : static_cast<std::uint8_t>(random() >> 8));
    return scene;
}

// Images are drawn into a corner of targets of the largest size so far: growing images fill theirs, and are
// drawn again in that of the last one.
TEST_F(GpuRequests, DoesNotDependOnTheSizesOfOtherImages)
{
    const auto scene = share(noisy_square());
    render::Renderer growing(tested());
    const render::ClipTime clip_time{};
    const auto draw = [&](const glm::uvec2& size) {
        return growing.render(scene, {.width = size.x, .height = size.y}, {&clip_time, 1})[0].pixels;
    };
    const std::array<glm::uvec2, 4> sizes{{{333, 301}, {448, 311}, {560, 420}, {571, 431}}};
    std::vector<render::Pixels> first;
    for (const auto& size : sizes)
        first.push_back(draw(size));
    for (std::size_t i = 0; i < sizes.size(); ++i)
        EXPECT_TRUE(first[i] == draw(sizes[i])) << sizes[i].x << " x " << sizes[i].y;
}

TEST_F(GpuRequests, RendersBatchesLikeSingleImages)
{
    const auto scene = share(mixture());
    const View view{.width = 120, .height = 100, .overlays = {.skeleton = true, .bounds = true}};
    std::vector<render::ClipTime> clip_times;
    for (int i = 0; i < 37; ++i)
        clip_times.push_back({0, i * 0.05});
    const auto frames = renderer().render(scene, view, clip_times);
    ASSERT_EQ(frames.size(), clip_times.size());
    for (const std::size_t i : {0u, 1u, 15u, 16u, 17u, 36u}) {
        const auto single = picture(scene, view, clip_times[i]);
        EXPECT_EQ(single.pixels, frames[i].pixels) << i;
        EXPECT_EQ(single.bounds.min, frames[i].bounds.min) << i;
    }
}

TEST_F(GpuRequests, RejectsInvalidSizes)
{
    const auto scene = share(textured_cube());
    EXPECT_THROW(picture(scene, {.width = 0, .height = 10}), render::RenderError);
    EXPECT_THROW(picture(scene, {.width = 100'000, .height = 10}), render::RenderError);
    EXPECT_THROW(picture(scene, {.width = 8000, .height = 8000}), render::RenderError);
    EXPECT_EQ(picture(scene, {.width = 1, .height = 1}).pixels.size(), 4u);
    auto endless = tube(4, 4, 2, 2);
    endless.nodes[0].local.scale = glm::vec3(1e30f);
    EXPECT_THROW(picture(share(std::move(endless)), {}), render::RenderError);
}

TEST_F(GpuRequests, IsUnchangedByWarmUp)
{
    const auto scene = share(textured_cube());
    const auto before = picture(scene, {.width = 64, .height = 64});
    renderer().warm_up();
    EXPECT_EQ(before.pixels, picture(scene, {.width = 64, .height = 64}).pixels);
}

TEST_F(GpuRequests, RendersWithASmallCache)
{
    render::Renderer tiny(tested({.validation = true, .scene_cache_bytes = 1}));
    const auto a = share(textured_cube());
    const auto b = share(tube(8, 8, 2, 2));
    const render::ClipTime clip_time;
    for (int i = 0; i < 3; ++i)
        for (const auto& scene : {a, b})
            EXPECT_EQ(tiny.render(scene, {.width = 32, .height = 32}, {&clip_time, 1}).size(), 1u);
}

TEST_F(GpuRequests, ThrowsDeviceLostAfterAHungSubmission)
{
#if __has_feature(address_sanitizer)
    const __lsan::ScopedDisabler abandoned; // objects of a hung device are not freed: see Device::abandon()
#endif
    render::Renderer hurried(tested({.submit_timeout = std::chrono::milliseconds(0)}));
    const auto scene = share(tube(400, 100, 10, 4));
    const render::ClipTime clip_time{0, 1.0};
    // On a busy machine the picture may be complete before this thread looks for it.
    EXPECT_TRUE(eventually([&] {
        try {
            hurried.render(scene, {.width = 1024, .height = 1024}, {&clip_time, 1});
            return false;
        } catch (const render::DeviceLost&) {
            return true;
        }
    }));
}

} // namespace
} // namespace vitrine::test
