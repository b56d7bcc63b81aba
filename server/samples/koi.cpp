// A swimming koi: smooth weights along a spine, procedural skin texture. Faces +Z; 0.7 m long.

#include <algorithm>
#include <array>
#include <cmath>

#include <glm/gtc/matrix_transform.hpp>

#include "server/samples/models.hpp"
#include "server/samples/primitive_shapes.hpp"
#include "server/samples/procedural_texture.hpp"
#include "server/samples/rig.hpp"

namespace vitrine::samples {

namespace {

constexpr float nose = 0.34f;
constexpr float tail = -0.30f;
constexpr int spine_joints = 9;
constexpr float depth = 0.30f; // height of the body's axis above the ground

enum KoiMaterial : std::uint32_t { koi_skin, fin, eye_white, eye_black };

float spine_z(int joint)
{
    return glm::mix(0.20f, -0.34f, static_cast<float>(joint) / (spine_joints - 1));
}

// Returns half height and half width of the body, t from nose (0) to tail (1).
glm::vec2 body_size(float t)
{
    const float round =
        std::pow(std::max(0.0f, std::sin(pi * std::pow(std::clamp(t, 0.0f, 1.0f), 0.62f))), 0.72f);
    const float stem = 0.022f * glm::smoothstep(0.0f, 0.2f, t);
    return {std::max(0.105f * round, stem), std::max(0.072f * round, 0.4f * stem) * (1.0f - 0.25f * t)};
}

MeshShape koi_body()
{
    // u goes around from the belly over the right side and the back, v from nose to tail.
    return patch(
        [](float u, float v) {
            const auto size = body_size(v);
            const float around = 2.0f * pi * u;
            const float shape = v <= 0.0f || v >= 1.0f ? 0.0f : 1.0f;
            return glm::vec3(-size.y * std::sin(around) * shape, depth - size.x * std::cos(around) * shape,
                             glm::mix(nose, tail, v));
        },
        40, 56);
}

glm::vec3 koi_paint(glm::vec2 uv)
{
    const float back = 0.5f - 0.5f * std::cos(2.0f * pi * uv.x); // 0 belly, 1 back
    const float along = 1.0f - uv.y;
    glm::vec3 color =
        glm::mix(rgb(252, 240, 226), rgb(246, 226, 208), fbm_around({uv.x * 8, along * 12}, 3, 8));
    const float patch_of_red = fbm_around({uv.x * 4.0f, along * 5.0f + 3.7f}, 4, 4) + 0.28f * back - 0.18f;
    color = glm::mix(color, rgb(226, 74, 28), glm::smoothstep(0.47f, 0.50f, patch_of_red));
    const float patch_of_black = fbm_around({uv.x * 6.0f, along * 8.0f + 19.3f}, 4, 6) + 0.16f * back - 0.12f;
    color = glm::mix(color, rgb(34, 30, 36), glm::smoothstep(0.63f, 0.655f, patch_of_black));
    if (along > 0.24f) { // scales: rows of arcs, every second row shifted by half a scale
        const glm::vec2 grid(uv.x * 44.0f, along * 60.0f);
        const float row = std::floor(grid.y);
        const glm::vec2 cell(grid.x + 0.5f * std::fmod(row, 2.0f), grid.y);
        const auto part = cell - glm::floor(cell) - glm::vec2(0.5f, 0.0f);
        const float edge = std::abs(glm::length(part * glm::vec2(1.0f, 0.85f)) - 0.52f);
        color *= 1.0f - 0.16f * glm::smoothstep(0.10f, 0.0f, edge) * glm::smoothstep(0.24f, 0.32f, along);
    }
    const float gill = std::abs(along - 0.225f - 0.02f * std::cos(2.0f * pi * uv.x));
    return color * (1.0f - 0.35f * glm::smoothstep(0.010f, 0.0f, gill) * glm::smoothstep(0.1f, 0.35f, back));
}

// The two nearest joints along the spine with smoothed weights, so that segments blend without a crease.
PointWeights spine_weights(glm::vec3 at)
{
    const float place = (spine_z(0) - at.z) / (spine_z(0) - spine_z(spine_joints - 1)) * (spine_joints - 1);
    PointWeights weights;
    float total = 0.0f;
    const int nearest = std::clamp(static_cast<int>(std::lround(place)), 0, spine_joints - 1);
    for (int joint = std::max(0, nearest - 1); joint <= std::min(spine_joints - 1, nearest + 1); ++joint) {
        const float away = std::max(
            0.0f, 1.5f - std::abs(std::clamp(place, 0.0f, spine_joints - 1.0f) - static_cast<float>(joint)));
        if (away <= 0.0f) continue;
        weights.emplace_back(static_cast<std::uint16_t>(joint + 1), away * away);
        total += away * away;
    }
    for (auto& [joint, weight] : weights)
        weight /= total;
    return weights;
}

Rig koi_rig()
{
    Rig rig;
    rig.joint("root", scene::none, {0, depth, 0});
    for (int i = 0; i < spine_joints; ++i)
        rig.joint("spine." + std::to_string(i), i == 0 ? 0u : static_cast<std::uint32_t>(i),
                  {0, depth, spine_z(i)});
    rig.joint("fin.L", 1, {0.055f, depth - 0.045f, 0.13f});
    rig.joint("fin.R", 1, {-0.055f, depth - 0.045f, 0.13f});
    return rig;
}

// A thin fin in the plane x = 0: `outline(u)` is its outer edge, `root(u)` its inner one.
MeshShape fin_sheet(const std::function<glm::vec3(float)>& root,
                    const std::function<glm::vec3(float)>& outline)
{
    return patch([&](float u, float v) { return glm::mix(root(u), outline(u), v); }, 14, 10);
}

void add_fins(ShapeBuilder& mesh, const Rig& rig)
{
    const auto tail_fin =
        fin_sheet([](float u) { return glm::vec3(0, depth + glm::mix(-0.024f, 0.024f, u), tail + 0.02f); },
                  [](float u) {
                      const float y = glm::mix(-1.0f, 1.0f, u);
                      return glm::vec3(0, depth + 0.155f * y, tail - 0.13f - 0.10f * y * y);
                  });
    mesh.add(tail_fin, fin, spine_weights);
    const auto back_fin = fin_sheet(
        [](float u) {
            return glm::vec3(0, depth + body_size(0.36f + 0.3f * u).x - 0.008f,
                             glm::mix(nose, tail, 0.36f + 0.3f * u));
        },
        [](float u) {
            return glm::vec3(0, depth + 0.165f - 0.085f * u * u, glm::mix(nose, tail, 0.43f + 0.32f * u));
        });
    mesh.add(back_fin, fin, spine_weights);
    for (const auto& [name, x] : {std::pair{"fin.L", 1.0f}, {"fin.R", -1.0f}}) {
        const auto sheet =
            fin_sheet([x](float u) { return glm::vec3(x * 0.052f, depth - 0.045f, 0.145f - 0.05f * u); },
                      [x](float u) {
                          return glm::vec3(x * (0.05f + 0.135f * std::sin(pi * (0.25f + 0.6f * u))),
                                           depth - 0.085f, 0.10f - 0.15f * u);
                      });
        mesh.add(sheet, fin, rig.find(name));
    }
}

glm::vec3 fin_paint(glm::vec2 uv)
{
    const float rays = 0.5f + 0.5f * std::sin(uv.x * 90.0f + 2.0f * noise({uv.x * 9.0f, uv.y * 3.0f}));
    return glm::mix(rgb(240, 120, 66), rgb(255, 236, 214), 0.25f * rays + 0.65f * (1.0f - uv.y));
}

std::vector<scene::Material> koi_materials()
{
    std::vector<scene::Material> looks(4);
    looks[koi_skin].name = "koi_skin";
    looks[koi_skin].roughness = 0.28f;
    looks[koi_skin].base_color_texture.image = 0;
    looks[fin].name = "koi_fin";
    looks[fin].roughness = 0.5f;
    looks[fin].base_color_texture.image = 1;
    looks[fin].double_sided = true;
    looks[eye_white].name = "koi_eye";
    looks[eye_white].base_color = linear(rgb(236, 214, 150));
    looks[eye_white].roughness = 0.2f;
    looks[eye_black].name = "koi_pupil";
    looks[eye_black].base_color = linear(rgb(12, 12, 14));
    looks[eye_black].roughness = 0.05f;
    return looks;
}

scene::Clip make_swim(const Rig& rig, const char* name, float period, float strength)
{
    Motion swim(name, period, 30.0);
    const auto turn = [period](float t) { return 2.0f * pi * t / period; };
    for (int i = 0; i < spine_joints; ++i) {
        const float place = static_cast<float>(i) / (spine_joints - 1);
        const float swing = strength * (2.2f + 10.5f * place * place);
        swim.rotate(rig.find("spine." + std::to_string(i)),
                    [=](float t) { return euler(0, swing * std::sin(turn(t) - 3.4f * place), 0); });
    }
    for (const auto& [joint, sign] : {std::pair{"fin.L", 1.0f}, {"fin.R", -1.0f}})
        swim.rotate(rig.find(joint), [=](float t) {
            return euler(8 * std::sin(turn(t) + 0.6f), 0, sign * (12 + 17 * std::sin(turn(t))));
        });
    swim.translate(rig.find("root"), [=](float t) {
        return glm::vec3(-0.010f * strength * std::sin(turn(t)), depth + 0.008f * std::sin(turn(t) + 1.0f),
                         0);
    });
    swim.rotate(rig.find("root"), [=](float t) {
        return euler(0, -2.6f * strength * std::sin(turn(t) + 0.4f), 3 * std::sin(turn(t)));
    });
    return swim.finish();
}

} // namespace

scene::Scene make_koi()
{
    const auto rig = koi_rig();
    ShapeBuilder mesh;
    mesh.add(koi_body(), koi_skin, spine_weights);
    add_fins(mesh, rig);
    for (const float x : {-1.0f, 1.0f}) {
        mesh.add(transformed(sphere(0.0165f), moved({x * 0.043f, depth + 0.022f, 0.272f})), eye_white, 1);
        mesh.add(transformed(sphere(0.0105f), moved({x * 0.0505f, depth + 0.024f, 0.2755f})), eye_black, 1);
    }
    scene::Scene koi;
    koi.materials = koi_materials();
    koi.images.push_back(painted("koi_skin", 512, 512, koi_paint));
    koi.images.push_back(painted("koi_fin", 256, 256, fin_paint));
    koi.meshes.push_back(mesh.finish("koi"));
    rig.build(koi, "koi");
    koi.clips = {make_swim(rig, "swim", 1.8f, 1.0f), make_swim(rig, "dart", 0.7f, 1.7f)};
    return koi;
}

} // namespace vitrine::samples
