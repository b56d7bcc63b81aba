#include "tests/bench/renderer/skinning.hpp"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

#include "tests/bench/renderer/cost.hpp"
#include "tests/bench/renderer/cpu_skinning.hpp"
#include "tests/bench/renderer/skinning_passes.hpp"
#include "tests/gpu/scenes.hpp"

namespace vitrine::bench {
namespace {

constexpr std::uint32_t joints = 80;
constexpr std::uint32_t frames = 16;
constexpr std::uint32_t batches = 8; // of this many frames, one after the other

render::SharedScene tube_of(std::uint32_t vertices, scene::SkinningMethod method)
{
    auto scene = test::tube(vertices / 20, 20, joints, 4);
    scene.skins[0].method = method;
    return std::make_shared<const scene::Scene>(std::move(scene));
}

// Calls work(first, end) for a part of `count` on each thread.
template <class Work>
void on_threads(unsigned threads, std::size_t count, Work work)
{
    std::vector<std::jthread> workers;
    for (unsigned t = 0; t < threads; ++t)
        workers.emplace_back([=] { work(count * t / threads, count * (t + 1) / threads); });
}

struct CpuLoop {
    explicit CpuLoop(const scene::Scene& scene) : palettes(std::size_t{frames} * joints)
    {
        const auto& mesh = scene.meshes[0];
        for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
            const auto& p = mesh.positions[v];
            CpuVertex vertex{{p.x, p.y, p.z}, render::encode_octahedral(mesh.normals[v]), {}, {}};
            for (std::uint32_t i = 0; i < 4; ++i) {
                const auto at = mesh.influences.first[v] + i;
                vertex.joints[i] = static_cast<std::uint8_t>(mesh.influences.joints[at]);
                vertex.weights[i] =
                    static_cast<std::uint8_t>(std::lround(mesh.influences.weights[at] * 255.0f));
            }
            vertices.push_back(vertex);
        }
        for (auto& joint : palettes)
            joint = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
        out.resize(vertices.size() * frames);
    }

    void run(unsigned threads)
    {
        on_threads(threads, vertices.size(), [this](std::size_t first, std::size_t end) {
            for (std::size_t f = 0; f < frames; ++f)
                skin_on_cpu(std::span(vertices).subspan(first, end - first),
                            std::span(palettes).subspan(f * joints, joints),
                            out.data() + f * vertices.size() + first);
        });
    }

    std::vector<CpuVertex> vertices;
    std::vector<CpuJoint> palettes;
    std::vector<CpuSkinned> out;
};

// Bytes read and written per second.
double copy_rate(unsigned threads)
{
    const std::vector<std::byte> from(64u << 20, std::byte{1});
    std::vector<std::byte> to(from.size());
    const auto copy = cost([&] {
        on_threads(threads, from.size(), [&](std::size_t first, std::size_t end) {
            std::memcpy(to.data() + first, from.data() + first, end - first);
        });
    });
    return 2.0 * static_cast<double>(from.size()) / copy.seconds;
}

Cost cost_of_a_batch(SkinningPasses& passes, bool with_bounds)
{
    const Cost all = cost([&] { passes.run(batches, with_bounds); });
    return {all.seconds / batches, all.processor_seconds / batches};
}

void print(const char* what, std::uint32_t vertices, const Cost& of)
{
    const double work = static_cast<double>(vertices) * frames / 1e6;
    std::printf("skinning %6u vertices x %u frames, %s: %6.1f Mverts/s (%6.1f a second of processor)\n",
                vertices, frames, what, work / of.seconds, work / of.processor_seconds);
}

void bench_linear(const render::Options& options, render::Renderer& renderer, std::uint32_t vertices,
                  double copied)
{
    const auto scene = tube_of(vertices, scene::SkinningMethod::linear);
    const auto batch = clip_times_of(frames);
    SkinningPasses passes(options, *scene, frames);
    CpuLoop loop(*scene);
    const Cost alone = cost_of_a_batch(passes, false);
    print("device                ", vertices, alone);
    print("device, with bounds   ", vertices, cost_of_a_batch(passes, true));
    print("with bounds and poses ", vertices, cost([&] { renderer.bounds(scene, batch); }));
    print("CPU loop on one thread", vertices, cost([&] { loop.run(1); }));
    print("CPU loop on two       ", vertices, cost([&] { loop.run(2); }));
    // 40 bytes per vertex are read once, 16 are written in each frame.
    const double bytes = static_cast<double>(vertices) * (40.0 + 16.0 * frames);
    std::printf(
        "skinning %6u vertices x %u frames moves %.1f GB/s, %.0f %% of what a copy on two threads does\n",
        vertices, frames, bytes / alone.seconds / 1e9, 100.0 * bytes / alone.seconds / copied);
}

// What the number of joints costs: the compute pass alone, with palettes that exist, and with poses.
void bench_joints(const render::Options& options, render::Renderer& renderer, std::uint32_t vertices)
{
    const auto batch = clip_times_of(frames);
    for (const std::uint32_t count : {31u, 71u, 128u, 1'000u, 70'000u}) {
        const auto scene = std::make_shared<const scene::Scene>(test::joint_tree(count, vertices));
        SkinningPasses passes(options, *scene, frames);
        const auto alone = cost_of_a_batch(passes, false);
        const auto posed = cost([&] { renderer.bounds(scene, batch); });
        const double work = static_cast<double>(passes.vertex_count()) * passes.poses() / 1e6;
        std::printf(
            "skinning %6u vertices x %u frames, %5u joints: %6.1f Mverts/s (%6.1f a second of processor), "
            "with bounds and poses %6.3f ms a frame (processor %6.3f)\n",
            passes.vertex_count(), passes.poses(), count, work / alone.seconds,
            work / alone.processor_seconds, posed.seconds * 1e3 / frames,
            posed.processor_seconds * 1e3 / frames);
    }
}

void bench_methods(const render::Options& options, std::uint32_t vertices)
{
    const auto linear = tube_of(vertices, scene::SkinningMethod::linear);
    const auto dual = tube_of(vertices, scene::SkinningMethod::dual_quaternion);
    SkinningPasses linear_passes(options, *linear, frames), dual_passes(options, *dual, frames);
    print("linear          ", vertices, cost_of_a_batch(linear_passes, false));
    print("dual quaternions", vertices, cost_of_a_batch(dual_passes, false));
}

} // namespace

void bench_skinning(const render::Options& options, render::Renderer& renderer)
{
    const double one = copy_rate(1), two = copy_rate(2);
    std::printf("copying memory: %.1f GB/s read and written on one thread, %.1f on two\n", one / 1e9,
                two / 1e9);
    for (const std::uint32_t vertices : {20'000u, 200'000u})
        bench_linear(options, renderer, vertices, two);
    bench_methods(options, 200'000);
    bench_joints(options, renderer, 200'000);
}

} // namespace vitrine::bench
