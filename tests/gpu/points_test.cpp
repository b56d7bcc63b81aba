// Points as discs whose size depends on their number.

#include <array>
#include <cmath>
#include <numbers>

#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"

namespace vitrine::test {
namespace {

class GpuPoints : public Gpu {};

// `side` x `side` points on a square of one meter.
scene::Scene grid(int side)
{
    scene::Scene scene;
    add_quad(scene, 0.0f, 1.0f, {0.5f, 0.05f, 0.05f, 1.0f});
    auto& mesh = scene.meshes[0];
    mesh.positions.clear();
    mesh.normals.clear();
    mesh.indices.clear();
    for (int i = 0; i < side * side; ++i) {
        const int column = i % side, row = i / side;
        const auto step = 1.0f / static_cast<float>(side - 1);
        mesh.positions.emplace_back(static_cast<float>(column) * step - 0.5f,
                                    static_cast<float>(row) * step - 0.5f, 0.0f);
        mesh.normals.emplace_back(0.0f, 0.0f, 1.0f);
        mesh.indices.push_back(static_cast<std::uint32_t>(i));
    }
    mesh.primitives[0].count = static_cast<std::uint32_t>(side * side);
    mesh.primitives[0].topology = scene::Topology::points;
    return scene;
}

render::View masked_view(std::uint32_t edge)
{
    auto view = reference_view(edge);
    view.background = glm::vec4(0.0f);
    return view;
}

// Number of pixels covered by the points, with fractions at their rims.
double covered(const render::Frame& frame)
{
    double sum = 0.0;
    for (std::size_t i = 3; i < frame.pixels.size(); i += 4)
        sum += frame.pixels[i] / 255.0;
    return sum;
}

double disc(double diameter)
{
    return 0.25 * std::numbers::pi * diameter * diameter;
}

TEST_F(GpuPoints, FewAreLargeDiscs)
{
    const auto scene = share(grid(2));
    for (const std::uint32_t edge : {256u, 512u, 1024u}) {
        const auto frame = picture(scene, masked_view(edge));
        keep(frame, "points_few_" + std::to_string(edge));
        const double each = covered(frame) / 4.0;
        EXPECT_GT(each, disc(8.0 * edge / 512.0)) << edge;
        EXPECT_LT(each, disc(13.0 * edge / 512.0)) << edge;
    }
}

// Point clouds such as scans show their colors. Points without colors are dark enough to be visible against
// the studio backdrop.
TEST_F(GpuPoints, KeepTheirOwnColors)
{
    const auto seen = [&](std::optional<glm::vec4> color, std::optional<glm::vec4> background) {
        auto scene = grid(3);
        scene.materials[0].base_color = glm::vec4(1.0f);
        if (color) scene.meshes[0].colors.assign(9, *color);
        render::View view{.width = 128, .height = 128};
        view.background = background;
        const auto frame = picture(share(std::move(scene)), view);
        // The pixel most covered by a point: the one that differs most from the corner.
        std::array<int, 3> best{};
        int most = -1;
        for (std::size_t at = 0; at < frame.pixels.size(); at += 4) {
            int differs = 0;
            for (std::size_t c = 0; c < 3; ++c)
                differs += std::abs(int{frame.pixels[at + c]} - int{frame.pixels[c]});
            if (differs <= most) continue;
            most = differs;
            best = {frame.pixels[at], frame.pixels[at + 1], frame.pixels[at + 2]};
        }
        return best;
    };
    const glm::vec4 black(0, 0, 0, 1);
    EXPECT_EQ(seen(glm::vec4(1.0f), {}), (std::array{255, 255, 255}));
    const auto green = seen(glm::vec4(0.214f, 1.0f, 0.0f, 1.0f), black);
    EXPECT_NEAR(green[0], 127, 1) << "devices round the conversion to sRGB differently";
    EXPECT_EQ(green[1], 255);
    EXPECT_EQ(green[2], 0);
    EXPECT_EQ(seen({}, black), (std::array{255, 255, 255}));
    for (const int channel : seen({}, {}))
        EXPECT_NEAR(channel, 130, 3);
}

TEST_F(GpuPoints, LeaveTheCornersOfTheirSquaresEmpty)
{
    const auto frame = picture(share(grid(2)), masked_view(512));
    std::uint32_t left = 512, top = 512, right = 0, bottom = 0;
    for (std::uint32_t y = 0; y < 256; ++y)
        for (std::uint32_t x = 0; x < 256; ++x)
            if (pixel(frame, x, y).a > 0) {
                left = std::min(left, x), right = std::max(right, x);
                top = std::min(top, y), bottom = std::max(bottom, y);
            }
    ASSERT_LT(left, right);
    EXPECT_NEAR(right - left, bottom - top, 1.0);
    EXPECT_EQ(pixel(frame, (left + right) / 2, (top + bottom) / 2).a, 255);
    for (const auto x : {left, right})
        for (const auto y : {top, bottom})
            EXPECT_EQ(pixel(frame, x, y).a, 0) << x << "," << y;
}

// Samples are averaged only in the rectangle of the model's box.
TEST_F(GpuPoints, AreNotClippedAtTheEdgesOfTheModel)
{
    const auto scene = share(grid(2));
    const auto frame = picture(scene, masked_view(512));
    std::array<double, 4> corners{};
    for (std::uint32_t y = 0; y < 512; ++y)
        for (std::uint32_t x = 0; x < 512; ++x)
            corners[y / 256 * 2 + x / 256] += pixel(frame, x, y).a / 255.0;
    for (const auto corner : corners) // among all 1024 edge points, a missing one would change only a tenth
        EXPECT_NEAR(corner, corners[0], 0.03 * corners[0]);
    EXPECT_GT(corners[0], disc(8.0));
}

// Whether all neighbors of a pixel, inside or outside a point, are equal to it: drivers differ in point
// positions by half a pixel.
bool is_off_the_rim(const render::Frame& frame, std::uint32_t x, std::uint32_t y)
{
    for (std::uint32_t i = 0; i < 9; ++i)
        if (pixel(frame, x + i % 3 - 1, y + i / 3 - 1).a != pixel(frame, x, y).a) return false;
    return pixel(frame, x, y).a % 255 == 0;
}

TEST_F(GpuPoints, AreHitWhereTheyAreVisible)
{
    for (const bool orthographic : {false, true}) {
        auto view = masked_view(256);
        view.camera.orthographic = orthographic;
        view.camera.yaw = 20.0f;
        const auto scene = share(grid(2));
        const auto frame = picture(scene, view);
        int hits = 0;
        for (std::uint32_t y = 1; y < 128; ++y)
            for (std::uint32_t x = 1; x < 128; ++x) {
                const auto alpha = pixel(frame, x, y).a;
                if (!is_off_the_rim(frame, x, y)) continue;
                if (alpha == 0 && (x % 8 != 0 || y % 8 != 0)) continue;
                const auto hit = renderer().pick(scene, view, {}, x, y);
                ASSERT_EQ(hit.has_value(), alpha == 255) << x << "," << y;
                if (!hit) continue;
                ++hits;
                EXPECT_EQ(hit->triangle, 2u) << "the upper left one";
                EXPECT_EQ(hit->position, scene->meshes[0].positions[2]);
                EXPECT_GT(glm::dot(hit->normal, glm::vec3(0.0f, 0.0f, 1.0f)), 0.5f);
            }
        EXPECT_GE(hits, 4);
    }
}

TEST_F(GpuPoints, BehindASurfaceAreNotHit)
{
    auto scene = grid(2);
    add_quad(scene, 0.1f, 2.0f, {0.05f, 0.5f, 0.05f, 1.0f});
    const auto shared = share(std::move(scene));
    for (std::uint32_t y = 40; y < 216; y += 4)
        for (std::uint32_t x = 40; x < 216; x += 4) {
            const auto hit = renderer().pick(shared, masked_view(256), {}, x, y);
            ASSERT_TRUE(!hit || hit->mesh == 1) << x << "," << y;
        }
}

TEST_F(GpuPoints, ManyStayApart)
{
    // 256 pixels contain 40 x 40 points about 4 pixels apart.
    const auto frame = picture(share(grid(40)), masked_view(256));
    keep(frame, "points_many");
    EXPECT_LT(covered(frame) / 1600.0, 2.6 * 2.6);
    EXPECT_GT(covered(frame) / 1600.0, 2.4 * 2.4);
}

} // namespace
} // namespace vitrine::test
