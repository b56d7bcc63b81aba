// A walking robot: rigid parts on a skeleton. Faces +Z; 1.9 m tall.

#include <algorithm>
#include <cmath>

#include <glm/gtc/matrix_transform.hpp>

#include "server/samples/models.hpp"
#include "server/samples/primitive_shapes.hpp"
#include "server/samples/procedural_texture.hpp"
#include "server/samples/rig.hpp"

namespace vitrine::samples {

namespace {

constexpr float hip_height = 0.90f;
constexpr float knee_height = 0.49f;
constexpr float ankle_height = 0.09f;
constexpr float hip_width = 0.13f;

enum RobotMaterial : std::uint32_t { shell, frame, metal, visor, light, accent };

std::vector<scene::Material> robot_materials()
{
    std::vector<scene::Material> looks(6);
    const auto set = [&](RobotMaterial look, const char* name, glm::vec3 srgb, float metallic,
                         float roughness) {
        looks[look].name = name;
        looks[look].base_color = linear(srgb);
        looks[look].metallic = metallic;
        looks[look].roughness = roughness;
    };
    set(shell, "robot_shell", rgb(255, 255, 255), 0.0f, 0.38f);
    looks[shell].base_color_texture.image = 0;
    set(frame, "robot_frame", rgb(52, 56, 64), 0.35f, 0.55f);
    set(metal, "robot_metal", rgb(188, 192, 198), 0.9f, 0.32f);
    set(visor, "robot_visor", rgb(18, 20, 26), 0.0f, 0.08f);
    set(light, "robot_light", rgb(120, 235, 255), 0.0f, 0.4f);
    looks[light].emissive = {0.35f, 1.6f, 2.0f};
    set(accent, "robot_accent", rgb(245, 240, 228), 0.0f, 0.45f);
    return looks;
}

// Painted sheet metal: orange with faint brush strokes and worn edges along the border of each face.
glm::vec3 shell_paint(glm::vec2 uv)
{
    const float border = std::min({uv.x, uv.y, 1.0f - uv.x, 1.0f - uv.y});
    const float wear = glm::smoothstep(
        0.62f, 0.74f, fbm(uv * 14.0f, 4) + 0.9f * glm::smoothstep(0.10f, 0.0f, border) - 0.55f);
    const float strokes = 0.96f + 0.06f * fbm({uv.x * 4.0f, uv.y * 60.0f}, 3);
    return glm::mix(rgb(232, 104, 42) * strokes, rgb(250, 206, 160), 0.5f * wear);
}

void add_limbs(Rig& rig, const char* side, float x, std::uint32_t pelvis, std::uint32_t chest)
{
    const auto name = [&](const char* part) { return std::string(part) + "." + side; };
    const auto thigh = rig.joint(name("thigh"), pelvis, {x * hip_width, hip_height, 0});
    const auto shin = rig.joint(name("shin"), thigh, {x * hip_width, knee_height, 0});
    const auto foot = rig.joint(name("foot"), shin, {x * hip_width, ankle_height, 0});
    rig.joint(name("toe"), foot, {x * hip_width, 0.03f, 0.13f});
    const auto shoulder = rig.joint(name("shoulder"), chest, {x * 0.20f, 1.43f, 0});
    const auto upper = rig.joint(name("upper_arm"), shoulder, {x * 0.31f, 1.42f, 0});
    const auto fore = rig.joint(name("forearm"), upper, {x * 0.33f, 1.13f, 0});
    rig.joint(name("hand"), fore, {x * 0.33f, 0.86f, 0});
}

Rig robot_rig()
{
    Rig rig;
    const auto root = rig.joint("root", scene::none, {0, 0, 0});
    const auto pelvis = rig.joint("pelvis", root, {0, 0.95f, 0});
    const auto spine = rig.joint("spine", pelvis, {0, 1.08f, 0});
    const auto chest = rig.joint("chest", spine, {0, 1.22f, 0});
    const auto neck = rig.joint("neck", chest, {0, 1.53f, 0});
    rig.joint("head", neck, {0, 1.60f, 0});
    add_limbs(rig, "L", 1.0f, pelvis, chest);
    add_limbs(rig, "R", -1.0f, pelvis, chest);
    return rig;
}

// A cylinder along the limb's axis of rotation: shoulder, elbow, hip, knee.
MeshShape hinge(float radius, float width, glm::vec3 at)
{
    return transformed(cylinder(radius, width, 0.012f), moved(at) * turned(90, {0, 0, 1}));
}

MeshShape box(glm::vec3 size, float radius, glm::vec3 at)
{
    return transformed(rounded_box(size, radius), moved(at));
}

void add_head(ShapeBuilder& mesh, const Rig& rig)
{
    const auto head = rig.find("head");
    mesh.add(transformed(cylinder(0.055f, 0.12f, 0.01f), moved({0, 1.56f, 0})), frame, rig.find("neck"));
    mesh.add(box({0.30f, 0.25f, 0.27f}, 0.085f, {0, 1.73f, 0}), shell, head);
    mesh.add(box({0.25f, 0.13f, 0.06f}, 0.028f, {0, 1.735f, 0.125f}), visor, head);
    for (const float x : {-0.062f, 0.062f})
        mesh.add(transformed(sphere(0.027f),
                             moved({x, 1.74f, 0.148f}) * glm::scale(glm::mat4(1.0f), {1, 1.25f, 0.5f})),
                 light, head);
    for (const float x : {-1.0f, 1.0f})
        mesh.add(hinge(0.055f, 0.05f, {x * 0.165f, 1.73f, 0}), metal, head);
    mesh.add(transformed(cylinder(0.008f, 0.13f, 0.003f, 12), moved({0.10f, 1.90f, -0.04f})), metal, head);
    mesh.add(transformed(sphere(0.022f), moved({0.10f, 1.97f, -0.04f})), light, head);
}

void add_torso(ShapeBuilder& mesh, const Rig& rig)
{
    const auto chest = rig.find("chest");
    mesh.add(box({0.40f, 0.30f, 0.27f}, 0.075f, {0, 1.37f, 0}), shell, chest);
    mesh.add(box({0.20f, 0.13f, 0.05f}, 0.022f, {0, 1.40f, 0.125f}), accent, chest);
    mesh.add(transformed(cylinder(0.035f, 0.03f, 0.008f), moved({0, 1.40f, 0.152f}) * turned(90, {1, 0, 0})),
             light, chest);
    mesh.add(box({0.26f, 0.22f, 0.10f}, 0.03f, {0, 1.38f, -0.155f}), frame, chest);
    for (const float x : {-0.06f, 0.06f})
        mesh.add(transformed(cylinder(0.03f, 0.14f, 0.008f), moved({x, 1.30f, -0.20f})), metal, chest);
    for (int ring = 0; ring < 4; ++ring)
        mesh.add(transformed(cylinder(0.105f - 0.006f * static_cast<float>(ring % 2), 0.045f, 0.014f),
                             moved({0, 1.055f + 0.045f * static_cast<float>(ring), 0})),
                 frame, rig.find(ring < 2 ? "spine" : "chest"));
    mesh.add(box({0.29f, 0.14f, 0.22f}, 0.05f, {0, 0.955f, 0}), shell, rig.find("pelvis"));
    mesh.add(box({0.10f, 0.12f, 0.03f}, 0.012f, {0, 0.945f, 0.11f}), accent, rig.find("pelvis"));
}

void add_leg(ShapeBuilder& mesh, const Rig& rig, const std::string& side, float x)
{
    const auto thigh = rig.find("thigh" + side), shin = rig.find("shin" + side),
               foot = rig.find("foot" + side);
    const float at = x * hip_width;
    mesh.add(hinge(0.075f, 0.12f, {at, hip_height, 0}), metal, thigh);
    mesh.add(box({0.12f, 0.27f, 0.14f}, 0.045f, {at, 0.69f, 0}), shell, thigh);
    mesh.add(hinge(0.058f, 0.135f, {at, knee_height, 0}), metal, shin);
    mesh.add(box({0.115f, 0.30f, 0.135f}, 0.04f, {at, 0.29f, 0}), accent, shin);
    mesh.add(box({0.07f, 0.12f, 0.03f}, 0.012f, {at, 0.34f, 0.065f}), shell, shin);
    mesh.add(hinge(0.045f, 0.11f, {at, ankle_height, 0}), metal, foot);
    mesh.add(box({0.13f, 0.075f, 0.20f}, 0.03f, {at, 0.0375f, 0.02f}), frame, foot);
    mesh.add(box({0.13f, 0.06f, 0.10f}, 0.028f, {at, 0.03f, 0.165f}), shell, rig.find("toe" + side));
}

void add_arm(ShapeBuilder& mesh, const Rig& rig, const std::string& side, float x)
{
    const auto upper = rig.find("upper_arm" + side), fore = rig.find("forearm" + side),
               hand = rig.find("hand" + side);
    mesh.add(hinge(0.05f, 0.10f, {x * 0.24f, 1.42f, 0}), metal, rig.find("shoulder" + side));
    mesh.add(transformed(sphere(0.088f), moved({x * 0.31f, 1.42f, 0})), shell, upper);
    mesh.add(box({0.085f, 0.22f, 0.095f}, 0.035f, {x * 0.325f, 1.27f, 0}), frame, upper);
    mesh.add(hinge(0.046f, 0.105f, {x * 0.33f, 1.13f, 0}), metal, fore);
    mesh.add(box({0.105f, 0.22f, 0.12f}, 0.04f, {x * 0.33f, 0.985f, 0}), shell, fore);
    mesh.add(transformed(cylinder(0.036f, 0.04f, 0.008f), moved({x * 0.33f, 0.865f, 0})), metal, hand);
    mesh.add(box({0.055f, 0.09f, 0.09f}, 0.022f, {x * 0.33f, 0.81f, 0}), frame, hand);
    for (const float z : {-0.03f, 0.0f, 0.03f})
        mesh.add(box({0.026f, 0.085f, 0.024f}, 0.010f, {x * 0.335f, 0.735f, z}), accent, hand);
    mesh.add(box({0.024f, 0.06f, 0.026f}, 0.010f, {x * 0.295f, 0.775f, 0.045f}), accent, hand);
}

// Position of one foot during a step: phase 0..1, on the ground for the first 60 %.
struct FootStep {
    float ankle_z, ankle_y, pitch; // meters; pitch in degrees, toes up positive
};

FootStep step_at(float phase)
{
    constexpr float ground = 0.6f, reach = 0.24f;
    phase -= std::floor(phase);
    if (phase < ground) {
        const float t = phase / ground;
        const float roll = glm::smoothstep(0.62f, 1.0f, t); // the heel leaves the ground before the toe
        return {reach - 2.0f * reach * t, ankle_height + 0.075f * roll,
                12.0f * (1.0f - glm::smoothstep(0.0f, 0.18f, t)) - 30.0f * roll};
    }
    const float t = (phase - ground) / (1.0f - ground);
    const float swing = t * t * (3.0f - 2.0f * t);
    return {-reach + 2.0f * reach * swing,
            ankle_height + 0.075f * (1.0f - t) * (1.0f - t) + 0.12f * std::sin(pi * t),
            glm::mix(-30.0f, 12.0f, glm::smoothstep(0.0f, 0.8f, t))};
}

// Two-bone leg: angles about x that put the ankle `down` below and `ahead` of the hip, knee forward.
struct Leg {
    float thigh, knee; // degrees
};

Leg reach_for(float ahead, float down)
{
    const float a = hip_height - knee_height, b = knee_height - ankle_height;
    const float distance = std::clamp(std::hypot(ahead, down), 0.1f, 0.999f * (a + b));
    const float inner =
        std::acos(std::clamp((a * a + b * b - distance * distance) / (2 * a * b), -1.0f, 1.0f));
    const float lift =
        std::acos(std::clamp((a * a + distance * distance - b * b) / (2 * a * distance), -1.0f, 1.0f));
    const float aim = std::atan2(ahead, down);
    return {-glm::degrees(aim + lift), glm::degrees(pi - inner)};
}

scene::Clip make_walk(const Rig& rig)
{
    constexpr float period = 1.1f;
    Motion walk("walk", period, 30.0);
    const auto turn = [](float t) { return 2.0f * pi * t / period; };
    const auto drop = [turn](float t) { return -0.035f + 0.018f * std::cos(2.0f * turn(t) - 0.9f); };
    walk.translate(rig.find("pelvis"),
                   [=](float t) { return glm::vec3(0.018f * std::sin(turn(t)), 0.95f + drop(t), 0); });
    walk.rotate(rig.find("pelvis"),
                [=](float t) { return euler(3, 7 * std::cos(turn(t)), 2.5f * std::sin(turn(t))); });
    walk.rotate(rig.find("spine"),
                [=](float t) { return euler(2, -6 * std::cos(turn(t)), -2 * std::sin(turn(t))); });
    walk.rotate(rig.find("chest"),
                [=](float t) { return euler(1, -7 * std::cos(turn(t)), -1.5f * std::sin(turn(t))); });
    walk.rotate(rig.find("head"), [=](float t) {
        return euler(-5 + 1.5f * std::cos(2 * turn(t)), 5 * std::cos(turn(t)), 1.2f * std::sin(turn(t)));
    });
    for (const auto& [side, offset] : {std::pair<std::string, float>{".L", 0.0f}, {".R", 0.5f}}) {
        const auto leg = [drop, offset](float t) {
            const auto step = step_at(t / period + offset);
            return std::pair{reach_for(step.ankle_z, hip_height + drop(t) - step.ankle_y), step.pitch};
        };
        walk.rotate(rig.find("thigh" + side), [=](float t) { return euler(leg(t).first.thigh - 3, 0, 0); });
        walk.rotate(rig.find("shin" + side), [=](float t) { return euler(leg(t).first.knee, 0, 0); });
        walk.rotate(rig.find("foot" + side), [=](float t) {
            const auto [bend, pitch] = leg(t);
            return euler(-bend.thigh - bend.knee - pitch, 0, 0);
        });
        walk.rotate(rig.find("toe" + side),
                    [=](float t) { return euler(std::min(0.0f, leg(t).second), 0, 0); });
        const float swing = offset == 0.0f ? 1.0f : -1.0f;
        walk.rotate(rig.find("upper_arm" + side),
                    [=](float t) { return euler(4 + 30 * swing * std::cos(turn(t)), 0, 5 * swing); });
        walk.rotate(rig.find("forearm" + side),
                    [=](float t) { return euler(-32 + 14 * swing * std::cos(turn(t) - 0.3f), 0, 0); });
    }
    return walk.finish();
}

scene::Clip make_wave(const Rig& rig)
{
    constexpr float length = 3.0f;
    Motion wave("wave", length, 30.0);
    const auto raised = [](float t) {
        return glm::smoothstep(0.1f, 0.7f, t) * (1.0f - glm::smoothstep(2.3f, 2.9f, t));
    };
    const auto frame_interval = [=](float t) { return raised(t) * std::sin(2.0f * pi * 1.8f * (t - 0.6f)); };
    wave.rotate(rig.find("upper_arm.R"),
                [=](float t) { return euler(-12 * raised(t), 0, -5 - 115 * raised(t)); });
    wave.rotate(rig.find("forearm.R"), [=](float t) {
        return euler(-8, 0, (-38 + 26 * frame_interval(t) / std::max(raised(t), 0.01f)) * raised(t));
    });
    wave.rotate(rig.find("hand.R"), [=](float t) { return euler(0, 0, 14 * frame_interval(t)); });
    wave.rotate(rig.find("upper_arm.L"), [=](float t) { return euler(3, 0, 6 + 3 * raised(t)); });
    wave.rotate(rig.find("forearm.L"), [=](float t) { return euler(-14 - 6 * raised(t), 0, 0); });
    wave.rotate(rig.find("chest"), [=](float t) {
        return euler(-2 * raised(t), -7 * raised(t), 3 * raised(t) + 1.2f * frame_interval(t));
    });
    wave.rotate(rig.find("head"), [=](float t) {
        return euler(-4 * raised(t), 6 * raised(t), -9 * raised(t) + 2 * frame_interval(t));
    });
    wave.translate(rig.find("pelvis"),
                   [=](float t) { return glm::vec3(0.012f * raised(t), 0.95f - 0.004f * raised(t), 0); });
    return wave.finish();
}

scene::Clip make_idle(const Rig& rig)
{
    constexpr float length = 4.0f;
    Motion idle("idle", length, 10.0);
    const auto breath = [](float t) { return std::sin(2.0f * pi * t / length); };
    const auto look = [](float t) { return glm::smoothstep(0.8f, 1.4f, t) - glm::smoothstep(2.4f, 3.0f, t); };
    idle.rotate(rig.find("chest"), [=](float t) { return euler(1.6f * breath(t), 0, 0); });
    idle.rotate(rig.find("head"), [=](float t) { return euler(-2 * breath(t), 24 * look(t), 4 * look(t)); });
    for (const auto& [side, sign] : {std::pair<std::string, float>{".L", 1.0f}, {".R", -1.0f}}) {
        idle.rotate(rig.find("upper_arm" + side),
                    [=](float t) { return euler(3, 0, sign * (7 + 1.5f * breath(t))); });
        idle.rotate(rig.find("forearm" + side), [=](float t) { return euler(-16 - 2 * breath(t), 0, 0); });
    }
    return idle.finish();
}

} // namespace

scene::Scene make_robot()
{
    const auto rig = robot_rig();
    ShapeBuilder mesh;
    add_head(mesh, rig);
    add_torso(mesh, rig);
    for (const auto& [side, x] : {std::pair<std::string, float>{".L", 1.0f}, {".R", -1.0f}}) {
        add_leg(mesh, rig, side, x);
        add_arm(mesh, rig, side, x);
    }
    scene::Scene robot;
    robot.materials = robot_materials();
    robot.images.push_back(painted("robot_shell", 256, 256, shell_paint));
    robot.meshes.push_back(mesh.finish("robot"));
    rig.build(robot, "robot");
    robot.clips = {make_walk(rig), make_wave(rig), make_idle(rig)};
    return robot;
}

} // namespace vitrine::samples
