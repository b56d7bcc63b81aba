// Contacts of the feet with the ground, and how far they slide.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "loaders/base/ascii.hpp"
#include "loaders/scene/facts/motion_facts.hpp"

namespace vitrine::scene {
namespace {

constexpr double contact_height = 0.02; // of the size, above the lowest position
constexpr double contact_rise = 0.3;    // sizes per second

bool contains_any(const std::string& name, std::span<const std::string_view> words)
{
    return std::ranges::any_of(words, [&](std::string_view word) { return name.contains(word); });
}

// Joints named as feet, without controls and targets of rigs; else ankles, else toes.
std::vector<std::size_t> find_foot_joints(const Scene& scene, const SampledMotion& motion)
{
    constexpr std::array<std::string_view, 8> controls{"ik",     "control", "ctrl", "roll",
                                                       "target", "pole",    "end",  "nub"};
    for (const std::string_view word : {"foot", "ankle", "toe"}) {
        std::vector<std::size_t> feet;
        for (std::size_t j = 0; j < motion.joints.size(); ++j) {
            const auto name = ascii::lower(scene.nodes[motion.joints[j]].name);
            if (name.contains(word) && !contains_any(name, controls)) feet.push_back(j);
        }
        if (!feet.empty()) return feet;
    }
    return {};
}

// By frame, whether the joint is in contact.
std::vector<bool> contact_frames(const SampledMotion& motion, std::size_t joint)
{
    double lowest = motion.frame(0)[joint].y;
    for (std::size_t i = 1; i < motion.frames(); ++i)
        lowest = std::min(lowest, double{motion.frame(i)[joint].y});
    const auto rises = [&](std::size_t a, std::size_t b) {
        const double change = std::abs(double{motion.frame(a)[joint].y} - double{motion.frame(b)[joint].y});
        return change > contact_rise * motion.size * motion.step;
    };
    std::vector<bool> in_contact(motion.frames());
    for (std::size_t i = 0; i < motion.frames(); ++i) {
        const bool is_low = motion.frame(i)[joint].y <= lowest + contact_height * motion.size;
        const bool before = i > 0 && rises(i - 1, i), after = i + 1 < motion.frames() && rises(i, i + 1);
        in_contact[i] = is_low && !(before && after);
    }
    return in_contact;
}

} // namespace

FootFacts compute_foot_facts(const Scene& scene, const SampledMotion& motion, bool in_place)
{
    FootFacts facts;
    if (motion.step <= 0.0) return facts;
    std::vector<glm::dvec2> steps; // of feet in contact, over the ground
    for (const std::size_t joint : find_foot_joints(scene, motion)) {
        const auto in_contact = contact_frames(motion, joint);
        for (std::size_t i = 0; i < motion.frames();) {
            std::size_t end = i;
            while (end + 1 < motion.frames() && in_contact[i] && in_contact[end + 1]) {
                const auto step = motion.frame(end + 1)[joint] - motion.frame(end)[joint];
                steps.emplace_back(step.x, step.z);
                ++end;
            }
            if (end > i)
                facts.contacts.push_back(
                    {motion.joints[joint],
                     {motion.step * static_cast<double>(i), motion.step * static_cast<double>(end)}});
            i = end + 1;
        }
    }
    glm::dvec2 mean(0.0);
    for (const auto& step : steps)
        mean += step / static_cast<double>(steps.size());
    for (const auto& step : steps)
        facts.slide += glm::length(in_place ? step - mean : step);
    return facts;
}

} // namespace vitrine::scene
