// Basic properties of images, independent of their style.

#include <algorithm>

#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::test {
namespace {

using render::LightingPreset;
using render::View;

int border_coverage(const render::Frame& frame)
{
    int touched = 0;
    for (std::uint32_t y = 0; y < frame.height; ++y)
        for (std::uint32_t x = 0; x < frame.width; ++x)
            if (x == 0 || y == 0 || x + 1 == frame.width || y + 1 == frame.height)
                touched += pixel(frame, x, y).a > 0 ? 1 : 0;
    return touched;
}

TEST_F(GpuRendering, ReferenceLightShowsTextureColorsExactly)
{
    // The cube's front face: red, green above blue, white; viewed head-on, so that n . toward camera is
    // nearly 1.
    auto view = reference_view();
    view.camera.orthographic = true;
    const auto frame = picture(share(textured_cube()), view);
    keep(frame, "reference_cube");
    const auto at = [&](double x, double y) {
        return std::pair(std::uint32_t(64 + 64 * x), std::uint32_t(64 + 64 * y));
    };
    const auto [l, t] = at(-0.45, -0.45);
    const auto [r, b] = at(0.45, 0.45);
    EXPECT_TRUE(shows(frame, l, t, 255, 0, 0));
    EXPECT_TRUE(shows(frame, r, t, 0, 255, 0));
    EXPECT_TRUE(shows(frame, l, b, 0, 0, 255));
    EXPECT_TRUE(shows(frame, r, b, 255, 255, 255));
    EXPECT_TRUE(shows(frame, 0, 0, 255, 255, 255)); // opaque white around it
}

TEST_F(GpuRendering, DoesNotBlendEdgesWithOneSamplePerPixel)
{
    scene::Scene scene;
    add_quad(scene, 0.0f, 1.0f, glm::vec4(1.0f));
    const auto quad = share(std::move(scene));
    View view{.width = 96,
              .height = 96,
              .camera = {.yaw = 40.0f, .pitch = 20.0f},
              .light = LightingPreset::reference};
    view.camera.orthographic = true;
    view.background = glm::vec4(0.0f, 0.0f, 0.0f, 1.0f);
    const auto count = [](const render::Frame& frame, auto like) {
        int pixels = 0;
        for (std::uint32_t y = 0; y < frame.height; ++y)
            for (std::uint32_t x = 0; x < frame.width; ++x)
                pixels += like(pixel(frame, x, y).r) ? 1 : 0;
        return pixels;
    };
    const auto smooth = picture(quad, view);
    const int inside = pixel(smooth, 48, 48).r; // nearly uniform around it
    const auto blended = [&](int red) { return red > 2 && red < inside - 12; };
    const auto full = [&](int red) { return red >= inside - 12; };
    render::Renderer plain(tested({.validation = true, .antialias = false}));
    const render::ClipTime clip_time;
    const auto hard = plain.render(quad, view, {&clip_time, 1}).at(0);
    EXPECT_GT(count(smooth, blended), 50);
    EXPECT_EQ(count(hard, blended), 0);
    EXPECT_NEAR(count(hard, full), count(smooth, full) + 0.5 * count(smooth, blended),
                0.025 * count(hard, full));
}

TEST_F(GpuRendering, KeepsTheSrgbValueOfMiddleGray)
{
    scene::Scene scene;
    add_quad(scene, 0.0f, 1.0f, {0.2158605f, 0.2158605f, 0.2158605f, 1.0f}); // sRGB 128
    auto view = reference_view();
    view.camera.orthographic = true;
    EXPECT_TRUE(shows(picture(share(std::move(scene)), view), 64, 64, 128, 128, 128));
}

TEST_F(GpuRendering, AveragesEdgesInLinearLight)
{
    // A black quad over white whose edge passes through pixel centers: half coverage is sRGB 188, not 128.
    scene::Scene scene;
    add_quad(scene, 0.0f, 1.0f, {0.0f, 0.0f, 0.0f, 1.0f});
    auto view = reference_view(100);
    view.camera.orthographic = true;
    view.framing = scene::Aabb{{-1.0f, -1.0f, 0.0f}, {1.0f, 1.0f, 0.0f}};
    const auto frame = picture(share(std::move(scene)), view);
    std::vector<int> between;
    for (std::uint32_t x = 0; x < 100; ++x)
        if (const auto p = pixel(frame, x, 50); p.r > 2 && p.r < 253) between.push_back(p.r);
    for (const int value : between)
        EXPECT_TRUE(std::abs(value - 188) < 3 || std::abs(value - 137) < 3 || std::abs(value - 225) < 3)
            << value;
}

TEST_F(GpuRendering, IsUprightAndNotMirrored)
{
    scene::Scene scene;
    add_quad(scene, 0.0f, 1.0f, {0.0f, 0.0f, 0.0f, 1.0f});
    scene.meshes[0].positions = {
        {0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {1.0f, 1.0f, 0.0f}, {0.0f, 1.0f, 0.0f}};
    auto view = reference_view(100);
    view.framing = scene::Aabb{{-1.0f, -1.0f, -0.1f}, {1.0f, 1.0f, 0.1f}};
    const auto frame = picture(share(std::move(scene)), view); // +X right, +Y up, viewed from +Z
    EXPECT_LT(pixel(frame, 60, 40).r, 10);
    EXPECT_GT(pixel(frame, 40, 40).r, 250);
    EXPECT_GT(pixel(frame, 60, 60).r, 250);
}

// The transform of a skinned node is ignored, including its sign: only joints can mirror the mesh.
TEST_F(GpuRendering, DrawsNearerSurfacesOverFartherOnes)
{
    for (const bool flat : {false, true}) {
        scene::Scene scene;
        add_quad(scene, 0.5f, 0.4f, {0.0f, 0.0f, 1.0f, 1.0f});
        add_quad(scene, 0.0f, 1.0f, {1.0f, 0.0f, 0.0f, 1.0f});
        auto view = reference_view();
        view.camera.orthographic = flat;
        const auto shared = share(std::move(scene));
        EXPECT_TRUE(is(pixel(picture(shared, view), 64, 64), 0, 0, 255, 6));
        view.camera.yaw = 180.0f;
        EXPECT_TRUE(is(pixel(picture(shared, view), 64, 64), 255, 0, 0, 6));
    }
}

TEST_F(GpuRendering, KeepsTheModelInTheImageOverAClip)
{
    for (const auto& scene : {share(tube(20, 12, 6, 3)), share(mixture()), share(vertex_frame_triangle(30))})
        for (const glm::uvec2 size : {glm::uvec2(96, 96), glm::uvec2(160, 60), glm::uvec2(60, 160)})
            for (const float yaw : {0.0f, 90.0f, 35.0f}) {
                View view{.width = size.x, .height = size.y, .light = LightingPreset::reference};
                view.camera.yaw = yaw;
                view.camera.pitch = 20.0f;
                view.background = glm::vec4(0.0f);
                std::vector<render::ClipTime> clip_times;
                for (int i = 0; i <= 10; ++i)
                    clip_times.push_back({0, scene->clips[0].duration * i / 10.0});
                for (const auto& frame : renderer().render(scene, view, clip_times))
                    EXPECT_EQ(border_coverage(frame), 0);
            }
}

TEST_F(GpuRendering, IsIndependentOfScaleAndPosition)
{
    const auto mean = [](const render::Frame& frame) {
        double sum = 0.0;
        for (const auto value : frame.pixels)
            sum += value;
        return sum / static_cast<double>(frame.pixels.size());
    };
    const View view{.width = 96, .height = 96};
    const double expected = mean(picture(share(tube(20, 12, 6, 3)), view, {0, 1.0}));
    for (const float size : {1e-6f, 1e-3f, 1e3f, 1e6f}) {
        auto scene = tube(20, 12, 6, 3);
        scene.nodes[0].local.scale = glm::vec3(size);
        EXPECT_NEAR(mean(picture(share(std::move(scene)), view, {0, 1.0})), expected, 0.5) << size;
    }
    auto far = tube(20, 12, 6, 3);
    far.nodes[0].local.translation = {20'000.0f, 500.0f, -30'000.0f};
    EXPECT_NEAR(mean(picture(share(std::move(far)), view, {0, 1.0})), expected, 1.0);
}

TEST_F(GpuRendering, StudioDrawsBackdropShadowAndOverlays)
{
    View view{.width = 256, .height = 256};
    view.camera.yaw = 30.0f;
    view.camera.pitch = 15.0f;
    const auto scene = share(mixture());
    const auto plain = picture(scene, view, {0, 1.0});
    keep(plain, "studio_mixture");
    EXPECT_EQ(pixel(plain, 3, 3).a, 255);
    view.overlays = {.wireframe = true, .skeleton = true, .normals = true, .bounds = true};
    const auto full = picture(scene, view, {0, 1.0});
    keep(full, "studio_mixture_overlays");
    EXPECT_NE(plain.pixels, full.pixels);
}

TEST_F(GpuRendering, DrawsLinesAndPoints)
{
    for (const auto topology : {scene::Topology::lines, scene::Topology::points}) {
        scene::Scene scene;
        add_quad(scene, 0.0f, 1.0f, {1.0f, 0.0f, 0.0f, 1.0f});
        scene.meshes[0].indices = {0, 2, 1, 3};
        scene.meshes[0].primitives[0].count = 4;
        scene.meshes[0].primitives[0].topology = topology;
        auto view = reference_view();
        view.background = glm::vec4(0.0f);
        const auto frame = picture(share(std::move(scene)), view);
        int covered = 0;
        for (std::size_t i = 3; i < frame.pixels.size(); i += 4)
            covered += frame.pixels[i] > 0 ? 1 : 0;
        EXPECT_GT(covered, 4);
    }
}

// A skeleton may extend beyond the model's box, so with that overlay all pixels are resolved in the same way;
// the cube has no skeleton. Without the overlay the image is composed of rectangles: no pixel may be missing
// or blended twice at an edge.
TEST_F(GpuRendering, HasNoSeamsBetweenResolveRectangles)
{
    const auto cube = share(textured_cube());
    for (const auto& [yaw, pitch, distance, orthographic] : {std::tuple(0.0f, 0.0f, 0.0f, false),
                                                             {35.0f, 20.0f, 0.0f, false},
                                                             {35.0f, 20.0f, 0.0f, true},
                                                             {10.0f, 89.0f, 0.0f, false},
                                                             {10.0f, -40.0f, 0.0f, false},
                                                             {80.0f, 12.0f, 0.7f, false},
                                                             {80.0f, 12.0f, 1.1f, false},
                                                             {200.0f, 5.0f, 60.0f, false},
                                                             {20.0f, 2.0f, 5.0f, true}})
        for (const auto light : {LightingPreset::reference, LightingPreset::studio})
            for (const auto& [width, height] : {std::pair(96u, 96u), {61u, 130u}, {150u, 40u}}) {
                View view{.width = width, .height = height, .light = light};
                view.camera.yaw = yaw;
                view.camera.pitch = pitch;
                view.camera.orthographic = orthographic;
                if (distance > 0.0f) view.camera.distance = distance;
                const auto parts = picture(cube, view);
                view.overlays.skeleton = true;
                const auto whole = picture(cube, view);
                int worst = 0, other = 0;
                for (std::size_t i = 0; i < whole.pixels.size(); ++i) {
                    const int by = std::abs(int(whole.pixels[i]) - int(parts.pixels[i]));
                    worst = std::max(worst, by);
                    other += by > 0 ? 1 : 0;
                }
                EXPECT_EQ(worst, 0) << other << " values differ at " << yaw << " " << pitch << " " << distance
                                    << " " << width << "x" << height;
            }
}

// One mesh drawn by two nodes, in half of the image each.
TEST_F(GpuRendering, AppliesNodeColors)
{
    auto scene = square();
    scene.meshes[0].colors.assign(4, {0.5f, 0.5f, 1.0f, 1.0f});
    scene.nodes.push_back(scene.nodes[0]);
    scene.nodes[0].local.translation.x = -0.5f;
    scene.nodes[1].local.translation.x = 0.5f;
    scene.nodes[0].color = {1.0f, 0.0f, 0.2f, 1.0f};
    scene.nodes[1].color = {0.0f, 0.428f, 1.0f, 1.0f};
    auto view = reference_view();
    view.camera.orthographic = true;
    const auto frame = picture(share(std::move(scene)), view);
    EXPECT_TRUE(shows(frame, 44, 64, 188, 0, 124)); // 0.5, 0, 0.2
    EXPECT_TRUE(shows(frame, 84, 64, 0, 127, 255)); // 0, 0.214, 1
}

} // namespace
} // namespace vitrine::test
