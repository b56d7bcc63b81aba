// Points as discs, as large as their number leaves room for.

#include <array>
#include <cmath>
#include <numbers>

#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"

namespace vitrine::test {
namespace {

class GpuPoints : public Gpu {};

// `side` x `side` points on a square of one metre.
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

render::View cut_out(std::uint32_t edge)
{
    auto view = reference_view(edge);
    view.background = glm::vec4(0.0f);
    return view;
}

// Pixels that the points cover, with the shares of those at their rims.
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
        const auto frame = picture(scene, cut_out(edge));
        keep(frame, "points_few_" + std::to_string(edge));
        const double each = covered(frame) / 4.0;
        EXPECT_GT(each, disc(8.0 * edge / 512.0)) << edge;
        EXPECT_LT(each, disc(13.0 * edge / 512.0)) << edge;
    }
}

// Where discs of that diameter are, from the first pixel of the picture on: what is set, and round.
TEST_F(GpuPoints, TheirCornersAreFree)
{
    const auto frame = picture(share(grid(2)), cut_out(512));
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

// The samples are averaged in the rectangle of the model's box alone.
TEST_F(GpuPoints, AreWholeAtTheEdgesOfTheModel)
{
    const auto scene = share(grid(2));
    const auto frame = picture(scene, cut_out(512));
    std::array<double, 4> corners{};
    for (std::uint32_t y = 0; y < 512; ++y)
        for (std::uint32_t x = 0; x < 512; ++x)
            corners[y / 256 * 2 + x / 256] += pixel(frame, x, y).a / 255.0;
    for (const auto corner : corners) // of 1024 edges alone a lost one would take a tenth
        EXPECT_NEAR(corner, corners[0], 0.03 * corners[0]);
    EXPECT_GT(corners[0], disc(8.0));
}

TEST_F(GpuPoints, ManyStayApart)
{
    // 256 pixels hold 40 x 40 points some 4 pixels apart.
    const auto frame = picture(share(grid(40)), cut_out(256));
    keep(frame, "points_many");
    EXPECT_LT(covered(frame) / 1600.0, 2.6 * 2.6);
    EXPECT_GT(covered(frame) / 1600.0, 2.4 * 2.4);
}

} // namespace
} // namespace vitrine::test
