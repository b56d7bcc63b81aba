#include "tests/support/humanoid/humanoid_motion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace vitrine::test {
namespace {

constexpr glm::vec3 x_axis(1, 0, 0), y_axis(0, 1, 0), z_axis(0, 0, 1);
constexpr float foot_apart = 0.12f; // of the toes from the middle, in lengths of the leg

glm::quat about(const glm::vec3& axis, double degrees)
{
    return glm::angleAxis(static_cast<float>(glm::radians(degrees)), axis);
}

float wave(double turns)
{
    return static_cast<float>(std::sin(2.0 * std::numbers::pi * turns));
}

float smooth(double t)
{
    const double x = std::clamp(t, 0.0, 1.0);
    return static_cast<float>(x * x * (3.0 - 2.0 * x));
}

// Arms hang at the sides, forward by `swing` degrees, elbows bent.
void hang_arms(BodyState& body, double swing, double elbow)
{
    for (std::size_t side = 0; side < 2; ++side) {
        const double sign = side == 0 ? 1.0 : -1.0;
        const auto down = about(z_axis, -70.0 * sign);
        const auto forward = body.hips_turn * about(x_axis, -swing * sign);
        body.upper_arms[side] = forward * down;
        body.lower_arms[side] = forward * about(x_axis, -elbow) * down;
        body.hands[side] = body.lower_arms[side] * about(x_axis, 10.0 * sign);
    }
}

// One cycle per second: the foot stands during `stance` of it, `stride` lengths of the leg per cycle.
FootState step(double phase, double stance, double stride, double lift)
{
    const double cycle = std::floor(phase), in_cycle = phase - cycle;
    FootState foot;
    foot.stands = in_cycle < stance;
    const double swing = (in_cycle - stance) / (1.0 - stance);
    const double at = cycle + (foot.stands ? 0.0 : double{smooth(swing)});
    foot.toes.z = static_cast<float>(stride * (at + stance / 2.0));
    if (!foot.stands) foot.toes.y = static_cast<float>(lift * std::sin(std::numbers::pi * swing));
    const double raised =
        foot.stands ? smooth((in_cycle - 0.6 * stance) / (0.4 * stance)) : 1.0 - smooth(1.5 * swing);
    foot.turn = about(x_axis, 35.0 * raised);
    return foot;
}

void walk(BodyState& body, double t, double stance, double stride, double lift)
{
    body.hips = {0.02f * wave(t), 0.88f + 0.015f * wave(2.0 * t), static_cast<float>(stride * t)};
    body.hips_turn = about(y_axis, 6.0 * wave(t));
    body.chest = about(y_axis, -8.0 * wave(t)) * about(x_axis, 4.0);
    hang_arms(body, 25.0 * wave(t), 20.0);
    for (std::size_t side = 0; side < 2; ++side) {
        auto& foot = body.feet[side];
        const double offset = side == 0 ? 0.0 : 0.5;
        foot = step(t + offset, stance, stride, lift);
        foot.toes.z += 0.1f - static_cast<float>(stride * offset);
        foot.toes.x = side == 0 ? foot_apart : -foot_apart;
    }
}

// The feet stand beside each other.
void stand(BodyState& body)
{
    for (std::size_t side = 0; side < 2; ++side)
        body.feet[side].toes = {side == 0 ? foot_apart : -foot_apart, 0.0f, 0.15f};
    body.hips = {0.0f, 0.96f, 0.0f};
    hang_arms(body, 0.0, 10.0);
}

void run_in_place(BodyState& body, double t)
{
    walk(body, 1.5 * t, 0.4, 0.9, 0.2);
    const float moved = static_cast<float>(0.9 * 1.5 * t);
    body.hips.z -= moved;
    for (auto& foot : body.feet)
        foot.toes.z -= moved;
}

void jump(BodyState& body, double t)
{
    stand(body);
    const double air = std::clamp((t - 0.7) / 0.6, 0.0, 1.0);
    const float height = static_cast<float>(0.35 * 4.0 * air * (1.0 - air));
    const float crouch = smooth(t / 0.6) * (1.0f - smooth((t - 0.6) / 0.1)) +
                         smooth((t - 1.3) / 0.1) * (1.0f - smooth((t - 1.5) / 0.4));
    body.hips.y += height - 0.25f * crouch;
    for (auto& foot : body.feet) {
        foot.stands = air <= 0.0 || air >= 1.0;
        foot.toes.y = height;
    }
    body.chest = about(x_axis, 25.0 * crouch);
    hang_arms(body, 0.0, 30.0);
}

// Half a turn in four steps, one foot at a time.
void turn(BodyState& body, double t)
{
    stand(body);
    const auto angle_at = [](double time, std::size_t side) {
        double angle = 0.0;
        for (int i = 0; i < 2; ++i)
            angle += 90.0 * smooth((time - 0.25 - i - 0.5 * static_cast<double>(side)) / 0.35);
        return angle;
    };
    body.hips_turn = about(y_axis, 0.5 * (angle_at(t, 0) + angle_at(t, 1)));
    body.chest = body.hips_turn * about(y_axis, 10.0 * wave(t));
    for (std::size_t side = 0; side < 2; ++side) {
        auto& foot = body.feet[side];
        const double angle = angle_at(t, side);
        foot.turn = about(y_axis, angle);
        const double in_step = std::fmod(t - 0.25 - 0.5 * static_cast<double>(side) + 10.0, 1.0) / 0.35;
        foot.stands = !(t > 0.25 + 0.5 * static_cast<double>(side) && in_step < 1.0);
        foot.toes = foot.turn * foot.toes;
        if (!foot.stands) foot.toes.y = static_cast<float>(0.08 * std::sin(std::numbers::pi * in_step));
    }
    body.hips.y = 0.9f;
    hang_arms(body, 0.0, 15.0);
    body.head = body.chest;
}

void kick(BodyState& body, double t)
{
    stand(body);
    const float out = smooth((t - 0.4) / 0.4) * (1.0f - smooth((t - 1.2) / 0.4));
    auto& foot = body.feet[1];
    foot.toes += glm::vec3(-0.05f, 0.45f, 0.6f) * out;
    foot.turn = about(x_axis, -50.0 * out);
    foot.stands = out == 0.0f;
    body.hips += glm::vec3(0.1f, -0.02f, 0.0f) * out;
    body.chest = about(x_axis, -12.0 * out);
}

void dance(BodyState& body, double t)
{
    stand(body);
    body.hips += glm::vec3(0.08f * wave(t), -0.08f, 0.03f * wave(2.0 * t));
    body.hips_turn = about(z_axis, 8.0 * wave(t)) * about(y_axis, 15.0 * wave(t));
    body.chest = about(y_axis, -25.0 * wave(t)) * about(z_axis, -10.0 * wave(t));
    for (std::size_t side = 0; side < 2; ++side) {
        const double sign = side == 0 ? 1.0 : -1.0;
        body.upper_arms[side] =
            body.chest * about(z_axis, sign * (30.0 + 30.0 * wave(t))) * about(y_axis, -sign * 20.0);
        body.lower_arms[side] =
            body.upper_arms[side] * about(y_axis, -sign * 70.0) * about(x_axis, 30.0 * wave(t));
        body.hands[side] = body.lower_arms[side] * about(z_axis, sign * 20.0);
    }
}

} // namespace

BodyState body_state(std::size_t motion, double t)
{
    BodyState body;
    body.upper_arms.fill(glm::quat(1, 0, 0, 0));
    body.lower_arms = body.hands = body.upper_arms;
    stand(body);
    switch (motion) {
    case 0: body.chest = about(x_axis, 3.0 * wave(t / 2.0)); break;
    case 1: walk(body, t, 0.6, 1.0, 0.1); break;
    case 2: walk(body, 1.5 * t, 0.4, 1.2, 0.2); break;
    case 3: run_in_place(body, t); break;
    case 4: jump(body, t); break;
    case 5:
        body.upper_arms[1] = about(z_axis, -50.0);
        body.lower_arms[1] = about(z_axis, -90.0 - 25.0 * wave(2.0 * t));
        body.hands[1] = body.lower_arms[1];
        break;
    case 6: turn(body, t); break;
    case 7:
        body.hips.y = 0.7f + 0.25f * wave(t / 2.0 + 0.25);
        body.hips.z = -0.1f;
        body.chest = about(x_axis, 20.0);
        break;
    case 8: kick(body, t); break;
    default: dance(body, t); break;
    }
    return body;
}

const char* motion_name(std::size_t motion)
{
    constexpr const char* names[] = {"idle", "walk", "run",   "run in place", "jump",
                                     "wave", "turn", "squat", "kick",         "dance"};
    return names[motion];
}

} // namespace vitrine::test
