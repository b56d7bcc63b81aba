#pragma once
// A small rig with a clip that functions of time describe.

#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/scene/scene.hpp"

namespace vitrine::test {

inline constexpr double two_pi = 2.0 * std::numbers::pi;

// A walker of 1.8 m: hips at 1 m, a head, a thigh and a foot at each side. Joints have no rotation of their
// own unless `turn` or `swing` gives them one.
struct Walker {
    std::function<glm::dvec3(double)> hips = [](double) { return glm::dvec3(0, 1, 0); };
    std::function<double(double)> turn{};  // degrees about Y
    std::function<double(double)> swing{}; // degrees about X, of the head and the feet
    std::function<glm::dvec3(double)> left = [](double) {
        return glm::dvec3(0.1, -1, 0);
    }; // foot, from the hips
    std::function<glm::dvec3(double)> right = [](double) { return glm::dvec3(-0.1, -1, 0); };
    double duration = 1.0;
    double rate = 30.0;

    scene::Scene make() const
    {
        scene::Scene scene;
        const auto add = [&](std::string name, std::uint32_t parent, glm::vec3 at) {
            scene.nodes.push_back({.name = std::move(name), .parent = parent, .local = {.translation = at}});
        };
        add("hips", scene::none, {0, 1, 0});
        add("head", 0, {0, 0.8f, 0});
        add("foot.L", 0, {0.1f, -1, 0});
        add("foot.R", 0, {-0.1f, -1, 0});
        add("IK-foot.L", 0, {0.1f, -1, 0});
        scene.skins.push_back(
            {.joints = {0, 1, 2, 3, 4}, .inverse_bind = std::vector<glm::mat4>(5, glm::mat4(1))});
        scene::Clip clip{.name = "walk", .duration = duration, .frame_rate = rate, .channels = {}};
        add_track(clip, 0, hips);
        add_track(clip, 2, left);
        add_track(clip, 3, right);
        if (turn) add_rotation(clip, 0, {0, 1, 0}, turn);
        if (swing)
            for (const std::uint32_t node : {1u, 2u, 3u})
                add_rotation(clip, node, {1, 0, 0}, swing);
        scene.clips.push_back(std::move(clip));
        return scene;
    }

private:
    std::vector<double> times() const
    {
        std::vector<double> all;
        for (double i = 0.0; i <= std::round(duration * rate); ++i)
            all.push_back(i / rate);
        return all;
    }
    void add_track(scene::Clip& clip, std::uint32_t node, const std::function<glm::dvec3(double)>& at) const
    {
        scene::Channel channel{.node = node, .path = scene::Path::translation, .times = {}, .values = {}};
        for (const double time : times()) {
            const auto p = at(time);
            channel.times.push_back(static_cast<float>(time));
            for (int i = 0; i < 3; ++i)
                channel.values.push_back(static_cast<float>(p[i]));
        }
        clip.channels.push_back(std::move(channel));
    }
    void add_rotation(scene::Clip& clip, std::uint32_t node, glm::dvec3 axis,
                      const std::function<double(double)>& degrees) const
    {
        scene::Channel channel{.node = node, .path = scene::Path::rotation, .times = {}, .values = {}};
        for (const double time : times()) {
            const double half = glm::radians(degrees(time)) / 2.0;
            const glm::dvec3 imaginary = axis * std::sin(half);
            channel.times.push_back(static_cast<float>(time));
            for (const double x : {imaginary.x, imaginary.y, imaginary.z, std::cos(half)})
                channel.values.push_back(static_cast<float>(x));
        }
        clip.channels.push_back(std::move(channel));
    }
};

// The way of a foot below hips that move by `speed`: on the ground for the first half of the period, then
// lifted and carried forward. `phase` in periods.
inline std::function<glm::dvec3(double)> stepping(double side, double speed, double period, double phase)
{
    return [=](double time) {
        const double cycle = std::fmod(time / period + phase, 1.0);
        const double stride = speed * period / 2.0; // relative to the hips, while the foot stands
        if (cycle < 0.5) return glm::dvec3(side, -1.0, stride * (0.5 - 2.0 * cycle));
        const double swing = (cycle - 0.5) * 2.0;
        return glm::dvec3(side, -1.0 + 0.2 * std::sin(std::numbers::pi * swing), stride * (swing - 0.5));
    };
}

} // namespace vitrine::test
