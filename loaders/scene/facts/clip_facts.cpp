#include "loaders/scene/facts/clip_facts.hpp"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>

#include "loaders/scene/facts/motion_facts.hpp"
#include "loaders/scene/motion/frame_rate.hpp"

namespace vitrine::scene {
namespace {

constexpr double in_place_distance = 0.1;        // of the size
constexpr double in_place_excursion = 1.0 / 3.0; // of the size
constexpr double straight_turn = 45.0;           // degrees

glm::dvec2 ground(const glm::vec3& point)
{
    return {point.x, point.z};
}

} // namespace

RootMotion compute_root_motion(const SampledMotion& motion)
{
    RootMotion root{.node = motion.joints[motion.root]};
    const glm::dvec2 start = ground(motion.root_at(0));
    double farthest = 0.0;
    for (std::size_t i = 1; i < motion.frames(); ++i) {
        const glm::dvec2 at = ground(motion.root_at(i));
        root.path += glm::length(at - ground(motion.root_at(i - 1)));
        root.distance = glm::length(at - start);
        farthest = std::max(farthest, root.distance);
    }
    root.turn = glm::degrees(motion.turns.back());
    const double duration = motion.step * static_cast<double>(motion.frames() - 1);
    const bool curved = std::abs(root.turn) > straight_turn;
    if (duration > 0.0) root.speed = (curved ? root.path : root.distance) / duration;
    root.in_place =
        root.distance < in_place_distance * motion.size && farthest < in_place_excursion * motion.size;
    return root;
}

namespace {

// All but the missing joints.
ClipFacts compute_motion_facts(const Scene& scene, std::uint32_t clip)
{
    ClipFacts facts;
    facts.keys = compute_key_facts(scene, scene.clips[clip]);
    const auto motion = sample_motion(scene, clip);
    if (motion.frames() > 0) {
        facts.root = compute_root_motion(motion);
        if (!facts.keys.frozen) facts.looping = compute_looping(motion);
        facts.feet = compute_foot_facts(scene, motion, facts.root.in_place);
        compute_peaks(motion, facts);
        facts.size = motion.size;
        facts.start_rotation = motion.start_rotation;
        for (std::size_t j = 0; j < motion.joints.size(); ++j)
            facts.start_difference =
                std::max(facts.start_difference, double{glm::length(motion.frame(0)[j] - motion.rest[j])});
    }
    if (is_closed_loop(scene.clips[clip]))
        facts.looping = {.loops = true, .range = TimeSpan{0.0, scene.clips[clip].duration}, .seam = 0.0};
    return facts;
}

} // namespace

ClipFacts compute_clip_facts(const Scene& scene, std::uint32_t clip)
{
    auto facts = compute_motion_facts(scene, clip);
    facts.missing_joints = std::move(compute_missing_joints(scene)[clip]);
    return facts;
}

std::vector<ClipFacts> compute_all_clip_facts(const Scene& scene, unsigned threads,
                                              const std::stop_token& stop)
{
    std::vector<ClipFacts> facts(scene.clips.size());
    std::atomic<std::uint32_t> next = 0;
    const auto work = [&] {
        for (std::uint32_t clip = next++; clip < facts.size() && !stop.stop_requested(); clip = next++)
            facts[clip] = compute_motion_facts(scene, clip);
    };
    std::vector<std::jthread> others;
    try {
        while (others.size() + 1 < std::min<std::size_t>(threads, facts.size()))
            others.emplace_back(work);
    } catch (const std::system_error&) { // this thread does the work
    }
    work();
    others.clear(); // waits for them
    if (stop.stop_requested()) return facts;
    auto missing = compute_missing_joints(scene);
    for (std::size_t clip = 0; clip < facts.size(); ++clip)
        facts[clip].missing_joints = std::move(missing[clip]);
    return facts;
}

} // namespace vitrine::scene
