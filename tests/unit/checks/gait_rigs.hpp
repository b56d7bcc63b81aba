#pragma once
// Rigs that walk in many ways, whose clips have no fault.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "loaders/scene/checks/checks.hpp"
#include "tests/support/walker.hpp"

namespace vitrine::scene {

using test::stepping;
using test::two_pi;
using test::Walker;

struct Gait {
    double speed;  // meters per second
    double period; // seconds
    double rate;   // frames per second
    bool in_place;
};

inline std::vector<Gait> gaits()
{
    std::vector<Gait> all;
    for (const double speed : {0.7, 1.1, 1.5})
        for (const double period : {0.8, 1.0, 1.2})
            for (const double rate : {24.0, 30.0, 60.0})
                for (const bool in_place : {false, true})
                    all.push_back({speed, period, rate, in_place});
    return all;
}

inline Walker walker_of(const Gait& gait)
{
    const double forward = gait.in_place ? 0.0 : gait.speed;
    const auto cycle = [period = gait.period](double t) { return two_pi * t / period; };
    return {.hips = [=](double t) { return glm::dvec3(0.02 * std::sin(cycle(t)), 1, forward * t); },
            .swing = [=](double t) { return 15.0 * std::sin(cycle(t)); },
            .left = stepping(0.1, gait.speed, gait.period, 0.25),
            .right = stepping(-0.1, gait.speed, gait.period, 0.75),
            .duration = gait.period * 2.0,
            .rate = gait.rate};
}

// Three clips of one rig, so that one of them can miss what the others have.
inline Scene rig_of(const Gait& gait)
{
    auto scene = walker_of(gait).make();
    auto faster = gait;
    faster.speed *= 1.25;
    for (const char* name : {"Run", "Sprint"}) {
        scene.clips.push_back(walker_of(faster).make().clips.front());
        scene.clips.back().name = name;
        faster.speed *= 1.25;
    }
    return scene;
}

inline void cut_end(Clip& clip, double share)
{
    clip.duration *= share;
    for (auto& channel : clip.channels) {
        const std::size_t width = channel.values.size() / channel.times.size();
        auto keys = channel.times.size();
        while (keys > 1 && channel.times[keys - 1] > clip.duration + 1e-4)
            --keys;
        channel.times.resize(keys);
        channel.values.resize(keys * width);
    }
}

inline bool has_rule(const std::vector<Finding>& findings, Rule rule, const std::string& path)
{
    return std::ranges::any_of(findings, [&](const Finding& f) { return f.rule == rule && f.path == path; });
}

} // namespace vitrine::scene
