#include "loaders/scene/motion/sample_poses.hpp"

#include <cassert>
#include <future>
#include <optional>
#include <system_error>

namespace vitrine::scene {
namespace {

constexpr std::size_t min_poses = 32; // of a thread, which costs as much as about ten poses to start

// Nothing if no thread can be started.
template <class Work>
std::optional<std::future<void>> start(const Work& work)
{
    try {
        return std::async(std::launch::async, work);
    } catch (const std::system_error&) {
        return std::nullopt;
    }
}

} // namespace

void sample_poses(const Scene& scene, std::uint32_t clip, std::span<const double> times,
                  std::span<Pose> poses, unsigned threads)
{
    assert(times.size() == poses.size());
    const std::size_t parts =
        std::clamp<std::size_t>(std::min<std::size_t>(threads, times.size() / min_poses), 1, 64);
    const std::size_t blocks = (times.size() + lane_count - 1) / lane_count;
    const auto first_of = [&](std::size_t part) {
        return std::min(times.size(), blocks * part / parts * lane_count);
    };
    const auto sample_part = [&](std::size_t part) {
        const std::size_t first = first_of(part), count = first_of(part + 1) - first;
        ClipSampler(scene, clip).sample(times.subspan(first, count), poses.subspan(first, count));
    };
    std::vector<std::future<void>> others;
    for (std::size_t part = 1; part < parts; ++part) {
        if (auto other = start([&sample_part, part] { sample_part(part); }))
            others.push_back(*std::move(other));
        else
            sample_part(part);
    }
    sample_part(0);
    for (auto& other : others)
        other.get();
}

} // namespace vitrine::scene
