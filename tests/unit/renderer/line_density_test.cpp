// The number of normals drawn for a dense model.

#include <gtest/gtest.h>

#include "tests/unit/renderer/model_framing.hpp"
#include "vk_renderer/camera/camera.hpp"
#include "vk_renderer/passes/line_density.hpp"

namespace vitrine::render {
namespace {

double room_of(const glm::vec3& size, float pixels, const Camera& camera = {})
{
    const View view{.width = 100, .height = 100, .camera = camera};
    auto params = image_params(view, model_framing({-0.5f * size, 0.5f * size}));
    params.viewport = {2.0f * pixels, 2.0f * pixels, 0.5f / pixels, 0.5f / pixels};
    params.center_ray.w = 2.0f;
    return max_line_count(params, size);
}

TEST(LineDensity, GrowsWithTheSizeInPixels)
{
    const glm::vec3 cube(1.0f);
    EXPECT_NEAR(room_of(cube, 512.0f) / room_of(cube, 256.0f), 4.0, 0.01);
    EXPECT_NEAR(room_of(1e6f * cube, 256.0f) / room_of(cube, 256.0f), 1.0, 0.01) << "for every unit";
    EXPECT_LT(room_of({1.0f, 0.1f, 0.1f}, 256.0f), room_of(cube, 256.0f)) << "thin models cover less";
    const double far = room_of(cube, 256.0f, {.distance = 10.0f});
    EXPECT_NEAR(room_of(cube, 256.0f, {.distance = 5.0f}) / far, 4.0, 0.01) << "nearer";
    EXPECT_NEAR(room_of(cube, 256.0f, {.distance = 10.0f, .orthographic = true}) / far, 1.0, 0.01);
}

TEST(LineDensity, IsAtLeastOne)
{
    EXPECT_GE(room_of(glm::vec3(0.0f), 256.0f), 1.0);
    EXPECT_GE(room_of({0.0f, 1.0f, 0.0f}, 256.0f), 20.0) << "a line's count depends on its length";
    EXPECT_GE(room_of(glm::vec3(1.0f), 256.0f, {.distance = 1e-6f}), 1.0);
}

TEST(LineDensity, HalvesUntilBelowTwiceTheLimit)
{
    EXPECT_EQ(decimation_shift_for(100.0, 0), 0u);
    EXPECT_EQ(decimation_shift_for(100.0, 199), 0u);
    EXPECT_EQ(decimation_shift_for(100.0, 200), 1u);
    EXPECT_EQ(decimation_shift_for(100.0, 100'000), 9u);
    for (const std::uint64_t count : {1ull, 3ull, 64ull, 1'000'000ull})
        EXPECT_EQ(count >> decimation_shift_for(1.0, count), 1u) << count;
}

} // namespace
} // namespace vitrine::render
