#include "tests/bench/renderer/frames.hpp"

#include <cmath>
#include <cstdio>
#include <vector>

#include "tests/bench/renderer/cost.hpp"
#include "tests/gpu/scenes.hpp"
#include "vk_renderer/encode/encode.hpp"

namespace vitrine::bench {
namespace {

constexpr std::uint32_t joints = 80;
constexpr int batch = 16;

std::vector<render::ClipTime> clip_times()
{
    std::vector<render::ClipTime> all;
    for (int i = 0; i < batch; ++i)
        all.push_back({0, 2.0 * i / batch});
    return all;
}

// As many rings as sides, with back-face culling as in glTF: two triangles per vertex, as in typical models.
render::SharedScene even_tube(std::uint32_t vertices)
{
    const auto side = static_cast<std::uint32_t>(std::lround(std::sqrt(vertices)));
    auto scene = test::tube(vertices / side, side, joints, 4);
    scene.format = "gltf";
    scene.materials.push_back({});
    scene.meshes[0].primitives[0].material = 0;
    return std::make_shared<const scene::Scene>(std::move(scene));
}

struct Frames { // per image
    Cost plain_single, studio_single, plain_batched, studio_batched;
};

Frames cost_of(render::Renderer& renderer, const render::SharedScene& scene, std::uint32_t side)
{
    const render::View plain{.width = side, .height = side, .light = render::LightingPreset::reference};
    auto studio = plain;
    studio.light = render::LightingPreset::studio;
    const auto all = clip_times();
    std::vector<render::Frame> frames;
    const auto singly = [&](const render::View& view) {
        for (std::size_t i = 0; i < all.size(); ++i)
            renderer.render(scene, view, std::span(all).subspan(i, 1), frames);
    };
    const std::function<void()> works[] = {[&] { singly(plain); }, [&] { singly(studio); },
                                           [&] { renderer.render(scene, plain, all, frames); },
                                           [&] { renderer.render(scene, studio, all, frames); }};
    auto costs = costs_in_turn(works);
    for (auto& each : costs)
        each = {each.seconds / batch, each.processor_seconds / batch};
    return {costs[0], costs[1], costs[2], costs[3]};
}

void print(const char* what, std::uint32_t side, const Cost& of, const Cost& plain)
{
    std::printf("  %s %4u x %-4u %6.1f frames/s, %6.2f ms (processor %6.2f)", what, side, side,
                1.0 / of.seconds, of.seconds * 1e3, of.processor_seconds * 1e3);
    if (&of != &plain)
        std::printf(", %.2f of the plain shader's rate (by processor %.2f)", plain.seconds / of.seconds,
                    plain.processor_seconds / of.processor_seconds);
    std::printf("\n");
}

void bench_frames(render::Renderer& renderer, std::uint32_t vertices)
{
    const auto scene = even_tube(vertices);
    for (const std::uint32_t side : {256u, 512u, 1024u}) {
        const auto costs = cost_of(renderer, scene, side);
        print("plain,  single ", side, costs.plain_single, costs.plain_single);
        print("studio, single ", side, costs.studio_single, costs.plain_single);
        print("plain,  batched", side, costs.plain_batched, costs.plain_batched);
        print("studio, batched", side, costs.studio_batched, costs.plain_batched);
    }
}

} // namespace

void bench_frames(const render::Options& options)
{
    for (const bool antialias : {true, false}) {
        auto with = options;
        with.antialias = antialias;
        render::Renderer renderer(with);
        for (const std::uint32_t vertices : {2'000u, 20'000u}) {
            std::printf("frames of %u vertices, twice as many triangles, %s\n", vertices,
                        antialias ? "4 samples a pixel" : "1 sample a pixel");
            bench_frames(renderer, vertices);
        }
    }
}

void bench_thumbnails(render::Renderer& renderer)
{
    std::vector<render::FrameRequest> frame_requests;
    for (const auto& clip_time : clip_times())
        frame_requests.push_back({even_tube(2'000), {.width = 256, .height = 256}, clip_time});
    std::vector<render::Frame> frames;
    const auto print = [&](const char* what, const Cost& all) {
        std::printf("thumbnails 256 x 256, 16 scenes of 2,000 vertices, %s: %6.1f a second (processor %5.2f "
                    "ms each)\n",
                    what, batch / all.seconds, all.processor_seconds * 1e3 / batch);
    };
    double with_device = 0.0; // in the last run, from submissions to pixels in host memory
    const Cost one_by_one = cost([&] {
        with_device = 0.0;
        for (const auto& frame_request : frame_requests) {
            renderer.render(std::span(&frame_request, 1), frames);
            with_device += frames[0].render_us * 1e-6;
        }
    });
    print("drawn one by one    ", one_by_one);
    std::printf("thumbnails one by one: the device has work for %.0f %% of the time\n",
                100.0 * with_device / one_by_one.seconds);
    print("drawn together      ", cost([&] { renderer.render(frame_requests, frames); }));
    print("and encoded as WebP ", cost([&] {
              renderer.render(frame_requests, frames);
              for (const auto& frame : frames)
                  render::encode(frame, render::ImageFormat::webp, {.quality = 85});
          }));
}

} // namespace vitrine::bench
