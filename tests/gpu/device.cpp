#include "tests/gpu/device.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/gpu/scenes.hpp"
#include "tests/support/scenes.hpp"
#include "vk_renderer/encode/encode.hpp"

namespace vitrine::test {

std::unique_ptr<render::Renderer> Gpu::renderer_;

bool is(const Rgba& p, int r, int g, int b, int tolerance)
{
    return std::abs(p.r - r) <= tolerance && std::abs(p.g - g) <= tolerance && std::abs(p.b - b) <= tolerance;
}

testing::AssertionResult shows(const render::Frame& frame, std::uint32_t x, std::uint32_t y, int r, int g,
                               int b)
{
    const auto p = pixel(frame, x, y);
    if (is(p, r, g, b)) return testing::AssertionSuccess();
    return testing::AssertionFailure() << x << "," << y << " is " << p.r << " " << p.g << " " << p.b
                                       << " not " << r << " " << g << " " << b;
}

int different_pixels(const render::Frame& a, const render::Frame& b)
{
    int count = 0;
    for (std::size_t i = 0; i < a.pixels.size(); i += 4) {
        int off = 0;
        for (std::size_t c = 0; c < 4; ++c)
            off = std::max(off, std::abs(int(a.pixels[i + c]) - int(b.pixels[i + c])));
        count += off > 3 ? 1 : 0;
    }
    return count;
}

std::string tested_device()
{
    const char* chosen = std::getenv("VITRINE_TEST_GPU");
    return chosen != nullptr ? chosen : "software";
}

bool runs_heavy_tests()
{
    return std::getenv("VITRINE_TEST_HEAVY") != nullptr;
}

namespace {

// Whether synchronization validation across submissions reports the first use of memory that another image or
// buffer had. The host has waited for the other's last submission before its memory is free
// (Timeline::defer_destroy); the layer does not know waits of the host for timeline semaphores. Images change
// their layout only at their first use (gpu/image.hpp), and vertices and indices are copied only into new
// buffers (textures/uploader.hpp).
bool concerns_reused_memory(const std::string& line)
{
    if (!line.contains("vkQueueSubmit2: Hazard")) return false;
    if (line.contains("recorded_usage: SYNC_IMAGE_LAYOUT_TRANSITION"))
        return line.contains("SYNC-HAZARD-WRITE-AFTER-");
    return line.contains("SYNC-HAZARD-WRITE-AFTER-READ") &&
           line.contains("recorded_usage: SYNC_COPY_TRANSFER_WRITE") &&
           (line.contains("prior_usage: SYNC_VERTEX_ATTRIBUTE_INPUT_") ||
            line.contains("prior_usage: SYNC_INDEX_INPUT_"));
}

} // namespace

render::Options tested(render::Options options)
{
    if (std::getenv("VITRINE_TEST_WITHOUT_VALIDATION") != nullptr) options.validation = false;
    // Software rendering beside other jobs: a slow picture is not a hung device.
    if (tested_device() == "software" && options.submit_timeout == render::Options{}.submit_timeout)
        options.submit_timeout = std::chrono::minutes(4);
    const char* profile = std::getenv("VITRINE_TEST_DEVICE_PROFILE");
    options.device = tested_device();
    options.on_log_message = [notice = std::move(options.on_log_message)](const std::string& line) {
        if (line.starts_with(render::validation_prefix) && !concerns_reused_memory(line))
            ADD_FAILURE() << line;
        if (notice) notice(line);
    };
    if (profile != nullptr && std::string_view(profile) == "gpu")
        options.device_profile = render::DeviceProfile::gpu;
    return options;
}

void Gpu::SetUpTestSuite()
{
    renderer_ = std::make_unique<render::Renderer>(tested({.validation = true}));
}

void Gpu::TearDownTestSuite()
{
    renderer_.reset();
}

render::SharedScene Gpu::share(scene::Scene scene)
{
    const auto valid = scene::validate(scene, scene::FlatMeshes::allowed);
    if (!valid) ADD_FAILURE() << valid.error().where << ": " << valid.error().detail;
    return std::make_shared<const scene::Scene>(std::move(scene));
}

render::Frame Gpu::picture(const render::SharedScene& scene, const render::View& view,
                           render::ClipTime clip_time)
{
    return renderer().render(scene, view, {&clip_time, 1}).at(0);
}

std::vector<render::FrameRequest> Gpu::requests(std::uint32_t number)
{
    static const std::array scenes{share(tube(20, 12, 6, 4)), share(textured_cube()), share(mixture())};
    std::vector<render::FrameRequest> all;
    for (std::uint32_t i = 0; i < 1 + number % 4; ++i) {
        const auto& scene = scenes[(number + i) % scenes.size()];
        render::View view{.width = 60 + number, .height = 50 + 2 * i};
        view.camera.yaw = 25.0f * static_cast<float>(number + i);
        view.overlays.names = number % 3 == 1;
        all.push_back({scene, view, {scene->clips.empty() ? scene::none : 0, 0.07 * number}});
    }
    return all;
}

Rgba pixel(const render::Frame& frame, std::uint32_t x, std::uint32_t y)
{
    const auto* p = &frame.pixels[(std::size_t{y} * frame.width + x) * 4];
    return {p[0], p[1], p[2], p[3]};
}

void keep(const render::Frame& frame, const std::string& name)
{
    const char* folder = std::getenv("VITRINE_TEST_PICTURES");
    if (folder == nullptr) return;
    const auto png = render::encode(frame, render::ImageFormat::png);
    std::ofstream(std::filesystem::path(folder) / (name + ".png"), std::ios::binary)
        .write(reinterpret_cast<const char*>(png.data()), static_cast<std::streamsize>(png.size()));
}

} // namespace vitrine::test
