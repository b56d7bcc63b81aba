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

std::vector<render::Moment> moments()
{
    std::vector<render::Moment> all;
    for (int i = 0; i < batch; ++i)
        all.push_back({0, 2.0 * i / batch});
    return all;
}

// As many rings as sides, and glTF's culling: the triangles of an ordinary model, two a vertex.
render::SharedScene even_tube(std::uint32_t vertices)
{
    const auto side = static_cast<std::uint32_t>(std::lround(std::sqrt(vertices)));
    auto scene = test::tube(vertices / side, side, joints, 4);
    scene.format = "gltf";
    scene.materials.push_back({});
    scene.meshes[0].primitives[0].material = 0;
    return std::make_shared<const scene::Scene>(std::move(scene));
}

struct Frames { // of which
    Cost single, batched;
};

Frames cost_of(render::Renderer& renderer, const render::SharedScene& scene, const render::View& view)
{
    const auto all = moments();
    std::vector<render::Frame> frames;
    Frames costs{cost([&] { renderer.render(scene, view, std::span(all).first(1), frames); }),
                 cost([&] { renderer.render(scene, view, all, frames); })};
    costs.batched.seconds /= batch;
    costs.batched.processor_seconds /= batch;
    return costs;
}

void print(const char* what, const render::View& view, const Cost& of, const Cost& plain)
{
    std::printf("  %s %4u x %-4u %6.1f frames/s, %6.2f ms (processor %6.2f)", what, view.width, view.height,
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
        render::View view{.width = side, .height = side, .light = render::Light::reference};
        const auto plain = cost_of(renderer, scene, view);
        view.light = render::Light::studio;
        const auto studio = cost_of(renderer, scene, view);
        print("plain,  single ", view, plain.single, plain.single);
        print("studio, single ", view, studio.single, plain.single);
        print("plain,  batched", view, plain.batched, plain.batched);
        print("studio, batched", view, studio.batched, plain.batched);
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
    std::vector<render::Shot> shots;
    for (const auto& moment : moments())
        shots.push_back({even_tube(2'000), {.width = 256, .height = 256}, moment});
    std::vector<render::Frame> frames;
    const auto print = [&](const char* what, const Cost& all) {
        std::printf("thumbnails 256 x 256, 16 scenes of 2,000 vertices, %s: %6.1f a second (processor %5.2f "
                    "ms each)\n",
                    what, batch / all.seconds, all.processor_seconds * 1e3 / batch);
    };
    double with_device = 0.0; // seconds of the last run from submissions to their pixels
    const Cost one_by_one = cost([&] {
        with_device = 0.0;
        for (const auto& shot : shots) {
            renderer.render(std::span(&shot, 1), frames);
            with_device += frames[0].render_us * 1e-6;
        }
    });
    print("drawn one by one    ", one_by_one);
    std::printf("thumbnails one by one: the device has work for %.0f %% of the time\n",
                100.0 * with_device / one_by_one.seconds);
    print("drawn together      ", cost([&] { renderer.render(shots, frames); }));
    print("and encoded as WebP ", cost([&] {
              renderer.render(shots, frames);
              for (const auto& frame : frames)
                  render::encode(frame, render::ImageFormat::webp, {.quality = 85});
          }));
}

} // namespace vitrine::bench
