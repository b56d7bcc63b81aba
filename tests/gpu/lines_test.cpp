// Picking of lines: hit in the pixels that they cover, and in front of a surface that they are on.

#include <algorithm>
#include <array>

#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"

namespace vitrine::test {
namespace {

class GpuLines : public Gpu {};

constexpr std::uint32_t image_edge = 256;

render::View cut_out_lines(bool orthographic)
{
    auto view = reference_view(image_edge);
    view.background = glm::vec4(0.0f);
    view.camera.orthographic = orthographic;
    view.camera.yaw = 30.0f;
    view.camera.pitch = 15.0f;
    return view;
}

// The two diagonals of a square of one meter.
scene::Scene cross()
{
    scene::Scene scene;
    add_quad(scene, 0.0f, 1.0f, {0.5f, 0.05f, 0.05f, 1.0f});
    auto& mesh = scene.meshes[0];
    mesh.indices = {0, 2, 1, 3};
    mesh.primitives[0].count = 4;
    mesh.primitives[0].topology = scene::Topology::lines;
    return scene;
}

// Maximum over a pixel and its neighbors.
std::uint8_t most_around(const render::Frame& frame, std::uint32_t x, std::uint32_t y)
{
    std::uint8_t most = 0;
    for (std::uint32_t i = 0; i < 9; ++i)
        most = std::max(most, static_cast<std::uint8_t>(pixel(frame, x + i % 3 - 1, y + i / 3 - 1).a));
    return most;
}

TEST_F(GpuLines, AreHitWhereTheyAreVisible)
{
    const auto scene = share(cross());
    for (const bool orthographic : {false, true}) {
        const auto view = cut_out_lines(orthographic);
        const auto frame = picture(scene, view);
        keep(frame, orthographic ? "lines_orthographic" : "lines");
        std::array<int, 2> hits{};
        for (std::uint32_t y = 1; y + 1 < image_edge; ++y)
            for (std::uint32_t x = 1; x + 1 < image_edge; ++x) {
                const bool drawn = pixel(frame, x, y).a > 40, far = most_around(frame, x, y) == 0;
                if (!drawn && (!far || x % 8 != 0 || y % 8 != 0)) continue;
                const auto hit = renderer().pick(scene, view, {}, x, y);
                ASSERT_EQ(hit.has_value(), drawn) << x << "," << y << " orthographic " << orthographic;
                if (hit) ++hits.at(hit->triangle);
            }
        EXPECT_GT(hits[0], 100);
        EXPECT_GT(hits[1], 100);
    }
}

TEST_F(GpuLines, AreHitInFrontOfTheirSurfaceAndNotBehindAnother)
{
    for (const bool hidden : {false, true}) {
        auto scene = cross();
        add_quad(scene, hidden ? 0.1f : 0.0f, 2.0f, {0.05f, 0.5f, 0.05f, 1.0f});
        const auto shared = share(std::move(scene));
        int lines = 0;
        for (std::uint32_t y = 64; y < 192; y += 2)
            for (std::uint32_t x = 64; x < 192; x += 2) {
                const auto hit = renderer().pick(shared, reference_view(image_edge), {}, x, y);
                ASSERT_TRUE(hit.has_value());
                lines += hit->mesh == 0 ? 1 : 0;
            }
        if (hidden)
            EXPECT_EQ(lines, 0);
        else
            EXPECT_GT(lines, 64);
    }
}

} // namespace
} // namespace vitrine::test
