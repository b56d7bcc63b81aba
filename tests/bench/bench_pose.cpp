// bench_pose: poses of a clip at 256 rising times, as a film, a measurement of bounds or a request for poses
// asks for them: local transforms, matrices, joint palettes, text. Compared with plain code (search of each
// track, std::sin) in the same run, rounds alternating; medians. Arguments: files whose longest clip is posed
// too.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "api/pose_json.hpp"
#include "loaders/scene/helper_nodes.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/motion/sample_poses.hpp"
#include "tests/bench/pose/clips.hpp"
#include "tests/bench/timing.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/plain_pose.hpp"

namespace {

using namespace vitrine;

constexpr std::size_t moments = 256;
constexpr int rounds = 31;

double process_seconds()
{
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Work {
    const char* name;
    std::function<void()> run;
    std::vector<double> elapsed{}, processor{}; // microseconds a pose
};

void measure(Work& work)
{
    constexpr int repetitions = 2;
    const auto start = bench::Clock::now();
    const double processor = process_seconds();
    for (int i = 0; i < repetitions; ++i)
        work.run();
    constexpr double to_pose = 1e6 / (repetitions * static_cast<double>(moments));
    work.processor.push_back((process_seconds() - processor) * to_pose);
    work.elapsed.push_back(bench::seconds_since(start) * to_pose);
}

// Largest difference of an element of a model matrix, relative to the largest element of the pose.
double largest_difference(const std::vector<scene::Pose>& a, const std::vector<scene::Pose>& b)
{
    double largest = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        double size = 1.0, difference = 0.0;
        for (std::size_t n = 0; n < a[i].model.size(); ++n) {
            difference = std::max(difference, test::difference(a[i].model[n], b[i].model[n]));
            size = std::max(size, test::difference(a[i].model[n], glm::mat4(0.0f)));
        }
        largest = std::max(largest, difference / size);
    }
    return largest;
}

// The text of GET .../pose for all nodes in model space.
void write_json(const bench::PosedClip& posed, const std::vector<double>& times,
                const std::vector<scene::Pose>& poses)
{
    api::PoseSelection selection{.clip = posed.clip, .nodes = {}, .space = api::PoseSpace::model};
    for (std::uint32_t node = 0; node < posed.scene.nodes.size(); ++node)
        if (!scene::is_helper(posed.scene.nodes[node])) selection.nodes.push_back(node);
    const api::PosesWriter::Sink sink = [](std::string_view) {};
    api::PosesWriter writer(posed.scene, selection, times, sink);
    for (std::size_t i = 0; i < times.size(); ++i)
        writer.add(times[i], poses[i]);
    writer.finish();
}

void print(const bench::PosedClip& posed, const std::vector<Work>& works)
{
    const scene::Clip& clip = posed.scene.clips[posed.clip];
    std::printf("%s: %zu nodes, %zu tracks, %zu poses over %.2f s\n", posed.name.c_str(),
                posed.scene.nodes.size(), clip.channels.size(), moments, clip.duration);
    for (const Work& work : works)
        std::printf("  %-26s %7.2f us a pose, %7.2f us of processor time\n", work.name,
                    bench::share_of(work.elapsed, 0.5), bench::share_of(work.processor, 0.5));
}

void compare(const bench::PosedClip& posed)
{
    const scene::Scene& scene = posed.scene;
    const double duration = scene.clips[posed.clip].duration;
    std::vector<double> times;
    for (std::size_t i = 0; i < moments; ++i)
        times.push_back(duration * static_cast<double>(i) / static_cast<double>(moments - 1));
    std::vector<scene::Pose> plain(moments), single(moments), batch(moments);
    const auto instances = scene::find_instances(scene);
    std::vector<scene::PaletteEntry> palette(scene::palette_size(instances));
    std::vector<Work> works{
        {"plain code",
         [&] {
             for (std::size_t i = 0; i < moments; ++i)
                 test::plain::sample_pose(scene, posed.clip, times[i], plain[i]);
         }},
        {"sample_pose",
         [&] {
             for (std::size_t i = 0; i < moments; ++i)
                 scene::sample_pose(scene, posed.clip, times[i], single[i]);
         }},
        {"sample_poses", [&] { scene::sample_poses(scene, posed.clip, times, batch, 1); }},
        {"sample_poses, 2 threads", [&] { scene::sample_poses(scene, posed.clip, times, batch, 2); }},
        {"response as JSON alone", [&] { write_json(posed, times, batch); }},
        {"joint_palette alone",
         [&] {
             for (const scene::Pose& pose : batch)
                 scene::joint_palette(scene, instances, pose, palette);
         }},
    };
    for (int round = 0; round < rounds; ++round)
        for (Work& work : works)
            measure(work);
    print(posed, works);
    std::printf("  largest difference from plain code %.1e, from sample_pose %.1e of the pose's size\n",
                largest_difference(plain, batch), largest_difference(single, batch));
}

} // namespace

int main(int argc, char** argv)
try {
    std::vector<bench::PosedClip> clips;
    clips.push_back(bench::chain_clip("linear, keys shared", {.cubic_share = 0.0, .own_times = false}));
    clips.push_back(bench::chain_clip("linear, keys of each track", {.cubic_share = 0.0, .own_times = true}));
    clips.push_back(
        bench::chain_clip("half cubic, keys of each track", {.cubic_share = 0.5, .own_times = true}));
    for (int i = 1; i < argc; ++i)
        clips.push_back(bench::longest_clip(argv[i]));
    for (const auto& clip : clips)
        compare(clip);
    return EXIT_SUCCESS;
} catch (const std::exception& error) {
    std::fprintf(stderr, "bench_pose: %s\n", error.what());
    return EXIT_FAILURE;
}
