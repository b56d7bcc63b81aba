// A tentacle that curls and sways: every vertex has up to seven influences.

#include <algorithm>
#include <cmath>

#include <glm/gtc/matrix_transform.hpp>

#include "server/samples/models.hpp"
#include "server/samples/primitive_shapes.hpp"
#include "server/samples/procedural_texture.hpp"
#include "server/samples/rig.hpp"

namespace vitrine::samples {

namespace {

constexpr int tentacle_joints = 14;
constexpr float tentacle_height = 1.6f;
constexpr float tentacle_foot = 0.12f; // where the flexible part begins

enum TentacleMaterial : std::uint32_t { tentacle_skin, sucker, rock };

float joint_height(int joint)
{
    return tentacle_foot + (tentacle_height - tentacle_foot) * static_cast<float>(joint) / tentacle_joints;
}

float radius(float t)
{
    return t >= 1.0f ? 0.0f
                     : 0.17f * std::pow(1.0f - 0.93f * t, 0.85f) * std::sqrt(1.0f - std::pow(t, 24.0f));
}

// Bell-shaped weights around a height, wide enough for seven joints.
PointWeights bell(glm::vec3 at)
{
    const float place =
        std::clamp((at.y - tentacle_foot) / (tentacle_height - tentacle_foot) * tentacle_joints - 0.5f, 0.0f,
                   tentacle_joints - 1.0f);
    const int nearest = static_cast<int>(std::lround(place));
    PointWeights weights;
    float total = 0.0f;
    for (int joint = std::max(0, nearest - 3); joint <= std::min(tentacle_joints - 1, nearest + 3); ++joint) {
        const float away = (place - static_cast<float>(joint)) / 1.3f;
        const float weight = std::exp(-away * away);
        weights.emplace_back(static_cast<std::uint16_t>(joint), weight);
        total += weight;
    }
    for (auto& [joint, weight] : weights)
        weight /= total;
    return weights;
}

glm::vec3 tentacle_paint(glm::vec2 uv)
{
    const float along = uv.y;
    glm::vec3 color = glm::mix(rgb(96, 36, 112), rgb(214, 74, 128),
                               along * 0.9f + 0.25f * fbm_around({uv.x * 6, along * 14}, 4, 6));
    const float spots = fbm_around({uv.x * 16.0f, along * 44.0f}, 2, 16);
    color = glm::mix(color, rgb(255, 176, 150), 0.75f * glm::smoothstep(0.66f, 0.74f, spots));
    const float under = glm::smoothstep(0.62f, 0.80f, 0.5f + 0.5f * std::cos(2.0f * pi * (uv.x - 0.75f)));
    return glm::mix(color, rgb(250, 206, 190), under);
}

glm::vec3 rock_paint(glm::vec2 uv)
{
    const float grain = fbm_around({uv.x * 8, uv.y * 6}, 5, 8);
    return glm::mix(rgb(74, 78, 84), rgb(150, 146, 138), grain);
}

Rig tentacle_rig()
{
    Rig rig;
    for (int i = 0; i < tentacle_joints; ++i)
        rig.joint("link." + std::to_string(i), i == 0 ? scene::none : static_cast<std::uint32_t>(i - 1),
                  {0, joint_height(i), 0});
    return rig;
}

void add_suckers(ShapeBuilder& mesh)
{
    const std::vector<glm::vec2> ring{{0.0f, 0.35f},  {0.35f, 0.3f}, {0.62f, 0.55f}, {0.8f, 0.62f},
                                      {0.95f, 0.45f}, {1.0f, 0.1f},  {0.9f, -0.3f}};
    std::vector<glm::vec2> upward(ring.rbegin(), ring.rend());
    for (int i = 0; i < 18; ++i) {
        const float t = 0.10f + 0.84f * std::pow(static_cast<float>(i) / 17.0f, 0.92f);
        const float size = 0.26f * radius(t) + 0.004f;
        for (const float side : {-1.0f, 1.0f}) {
            const float angle = 0.42f * side;
            const glm::vec3 out(std::sin(angle), 0, std::cos(angle));
            const auto place = moved(glm::vec3(0, tentacle_foot + (tentacle_height - tentacle_foot) * t, 0) +
                                     out * (radius(t) * 0.96f));
            const auto aim = turned(glm::degrees(angle), {0, 1, 0}) * turned(90, {1, 0, 0});
            mesh.add(
                transformed(lathe(upward, 16), place * aim * glm::scale(glm::mat4(1.0f), glm::vec3(size))),
                sucker, bell);
        }
    }
}

scene::Clip make_curl(const Rig& rig, const char* name, float period, float bend, float sway)
{
    Motion curl(name, period, 15.0);
    for (int i = 0; i < tentacle_joints; ++i) {
        const float place = static_cast<float>(i) / (tentacle_joints - 1);
        curl.rotate(rig.find("link." + std::to_string(i)), [=](float t) {
            const float turn = 2.0f * pi * t / period;
            const float forward = bend * place * (0.62f - 0.38f * std::cos(turn - 1.9f * place));
            return euler(forward, 0, sway * std::sin(turn - 2.6f * place) * (0.35f + place));
        });
    }
    return curl.finish();
}

std::vector<scene::Material> tentacle_materials()
{
    std::vector<scene::Material> looks(3);
    looks[tentacle_skin].name = "tentacle_skin";
    looks[tentacle_skin].roughness = 0.25f;
    looks[tentacle_skin].base_color_texture.image = 0;
    looks[sucker].name = "tentacle_sucker";
    looks[sucker].base_color = linear(rgb(252, 214, 198));
    looks[sucker].roughness = 0.35f;
    looks[rock].name = "tentacle_rock";
    looks[rock].roughness = 0.9f;
    looks[rock].base_color_texture.image = 1;
    return looks;
}

MeshShape make_rock()
{
    auto shape = transformed(sphere(0.30f, 40), glm::scale(glm::mat4(1.0f), {1.0f, 0.5f, 1.0f}));
    for (auto& p : shape.positions) {
        const float bump = 0.75f + 0.5f * fbm({p.x * 9.0f + 31.0f, p.z * 9.0f + 17.0f + p.y * 5.0f}, 3);
        p = glm::vec3(p.x * bump, std::max(0.0f, p.y * bump + 0.06f), p.z * bump);
    }
    return shape;
}

} // namespace

scene::Scene make_tentacle()
{
    const auto rig = tentacle_rig();
    ShapeBuilder mesh;
    const auto axis = [](float t) {
        return glm::vec3(0, tentacle_foot - 0.06f + (tentacle_height - tentacle_foot + 0.06f) * t, 0);
    };
    mesh.add(tube(axis, radius, 110, 36), tentacle_skin, bell);
    add_suckers(mesh);
    mesh.add(make_rock(), rock,
             [](glm::vec3) { return PointWeights{}; }); // no weights: rigid, moves with the node
    scene::Scene tentacle;
    tentacle.materials = tentacle_materials();
    tentacle.images.push_back(painted("tentacle_skin", 512, 512, tentacle_paint));
    tentacle.images.push_back(painted("tentacle_rock", 256, 256, rock_paint));
    tentacle.meshes.push_back(mesh.finish("tentacle"));
    rig.build(tentacle, "tentacle");
    tentacle.clips = {make_curl(rig, "curl", 4.0f, 34.0f, 7.0f), make_curl(rig, "sway", 3.0f, 9.0f, 11.0f)};
    return tentacle;
}

} // namespace vitrine::samples
