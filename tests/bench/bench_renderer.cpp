// bench_renderer [--gpu NAME] [skinning] [frames] [crowd] [batches] [encoders], all without arguments:
// skinning compared with a plain CPU loop over the same data in the same run, frames per second (medians of
// several runs), thumbnails, and the cost of encoding a frame of a live view.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "server/samples/models.hpp"
#include "tests/bench/renderer/cost.hpp"
#include "tests/bench/renderer/frames.hpp"
#include "tests/bench/renderer/skinning.hpp"
#include "tests/gpu/scenes.hpp"
#include "vk_renderer/encode/encode.hpp"
#include "vk_renderer/encode/video.hpp"
#include "vk_renderer/mesh/lod.hpp"
#include "vk_renderer/renderer.hpp"

namespace {

using namespace vitrine;
using bench::Cost;
using bench::cost;
using Clock = std::chrono::steady_clock;

constexpr std::uint32_t joints = 80;

std::vector<render::ClipTime> clip_times(int count)
{
    std::vector<render::ClipTime> all;
    for (int i = 0; i < count; ++i)
        all.push_back({0, 2.0 * i / count});
    return all;
}

// The gain of a live view from reduced detail while it moves.
void bench_detail(render::Renderer& renderer, std::uint32_t vertices)
{
    const auto scene = std::make_shared<const scene::Scene>(test::tube(vertices / 20, 20, joints, 4));
    const auto clip_time = clip_times(1);
    std::vector<render::Frame> frames;
    render::View view{.width = 512, .height = 512};
    const Cost full_detail = cost([&] { renderer.render(scene, view, clip_time, frames); });
    const Cost making = cost([&] { view.lod = render::build_lod(*scene); });
    const Cost lod = cost([&] { renderer.render(scene, view, clip_time, frames); });
    std::printf(
        "frame 512 x 512, %6u vertices, studio: whole %5.1f ms (processor %5.1f), %zu triangles %5.1f ms "
        "(processor %5.1f), made once in %.0f ms\n",
        vertices, full_detail.seconds * 1e3, full_detail.processor_seconds * 1e3,
        view.lod->indices.size() / 3, lod.seconds * 1e3, lod.processor_seconds * 1e3, making.seconds * 1e3);
}

// Sixteen images one by one and in one call: over a clip, around one pose, of sixteen scenes.
void bench_batches(render::Renderer& renderer, std::uint32_t vertices, std::uint32_t side)
{
    constexpr int count = 16;
    const render::View view{.width = side, .height = side};
    const auto make = [&] {
        return std::make_shared<const scene::Scene>(test::tube(vertices / 20, 20, joints, 4));
    };
    const auto scene = make();
    std::vector<render::FrameRequest> clip, orbit, scenes;
    for (const auto& clip_time : clip_times(count)) {
        clip.push_back({scene, view, clip_time});
        orbit.push_back({scene, view, {0, 0.7}});
        orbit.back().view.camera.yaw = 360.0f * static_cast<float>(orbit.size()) / count;
        scenes.push_back({make(), view, clip_time});
    }
    std::vector<render::Frame> frames;
    const auto print = [&](const char* what, const Cost& all) {
        std::printf("%s %4u x %4u, %6u vertices: %5.2f ms a picture (processor %5.2f)\n", what, side, side,
                    vertices, all.seconds * 1e3 / count, all.processor_seconds * 1e3 / count);
    };
    print("one by one    ", cost([&] {
              for (const auto& frame_request : clip)
                  renderer.render(std::span(&frame_request, 1), frames);
          }));
    print("over a clip   ", cost([&] { renderer.render(clip, frames); }));
    print("around a pose ", cost([&] { renderer.render(orbit, frames); }));
    print("sixteen scenes", cost([&] { renderer.render(scenes, frames); }));
}

double processor_ms()
{
    return static_cast<double>(std::clock()) * 1e3 / CLOCKS_PER_SEC;
}

// The walking robot of the sample library with a turning camera, as in a viewer at 60 frames per second.
std::vector<render::Frame> turning(render::Renderer& renderer, std::uint32_t side)
{
    const auto scene = std::make_shared<const scene::Scene>(samples::make_robot());
    std::vector<render::Frame> frames;
    for (int i = 0; i < 48; ++i) {
        render::View view{.width = side, .height = side};
        view.camera.yaw = 2.0f * static_cast<float>(i);
        const render::ClipTime clip_time{0, i / 60.0};
        frames.push_back(renderer.render(scene, view, std::span(&clip_time, 1)).at(0));
    }
    return frames;
}

// `encode` returns the bytes of a frame; the first one, which may be a key frame, is not counted.
void bench_encoder(const char* name, const std::vector<render::Frame>& frames,
                   const std::function<std::size_t(const render::Frame&)>& encode)
{
    encode(frames[0]);
    const double start = processor_ms();
    std::size_t bytes = 0;
    for (std::size_t i = 1; i < frames.size(); ++i)
        bytes += encode(frames[i]);
    const auto count = frames.size() - 1;
    std::printf("encode %4u x %-4u %-10s %6.2f ms of processor a frame, %7zu bytes\n", frames[0].width,
                frames[0].height, name, (processor_ms() - start) / static_cast<double>(count), bytes / count);
}

void bench_encoders(render::Renderer& renderer, std::uint32_t side)
{
    const auto frames = turning(renderer, side);
    const auto measure_encoding = [&](const char* name, render::ImageFormat format, int quality) {
        bench_encoder(name, frames, [&](const render::Frame& frame) {
            return render::encode(frame, format, {.quality = quality}).size();
        });
    };
    measure_encoding("png", render::ImageFormat::png, 85);
    measure_encoding("jpeg q85", render::ImageFormat::jpeg, 85);
    measure_encoding("jpeg q60", render::ImageFormat::jpeg, 60);
    measure_encoding("webp q85", render::ImageFormat::webp, 85);
    for (const auto& [name, codec] :
         {std::pair("vp8", render::VideoCodec::vp8), std::pair("vp9", render::VideoCodec::vp9)}) {
        render::VideoEncoder encoder(codec);
        std::chrono::microseconds at{0};
        bench_encoder(name, frames, [&](const render::Frame& frame) {
            return encoder.encode(frame, at += std::chrono::microseconds(16'667)).bytes.size();
        });
    }
}

} // namespace

int main(int argc, char** argv)
{
    render::Options options;
    std::vector<std::string> parts;
    for (int i = 1; i < argc; ++i)
        if (std::string(argv[i]) == "--gpu" && i + 1 < argc)
            options.device = argv[++i];
        else
            parts.emplace_back(argv[i]);
    const auto is_selected = [&](const char* part) {
        return parts.empty() || std::ranges::find(parts, part) != parts.end();
    };
    const auto start = Clock::now();
    render::Renderer renderer(options);
    std::printf("%s, %s; start %.0f ms\n", renderer.info().name.c_str(), renderer.info().driver.c_str(),
                std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    if (is_selected("skinning")) bench::bench_skinning(options, renderer);
    if (is_selected("frames")) {
        bench::bench_frames(options);
        bench::bench_thumbnails(renderer);
        bench_detail(renderer, 200'000);
    }
    if (is_selected("crowd")) bench::bench_crowd(options);
    if (is_selected("batches"))
        for (const std::uint32_t vertices : {2'000u, 20'000u})
            for (const std::uint32_t side : {256u, 512u, 1024u})
                bench_batches(renderer, vertices, side);
    if (is_selected("encoders"))
        for (const std::uint32_t side : {256u, 512u, 1024u})
            bench_encoders(renderer, side);
}
