// The fastest joints, and joints that jump.
#include <algorithm>
#include <cmath>

#include "loaders/scene/facts/motion_facts.hpp"

namespace vitrine::scene {
namespace {

constexpr double min_jump = 0.02;         // of the size
constexpr float isolation = 4.0f;         // times the changes around it
constexpr std::size_t min_jump_steps = 6; // in fewer every change is isolated

// How far a joint is from the middle between its neighboring frames, twice: the change of its step.
float change_of_step(const SampledMotion& motion, std::size_t frame, std::size_t joint)
{
    return glm::length(motion.frame(frame + 1)[joint] - 2.0f * motion.frame(frame)[joint] +
                       motion.frame(frame - 1)[joint]);
}

// Whether the joint moves evenly around a change, apart from the frames beside it, which the change moves
// too.
bool is_isolated(const SampledMotion& motion, std::size_t frame, std::size_t joint, float change)
{
    float around = 0.0f;
    std::size_t known = 0;
    for (const int offset : {-4, -3, -2, 2, 3, 4}) {
        const auto at = static_cast<std::ptrdiff_t>(frame) + offset;
        if (at < 1 || at + 1 >= static_cast<std::ptrdiff_t>(motion.frames())) continue;
        around = std::max(around, change_of_step(motion, static_cast<std::size_t>(at), joint));
        ++known;
    }
    return known >= 2 && change > isolation * around;
}

} // namespace

void compute_peaks(const SampledMotion& motion, ClipFacts& facts)
{
    if (motion.step <= 0.0) return;
    float step = 0.0f, change = 0.0f; // squared
    auto jump = static_cast<float>(min_jump * motion.size);
    for (std::size_t i = 1; i < motion.frames(); ++i) {
        const auto before = motion.frame(i - 1), now = motion.frame(i);
        const bool is_last = i + 1 == motion.frames();
        const auto after = is_last ? now : motion.frame(i + 1);
        for (std::size_t j = 0; j < motion.joints.size(); ++j) {
            const glm::vec3 way = now[j] - before[j];
            step = std::max(step, glm::dot(way, way));
            if (is_last) continue;
            const glm::vec3 turn = after[j] - now[j] - way;
            const float squared = glm::dot(turn, turn);
            change = std::max(change, squared);
            if (squared <= jump * jump || motion.frames() <= min_jump_steps) continue;
            if (!is_isolated(motion, i, j, std::sqrt(squared))) continue;
            jump = std::sqrt(squared);
            facts.jump = {motion.joints[j], motion.step * static_cast<double>(i), double{jump}};
        }
    }
    facts.peak_speed = std::sqrt(double{step}) / motion.step;
    facts.peak_acceleration = std::sqrt(double{change}) / (motion.step * motion.step);
}

} // namespace vitrine::scene
