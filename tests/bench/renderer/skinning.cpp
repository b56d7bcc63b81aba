#include "tests/bench/renderer/skinning.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

#include "tests/bench/renderer/cost.hpp"
#include "tests/bench/renderer/cpu_skinning.hpp"
#include "tests/gpu/scenes.hpp"
#include "vk_renderer/frame/pose_evaluator.hpp"
#include "vk_renderer/gpu/physical_device.hpp"
#include "vk_renderer/passes/bounds_pass.hpp"
#include "vk_renderer/passes/skinning.hpp"

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

std::vector<render::ClipTime> clip_times()
{
    std::vector<render::ClipTime> all;
    for (std::uint32_t i = 0; i < frames; ++i)
        all.push_back({0, 2.0 * i / frames});
    return all;
}

// The passes alone: palettes are prepared, and nothing is read back.
class Passes {
public:
    Passes(const render::Options& options, const scene::Scene& scene)
        : instance_(false), device_(instance_, choose_device(instance_, options.device)),
          timeline_(device_, options.submit_timeout), uploader_(device_, timeline_),
          scene_(device_, scene, render::PreparedScene(scene), uploader_), skinning_(device_),
          bounds_(device_), slots_{Slot{render::Commands(device_)}, Slot{render::Commands(device_)}}
    {
        uploader_.finish();
        render::PoseEvaluator pose_evaluator;
        pose_evaluator.begin(scene, scene_.packed, false);
        pose_evaluator.add(clip_times(), 1);
        constexpr auto storage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
        constexpr auto texels = VK_FORMAT_R32G32B32A32_UINT;
        palettes_ =
            filled(std::as_bytes(pose_evaluator.palettes()), {render::MemoryDomain::upload, storage, texels});
        duals_ = filled(std::as_bytes(pose_evaluator.dqs_palettes()),
                        {render::MemoryDomain::upload, storage, texels});
        values_ = filled(std::as_bytes(pose_evaluator.values()),
                         {render::MemoryDomain::upload, storage, VK_FORMAT_R32_UINT});
        stretched_ = pose_evaluator.non_rigid();
        skinned_ = render::Buffer(device_, VkDeviceSize{frames} * scene_.vertex_count() * 16,
                                  {render::MemoryDomain::device, storage, texels}, "skinned vertices");
        boxes_ = render::Buffer(device_, frames * sizeof(render::EncodedBounds),
                                {render::MemoryDomain::device, storage | VK_BUFFER_USAGE_TRANSFER_DST_BIT},
                                "bounds");
    }

    // Submits the next batch while the device works, as when rendering images one after the other.
    void run(bool with_bounds)
    {
        for (std::uint32_t batch = 0; batch < batches; ++batch)
            submit(slots_[batch % slots_.size()], with_bounds);
        for (const Slot& slot : slots_)
            timeline_.wait(slot.submitted);
    }

private:
    struct Slot {
        render::Commands commands;
        std::uint64_t submitted = 0;
    };

    void submit(Slot& slot, bool with_bounds)
    {
        timeline_.wait(slot.submitted);
        auto* commands = slot.commands.begin();
        memory_barrier(device_, commands, render::compute,
                       render::compute); // both slots use the same buffers
        memory_barrier(device_, commands, render::compute, render::transfer);
        if (with_bounds) bounds_.clear(commands, boxes_.get(), frames);
        skinning_.record(commands, scene_,
                         {.palettes = &palettes_,
                          .dqs_palettes = &duals_,
                          .values = &values_,
                          .skinned = &skinned_,
                          .pose_count = frames,
                          .non_rigid = stretched_});
        if (with_bounds) {
            memory_barrier(device_, commands, render::compute, render::compute);
            memory_barrier(device_, commands, render::transfer, render::compute);
            bounds_.record(commands, scene_, skinned_, boxes_.get(), frames);
        }
        slot.submitted = timeline_.submit(slot.commands.end());
    }

    render::Buffer filled(std::span<const std::byte> bytes, render::BufferDesc use)
    {
        render::Buffer buffer(device_, bytes.size(), use, "input");
        if (!bytes.empty()) std::memcpy(buffer.mapped(), bytes.data(), bytes.size());
        return buffer;
    }

    render::VulkanInstance instance_;
    render::Device device_;
    render::Timeline timeline_;
    render::Uploader uploader_;
    render::GpuScene scene_;
    render::SkinningPass skinning_;
    render::BoundsPass bounds_;
    std::array<Slot, 2> slots_;
    render::Buffer palettes_, duals_, values_, skinned_, boxes_;
    bool stretched_ = false;
};

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

Cost cost_of_a_batch(Passes& passes, bool with_bounds)
{
    const Cost all = cost([&] { passes.run(with_bounds); });
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
    const auto batch = clip_times();
    Passes passes(options, *scene);
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

void bench_methods(const render::Options& options, std::uint32_t vertices)
{
    const auto linear = tube_of(vertices, scene::SkinningMethod::linear);
    const auto dual = tube_of(vertices, scene::SkinningMethod::dual_quaternion);
    Passes linear_passes(options, *linear), dual_passes(options, *dual);
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
}

} // namespace vitrine::bench
