// Overlays.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"

namespace vitrine::test {
namespace {

using render::DebugView;
using render::View;

int differing(const render::Frame& a, const render::Frame& b)
{
    int count = 0;
    for (std::size_t i = 0; i < a.pixels.size(); i += 4)
        count += a.pixels[i] != b.pixels[i] || a.pixels[i + 1] != b.pixels[i + 1] ? 1 : 0;
    return count;
}

TEST_F(GpuOverlay, ShowsUAsRedAndVAsGreen)
{
    const auto frame = picture(share(square()), front_view({.debug_view = DebugView::uv}));
    keep(frame, "overlay_uv");
    // Centers of checker cells of equal brightness, six cells of 10.8 pixels apart.
    const auto low = pixel(frame, 27, 27), right = pixel(frame, 92, 27), down = pixel(frame, 27, 92);
    EXPECT_GT(right.r, low.r + 25);
    EXPECT_GT(down.g, low.g + 25);
    EXPECT_NEAR(right.g, low.g, 12);
}

TEST_F(GpuOverlay, ShowsWeightsFromBlueToRed)
{
    auto scene = tube(20, 12, 4, 2);
    const auto last = static_cast<std::uint32_t>(scene.skins[0].joints.back());
    scene.nodes[last].name = "the tip";
    View view{.width = 128,
              .height = 128,
              .overlays = {.debug_view = DebugView::weights, .joint = std::to_string(last)}};
    view.background = glm::vec4(0.0f);
    const auto heat = picture(share(scene), view);
    keep(heat, "overlay_weights");
    const auto low = pixel(heat, 64, 108), high = pixel(heat, 64, 20);
    EXPECT_GT(low.b, low.r + 40) << "the tube's foot";
    EXPECT_GT(high.r, high.b + 40) << "its tip";
    view.overlays.joint = scene.nodes[last].name;
    EXPECT_EQ(picture(share(scene), view).pixels, heat.pixels) << "by name";
    view.overlays.joint = "nobody";
    EXPECT_THROW(picture(share(scene), view), render::RenderError);
    view.overlays.joint = "";
    EXPECT_GT(differing(picture(share(std::move(scene)), view), heat), 500) << "each joint its own color";
}

TEST_F(GpuOverlay, DrawsNamesBesideTheJointsAtEachClipTime)
{
    auto scene = tube(40, 16, 6, 3);
    for (auto& node : scene.nodes)
        node.name = "joint";
    const auto shared = share(std::move(scene));
    View view{.width = 256, .height = 256};
    const std::vector<render::ClipTime> clip_times{{0, 0.0}, {0, 0.7}};
    view.overlays = {.skeleton = true};
    const auto plain = renderer().render(shared, view, clip_times);
    view.overlays.names = true;
    const auto named = renderer().render(shared, view, clip_times);
    keep(named[1], "overlay_names");
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_GT(differing(named[i], plain[i]), 200);
        EXPECT_LT(differing(named[i], plain[i]), 6000) << "lowercase letters";
    }
    view.overlays.skeleton = false;
    EXPECT_GT(differing(picture(shared, view, clip_times[0]), named[0]), 20) << "without the bones";
}

TEST_F(GpuOverlay, ShowsOnlyTheNearestSurfaceInXRay)
{
    scene::Scene one, many;
    for (const float z : {0.0f, -0.1f, -0.2f, -0.3f})
        add_quad(many, z, 1.0f, glm::vec4(1.0f));
    add_quad(one, 0.0f, 1.0f, glm::vec4(1.0f));
    auto view = front_view({.debug_view = DebugView::xray});
    view.background = glm::vec4(0.0f);
    view.framing = scene::Aabb{{-0.6f, -0.6f, -0.4f}, {0.6f, 0.6f, 0.1f}};
    const auto front = pixel(picture(share(std::move(one)), view), 64, 64);
    const auto stack = pixel(picture(share(std::move(many)), view), 64, 64);
    EXPECT_GT(front.a, 20);
    EXPECT_LT(front.a, 120);
    EXPECT_EQ(front.a, stack.a);
}

TEST_F(GpuOverlay, TangentsPointAlongUAndNormalsTowardTheViewer)
{
    auto view = front_view({.tangents = true});
    view.light = render::LightingPreset::reference;
    view.width = view.height = 400;
    const auto frame = picture(share(square()), view);
    keep(frame, "overlay_tangents");
    double red = 0.0, green = 0.0, red_x = 0.0, green_y = 0.0; // amount of each color
    for (std::uint32_t y = 0; y < 400; ++y)
        for (std::uint32_t x = 0; x < 400; ++x) {
            const auto p = pixel(frame, x, y);
            const double redder = std::max(p.r - p.g, 0), greener = std::max(p.g - p.r, 0);
            red += redder, red_x += redder * x;
            green += greener, green_y += greener * y;
        }
    ASSERT_GT(red, 4 * 40);
    ASSERT_GT(green, 4 * 25);
    // The triangles' centers are at +-1/6 of the square around its center: lines to the right and upward move
    // the mean.
    EXPECT_GT(red_x / red, 201.0);
    EXPECT_LT(green_y / green, 199.0);
}

TEST_F(GpuOverlay, ShowsNormalsOnWhite)
{
    auto view = front_view({.normals = true});
    view.light = render::LightingPreset::reference;
    view.camera.yaw = 80.0f;
    const auto frame = picture(share(square()), view);
    keep(frame, "overlay_normals");
    int darkest = 255;
    for (std::uint32_t y = 0; y < 128; ++y)
        for (std::uint32_t x = 0; x < 128; ++x)
            darkest = std::min(darkest, pixel(frame, x, y).r);
    EXPECT_LT(darkest, pixel(frame, 64, 64).r - 2);
}

// They have no normals from a file.
TEST_F(GpuOverlay, DrawsNoNormalsOfLinesAndPoints)
{
    for (const auto topology : {scene::Topology::lines, scene::Topology::points}) {
        auto scene = square();
        scene.meshes[0].primitives[0].topology = topology;
        const auto shared = share(std::move(scene));
        EXPECT_EQ(picture(shared, front_view({.normals = true})).pixels,
                  picture(shared, front_view({})).pixels);
    }
}

// Drawing all lines would cover the model.
TEST_F(GpuOverlay, DecimatesLinesOfADenseModel)
{
    const auto scene = share(dense_tube());
    for (const std::uint32_t size : {128u, 256u, 400u}) {
        auto view = front_view();
        view.width = view.height = size;
        view.background = glm::vec4(0.0f, 0.0f, 0.0f, 1.0f);
        const auto plain = picture(scene, view);
        for (const bool normals : {true, false}) {
            view.overlays = {.normals = normals, .tangents = !normals};
            const auto lines = picture(scene, view);
            keep(lines, "overlay_dense");
            int seen = 0, covered = 0;
            for (std::size_t i = 0; i < plain.pixels.size(); i += 4) {
                const int change = std::abs(plain.pixels[i] - lines.pixels[i]) +
                                   std::abs(plain.pixels[i + 1] - lines.pixels[i + 1]);
                seen += plain.pixels[i] > 90 ? 1 : 0;
                covered += plain.pixels[i] > 90 && change > 30 ? 1 : 0;
            }
            EXPECT_LT(covered, seen * 6 / 10) << size << normals;
            EXPECT_GT(covered, seen / 25) << size << normals;
            EXPECT_EQ(picture(scene, view).pixels, lines.pixels);
        }
    }
}

// A rig of two joints, the second at height `above` over the first.
void add_joints(scene::Scene& scene, float above)
{
    const auto first = static_cast<std::uint32_t>(scene.nodes.size());
    scene.nodes.resize(first + 2);
    scene.nodes[first + 1].parent = first;
    scene.nodes[first + 1].local.translation = {0.0f, above, 0.0f};
    auto& skin = scene.skins.emplace_back();
    skin.joints = {first, first + 1};
    skin.inverse_bind.assign(2, glm::mat4(1.0f));
}

// A joint outside the model is in the image of every view that shows the skeleton, at every moment of the
// clip.
TEST_F(GpuOverlay, FramesJointsOutsideTheModel)
{
    auto scene = square();
    add_joints(scene, 1.6f);
    const auto shared = share(std::move(scene));
    auto view = front_view({.skeleton = true});
    view.camera.orthographic = false;
    view.light = render::LightingPreset::reference;
    const auto joint_at_the_top = [&](const View& from) {
        const auto frame = picture(shared, from);
        keep(frame, "overlay_joints_framed");
        for (std::uint32_t y = 0; y < 40; ++y)
            for (std::uint32_t x = 40; x < 88; ++x)
                if (const auto p = pixel(frame, x, y); p.r > p.b + 80) return true;
        return false;
    };
    EXPECT_TRUE(joint_at_the_top(view));
    view.camera.distance = 3.0f;
    EXPECT_FALSE(joint_at_the_top(view)) << "explicit values are kept";
}

// A viewer that converts zoom to meters needs the framed box.
TEST_F(GpuOverlay, ReportsTheFraming)
{
    for (const float place : {0.0f, 1e7f}) {
        auto scene = square();
        add_joints(scene, 1.5f);
        scene.nodes[0].local.translation.x = place;
        scene.nodes[1].local.translation.x = place;
        const auto shared = share(std::move(scene));
        const auto plain = picture(shared, front_view()).framing;
        EXPECT_EQ(plain.framed.min, plain.model.min);
        EXPECT_EQ(plain.framed.max, plain.model.max);
        EXPECT_EQ(plain.model.center().x, place);
        const auto rigged = picture(shared, front_view({.skeleton = true})).framing;
        EXPECT_EQ(rigged.model.max, plain.model.max);
        EXPECT_EQ(rigged.framed.max.y, 1.5f);
        EXPECT_EQ(rigged.framed.min, plain.model.min);
        auto aimed = front_view({.skeleton = true});
        aimed.camera.distance = 3.0f;
        EXPECT_EQ(picture(shared, aimed).framing, rigged) << "it reports what the fit shows";
    }
}

TEST_F(GpuOverlay, IsIndependentOfScale)
{
    const std::array shown{
        render::Overlays{.wireframe = true}, render::Overlays{.skeleton = true},
        render::Overlays{.normals = true},   render::Overlays{.tangents = true},
        render::Overlays{.bounds = true},    render::Overlays{.debug_view = DebugView::xray}};
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const auto draw = [&](float size) {
            auto scene = tube(8, 12, 6, 3);
            add_normal_map(scene, 12);
            scene.nodes[0].local.scale = glm::vec3(size);
            const View view{
                .width = 96, .height = 96, .light = render::LightingPreset::reference, .overlays = shown[i]};
            return picture(share(std::move(scene)), view, {0, 1.0});
        };
        const auto expected = draw(1.0f);
        for (const float size : {1e-9f, 1e-3f, 1e3f, 1e12f}) {
            const auto drawn = draw(size);
            keep(drawn, fmt::format("overlay-{}-scale-{}", i, size));
            EXPECT_LT(different_pixels(drawn, expected), 40) << i << ' ' << size;
        }
    }
}

TEST_F(GpuOverlay, DrawsThePathsOfJoints)
{
    auto scene = tube(20, 12, 4, 2);
    const auto tip = scene.skins[0].joints.back();
    scene.nodes[tip].name = "tip";
    const auto shared = share(std::move(scene));
    View view{.width = 128, .height = 128};
    view.background = glm::vec4(1.0f);
    const render::ClipTime at{0, 0.7};
    const auto plain = picture(shared, view, at);
    view.overlays = {.trails = true, .trail_joints = {"tip"}};
    const auto trail = picture(shared, view, at);
    keep(trail, "overlay_trails");
    EXPECT_GT(differing(trail, plain), 60);
    EXPECT_LT(differing(trail, plain), 3000) << "lines";
    view.overlays.trail_joints = {std::to_string(tip)};
    EXPECT_EQ(picture(shared, view, at).pixels, trail.pixels) << "by number";
    const auto later = renderer().render(shared, view, std::array{at, render::ClipTime{0, 1.0}});
    EXPECT_EQ(later[0].pixels, trail.pixels) << "in a batch";
    view.overlays.trail_joints = {};
    EXPECT_EQ(picture(shared, view, at).pixels, trail.pixels) << "the only end that moves";
    EXPECT_EQ(picture(shared, view, {}).pixels,
              picture(shared, View{.width = 128, .height = 128, .background = view.background}, {}).pixels)
        << "the static pose has no paths";
    view.overlays.trail_joints = {"nobody"};
    EXPECT_THROW(picture(shared, view, at), render::RenderError);
}

TEST_F(GpuOverlay, DrawsBoxesOfJoints)
{
    const auto shared = share(tube(20, 12, 4, 2));
    View view{.width = 128, .height = 128};
    view.background = glm::vec4(1.0f);
    const auto plain = picture(shared, view, {0, 0.7});
    view.overlays = {.joint_boxes = true};
    const auto boxes = picture(shared, view, {0, 0.7});
    keep(boxes, "overlay_joint_boxes");
    EXPECT_GT(differing(boxes, plain), 300);
    EXPECT_LT(differing(boxes, plain), 6000) << "lines";
}

} // namespace
} // namespace vitrine::test
