// Descriptors of drawn pictures; those of rendered models: tests/gpu/picture_vectors_test.cpp.

#include "server/services/vectors/picture_descriptor.hpp"

#include <array>
#include <functional>

#include <gtest/gtest.h>

namespace vitrine::server {
namespace {

using Color = std::array<std::uint8_t, 4>;

// `color_at`: of a place in the unit square.
render::Frame draw(std::uint32_t size, const std::function<Color(double x, double y)>& color_at)
{
    render::Frame frame{.width = size, .height = size};
    auto& pixels = frame.pixels.own();
    for (std::uint32_t y = 0; y < size; ++y)
        for (std::uint32_t x = 0; x < size; ++x)
            for (const auto channel : color_at((x + 0.5) / size, (y + 0.5) / size))
                pixels.push_back(channel);
    return frame;
}

struct Disk {
    double x = 0.5, y = 0.5, radius = 0.4;
    Color color{200, 80, 60, 255};
};

render::Frame disk(const Disk& disk)
{
    return draw(256, [&](double x, double y) {
        const double dx = x - disk.x, dy = y - disk.y;
        if (dx * dx + dy * dy > disk.radius * disk.radius) return Color{90, 90, 90, 0};
        auto color = disk.color;
        for (std::size_t c = 0; c < 3; ++c)
            color[c] = static_cast<std::uint8_t>(color[c] * (0.6 - 0.4 * dy / disk.radius));
        return color;
    });
}

render::Frame bars()
{
    return draw(256, [](double x, double y) {
        const bool is_shown = y > 0.2 && y < 0.8 && static_cast<int>(x * 10) % 3 == 0;
        return is_shown ? Color{60, 200, 90, 255} : Color{};
    });
}

double score(const render::Frame& a, const render::Frame& b)
{
    return descriptor_score(cosine(describe_picture(a).value(), describe_picture(b).value()));
}

TEST(PictureDescriptor, PlaceAndSizeDoNotMatter)
{
    EXPECT_GT(score(disk({}), disk({.x = 0.3, .y = 0.6, .radius = 0.25})), 0.95);
    EXPECT_NEAR(score(disk({}), disk({})), 1.0, 1e-5);
}

TEST(PictureDescriptor, ColorsMatterLessThanOutlines)
{
    const double recolored = score(disk({}), disk({.color = {60, 90, 220, 255}}));
    EXPECT_GT(recolored, 0.6);
    EXPECT_LT(recolored, 0.95);
    EXPECT_LT(score(disk({}), bars()), 0.3);
}

TEST(PictureDescriptor, TheBackgroundIsNotSeen)
{
    auto other = disk({});
    auto& pixels = other.pixels.own();
    for (std::size_t i = 0; i < pixels.size(); i += 4)
        if (pixels[i + 3] == 0) pixels[i] = 255;
    EXPECT_NEAR(score(disk({}), other), 1.0, 1e-5);
}

TEST(PictureDescriptor, NothingHasNone)
{
    EXPECT_FALSE(describe_picture(draw(64, [](double, double) { return Color{}; })));
    EXPECT_FALSE(describe_picture({}));
    EXPECT_TRUE(describe_picture(draw(64, [](double, double) { return Color{9, 9, 9, 255}; })));
    EXPECT_TRUE(describe_picture(draw(1, [](double, double) { return Color{9, 9, 9, 255}; })))
        << "a single pixel";
}

} // namespace
} // namespace vitrine::server
