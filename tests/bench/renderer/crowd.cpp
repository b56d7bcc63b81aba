// Crowds: many instances of one skinned scene in one image, each at its own time.
#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

#include "tests/bench/renderer/cost.hpp"
#include "tests/bench/renderer/frames.hpp"
#include "tests/gpu/scenes.hpp"
#include "vk_renderer/scene/pack_scene.hpp"

namespace vitrine::bench {
namespace {

constexpr std::uint32_t side = 512;
constexpr double frame_seconds = 1.0 / 30.0;

// A character of 2,000 vertices and twice as many triangles, 40 joints, 4 influences, single-sided.
scene::Scene character()
{
    auto scene = test::tube(50, 40, 40, 4);
    scene.format = "gltf";
    scene.materials.push_back({});
    scene.meshes[0].primitives[0].material = 0;
    return scene;
}

std::size_t skinning_dispatches(const render::PackedScene& packed)
{
    std::size_t count = 0;
    for (const auto& range : {packed.skin1, packed.skin4, packed.dqs4, packed.skinN, packed.dqsN})
        count += range.count > 0 ? 1 : 0;
    return count;
}

class Crowd {
public:
    explicit Crowd(const render::Options& options) : renderer_(options) { frame(1); }

    // One frame of a playing clip.
    Cost frame(std::uint32_t count)
    {
        render::View view{.width = side, .height = side, .crowd = count};
        view.camera.yaw = 30.0f;
        view.camera.pitch = 25.0f;
        return cost([&] {
            time_ += frame_seconds;
            const render::ClipTime clip_time{0, time_};
            renderer_.render(scene_, view, {&clip_time, 1}, frames_);
        });
    }
    render::Renderer& renderer() { return renderer_; }

private:
    render::Renderer renderer_;
    render::SharedScene scene_ = std::make_shared<const scene::Scene>(character());
    std::vector<render::Frame> frames_;
    double time_ = 0.0;
};

// The largest number of instances whose frame takes at most `frame_seconds`, to 2 %.
std::uint32_t most_at_30_fps(Crowd& crowd)
{
    std::uint32_t low = 1, high = 2;
    while (high < 4096 && crowd.frame(high).seconds <= frame_seconds)
        low = std::exchange(high, 2 * high);
    while (high - low > std::max(low / 50, 1u)) {
        const auto middle = (low + high) / 2;
        (crowd.frame(middle).seconds <= frame_seconds ? low : high) = middle;
    }
    return low;
}

} // namespace

void bench_crowd(const render::Options& options)
{
    Crowd crowd(options);
    const auto scene = character();
    std::printf("crowd of a character of %zu vertices, %zu triangles, 40 joints, 512 x 512, studio; skinning "
                "dispatches a frame: %zu\n",
                scene.meshes[0].positions.size(), scene.meshes[0].indices.size() / 3,
                skinning_dispatches(render::pack(scene)));
    const auto alone = crowd.renderer().memory().used;
    for (const std::uint32_t count : {1u, 10u, 100u, 1000u}) {
        const auto all = crowd.frame(count);
        std::printf("  %5u: %7.2f ms a frame (processor %7.2f), %6.1f MiB more than one\n", count,
                    all.seconds * 1e3, all.processor_seconds * 1e3,
                    static_cast<double>(crowd.renderer().memory().used - alone) / (1 << 20));
    }
    std::printf("  at 30 frames a second: %u\n", most_at_30_fps(crowd));
}

} // namespace vitrine::bench
