// Options::resolve_path: a compute shader resolves samples to the pixels that fragments make of them.

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"

namespace vitrine::test {
namespace {

using render::DeviceProfile;
using render::ResolvePath;

render::Options resolving(DeviceProfile profile, ResolvePath path)
{
    auto options = tested({.validation = true, .resolve_path = path});
    options.device_profile = profile;
    return options;
}

int largest_difference(const render::Frame& a, const render::Frame& b)
{
    if (a.pixels.size() != b.pixels.size()) return 255;
    int largest = 0;
    for (std::size_t i = 0; i < a.pixels.size(); ++i)
        largest = std::max(largest, std::abs(int{a.pixels[i]} - int{b.pixels[i]}));
    return largest;
}

bool is_uniform(const render::Frame& frame)
{
    return std::ranges::all_of(
        frame.pixels, [&, i = 0u](std::uint8_t value) mutable { return value == frame.pixels[i++ % 4]; });
}

scene::Scene glass_before_a_square()
{
    auto scene = square(glass_material({0.2f, 1.0f, 0.2f}));
    add_quad(scene, -0.5f, 0.5f, {0.3f, 0.3f, 0.3f, 1.0f});
    return scene;
}

scene::Scene translucent_square()
{
    scene::Scene scene;
    add_quad(scene, 0.0f, 1.0f, {0.8f, 0.1f, 0.1f, 0.4f}, scene::AlphaMode::blend);
    return scene;
}

// Every kind of background, in both lightings.
std::vector<render::View> views_on_backgrounds(std::uint32_t width, std::uint32_t height)
{
    std::vector<render::View> views;
    for (const auto light : {render::LightingPreset::studio, render::LightingPreset::reference}) {
        render::View view{.width = width, .height = height, .light = light};
        view.camera.yaw = 30.0f;
        view.camera.pitch = 15.0f;
        views.push_back(view);
        for (const float alpha : {0.0f, 0.4f, 1.0f}) {
            view.background = glm::vec4(0.9f, 0.5f, 0.1f, alpha);
            view.camera.orthographic = alpha == 0.4f;
            views.push_back(view);
        }
    }
    return views;
}

// Draws all requests in one call by fragments and by both ways of compute.
void expect_equal_resolve(DeviceProfile profile, const std::vector<render::FrameRequest>& requests)
{
    render::Renderer fragments(resolving(profile, ResolvePath::fragment));
    std::vector<render::Frame> expected, frames;
    fragments.render(requests, expected);
    EXPECT_FALSE(std::ranges::all_of(expected, is_uniform));
    for (const auto path : {ResolvePath::compute_to_host, ResolvePath::compute_to_device}) {
        render::Renderer renderer(resolving(profile, path));
        for (int run = 0; run < 2; ++run) // the second in buffers that are in use
            renderer.render(requests, frames);
        ASSERT_EQ(frames.size(), expected.size());
        for (std::size_t i = 0; i < frames.size(); ++i)
            EXPECT_LE(largest_difference(frames[i], expected[i]), 1)
                << "image " << i << ", " << requests[i].view.width << " x " << requests[i].view.height
                << (path == ResolvePath::compute_to_host ? " to host" : " to device");
    }
}

class GpuResolve : public testing::TestWithParam<DeviceProfile> {
protected:
    static render::SharedScene share(scene::Scene scene)
    {
        return std::make_shared<const scene::Scene>(std::move(scene));
    }
};

TEST_P(GpuResolve, DrawsEveryBackgroundAlike)
{
    std::vector<render::FrameRequest> requests;
    for (const auto& scene : {share(tube(24, 16, 4, 4)), share(glass_before_a_square()),
                              share(translucent_square()), share(square(rough_material(glm::vec3(0.5f))))})
        for (const auto& view : views_on_backgrounds(131, 70))
            requests.push_back({scene, view, {}});
    expect_equal_resolve(GetParam(), requests);
}

TEST_P(GpuResolve, DrawsOverlaysAlike)
{
    const auto scene = share(tube(24, 16, 4, 4));
    std::vector<render::FrameRequest> requests;
    for (const auto& word : render::overlay_words)
        for (auto view : views_on_backgrounds(96, 97)) {
            view.overlays.*word.flag = true;
            requests.push_back({scene, view, {0, 0.3}});
        }
    expect_equal_resolve(GetParam(), requests);
}

// Rows of every length from 1 to 70 and the image's last rows, in batches of images of different sizes.
TEST_P(GpuResolve, FillsImagesOfEverySize)
{
    const auto scene = share(tube(24, 16, 4, 4));
    std::vector<render::FrameRequest> requests;
    for (std::uint32_t width = 1; width <= 70; ++width) {
        render::View view{.width = width, .height = width * 29 % 71};
        view.camera.yaw = static_cast<float>(width);
        requests.push_back({scene, view, {}});
    }
    expect_equal_resolve(GetParam(), requests);
}

// Several dispatches for one image.
TEST_P(GpuResolve, DividesImagesThatExceedOneBinding)
{
    const auto scene = share(tube(24, 16, 4, 4));
    const render::View view{.width = 333, .height = 301};
    const render::ClipTime clip_time{};
    render::Renderer whole(resolving(GetParam(), ResolvePath::compute_to_host));
    auto options = resolving(GetParam(), ResolvePath::compute_to_host);
    options.max_binding_bytes = 1u << 17; // 98 rows
    render::Renderer divided(options);
    EXPECT_EQ(divided.render(scene, view, {&clip_time, 1}).at(0).pixels,
              whole.render(scene, view, {&clip_time, 1}).at(0).pixels);
}

INSTANTIATE_TEST_SUITE_P(Profiles, GpuResolve, testing::Values(DeviceProfile::cpu, DeviceProfile::gpu),
                         [](const auto& info) { return info.param == DeviceProfile::cpu ? "cpu" : "gpu"; });

} // namespace
} // namespace vitrine::test
