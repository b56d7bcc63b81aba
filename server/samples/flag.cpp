// A flag in the wind: morph targets. A traveling wave, A(u) sin(k u - w t), is the sum of two standing waves,
// A sin(k u) cos(w t) - A cos(k u) sin(w t): two targets per wave, with periodic weights.

#include <array>
#include <cmath>

#include "server/samples/models.hpp"
#include "server/samples/primitive_shapes.hpp"
#include "server/samples/procedural_texture.hpp"
#include "server/samples/rig.hpp"

namespace vitrine::samples {

namespace {

constexpr float flag_width = 1.2f, flag_height = 0.76f, flag_bottom = 1.16f, pole_radius = 0.022f;

enum FlagMaterial : std::uint32_t { cloth, pole, gold };

// Displacement of the cloth from its plane in meters, and its slope along u and v (per meter).
struct Ripple {
    float z, along_x, along_y;
};
using Wave = Ripple (*)(float u, float v);

template <int waves, bool cosine>
Ripple ripple(float u, float v)
{
    constexpr float k = 2.0f * pi * static_cast<float>(waves) / 2.0f;
    const float lean = 0.55f * v; // the wave travels slightly diagonally
    const float phase = k * (u + 0.22f * lean);
    const float size = (waves < 4 ? 0.21f : 0.06f) * u * (1.0f - 0.35f * u);
    const float slope = (waves < 4 ? 0.21f : 0.06f) * (1.0f - 0.70f * u);
    const float value = cosine ? std::cos(phase) : std::sin(phase);
    const float derivative = cosine ? -std::sin(phase) : std::cos(phase);
    return {size * value, (slope * value + size * derivative * k) / flag_width,
            size * derivative * k * 0.121f / flag_height};
}

constexpr std::array<Wave, 4> waves{ripple<3, false>, ripple<3, true>, ripple<5, false>, ripple<5, true>};
constexpr std::array names{"long_sine", "long_cosine", "short_sine", "short_cosine"};

scene::MorphTarget make_target(const MeshShape& sheet, std::uint32_t first, const char* name, Wave wave)
{
    scene::MorphTarget target;
    target.name = name;
    for (std::uint32_t i = 0; i < sheet.positions.size(); ++i) {
        const float u = sheet.uv[i].x, v = 1.0f - sheet.uv[i].y;
        const auto at = wave(u, v);
        if (u == 0.0f) continue; // sewn to the pole
        target.vertices.push_back(first + i);
        target.position_deltas.emplace_back(0.0f, -0.25f * std::abs(at.z) * u, at.z);
        target.normal_deltas.emplace_back(-at.along_x, -at.along_y, 0.0f);
    }
    return target;
}

glm::vec3 cloth_paint(glm::vec2 uv)
{
    const float weave = 0.97f + 0.03f * std::sin(uv.x * 900.0f) * std::sin(uv.y * 560.0f);
    const float seam = std::min({uv.x * 1.6f, uv.y, 1.0f - uv.y, (1.0f - uv.x) * 1.6f});
    const glm::vec2 p((uv.x - 0.46f) * flag_width / flag_height, uv.y - 0.5f);
    glm::vec3 color = glm::mix(rgb(14, 94, 104), rgb(20, 122, 128), fbm(uv * 5.0f, 3));
    const float band = std::abs(p.y + 0.16f * std::sin(3.2f * p.x + 0.4f));
    color = glm::mix(color, rgb(246, 238, 220), glm::smoothstep(0.085f, 0.080f, band));
    color = glm::mix(color, rgb(238, 150, 46), glm::smoothstep(0.045f, 0.040f, band));
    const float diamond = std::abs(p.x) + std::abs(p.y);
    color = glm::mix(color, rgb(246, 238, 220), glm::smoothstep(0.305f, 0.298f, diamond));
    color = glm::mix(color, rgb(14, 86, 96), glm::smoothstep(0.262f, 0.255f, diamond));
    color = glm::mix(color, rgb(238, 150, 46),
                     glm::smoothstep(0.15f, 0.143f, std::max(diamond, 2.0f * std::abs(p.y))));
    return color * weave * (1.0f - 0.25f * glm::smoothstep(0.022f, 0.0f, seam));
}

scene::Clip make_wind(const char* name, float period, float strength)
{
    Motion wind(name, period, 30.0);
    wind.weigh(1, [=](float t) {
        const float turn = 2.0f * pi * t / period;
        return std::vector{strength * std::cos(turn), -strength * std::sin(turn),
                           strength * std::cos(2.0f * turn), -strength * std::sin(2.0f * turn)};
    });
    return wind.finish();
}

std::vector<scene::Material> flag_materials()
{
    std::vector<scene::Material> looks(3);
    looks[cloth].name = "flag_cloth";
    looks[cloth].roughness = 0.85f;
    looks[cloth].base_color_texture.image = 0;
    looks[cloth].double_sided = true;
    looks[pole].name = "flag_pole";
    looks[pole].base_color = linear(rgb(196, 200, 206));
    looks[pole].metallic = 0.9f;
    looks[pole].roughness = 0.3f;
    looks[gold].name = "flag_gold";
    looks[gold].base_color = linear(rgb(236, 178, 64));
    looks[gold].metallic = 1.0f;
    looks[gold].roughness = 0.25f;
    return looks;
}

scene::Mesh make_pole()
{
    ShapeBuilder mesh;
    mesh.add(transformed(cylinder(pole_radius, 2.0f, 0.004f), moved({0, 1.0f, 0})), pole);
    mesh.add(transformed(sphere(0.05f, 32), moved({0, 2.04f, 0})), gold);
    mesh.add(transformed(cylinder(0.22f, 0.05f, 0.015f, 48), moved({0, 0.025f, 0})), pole);
    mesh.add(transformed(cylinder(0.05f, 0.08f, 0.012f, 32), moved({0, 0.09f, 0})), gold);
    return mesh.finish("pole");
}

} // namespace

scene::Scene make_flag()
{
    const auto sheet = patch(
        [](float u, float v) {
            return glm::vec3(pole_radius + flag_width * u, flag_bottom + flag_height * v, 0);
        },
        60, 30);
    ShapeBuilder mesh;
    mesh.add(sheet, cloth);
    scene::Scene flag;
    flag.materials = flag_materials();
    flag.images.push_back(painted("flag_cloth", 512, 320, cloth_paint));
    flag.meshes.push_back(make_pole());
    flag.meshes.push_back(mesh.finish("cloth"));
    for (std::size_t i = 0; i < waves.size(); ++i)
        flag.meshes[1].morph_targets.push_back(make_target(sheet, 0, names[i], waves[i]));
    flag.meshes[1].morph_weights = {1.0f, 0.0f, 0.6f, 0.0f};
    for (std::uint32_t i = 0; i < 2; ++i) {
        scene::Node node;
        node.name = flag.meshes[i].name;
        node.mesh = i;
        flag.nodes.push_back(std::move(node));
    }
    flag.clips = {make_wind("breeze", 2.4f, 0.75f), make_wind("gust", 1.2f, 1.25f)};
    return flag;
}

} // namespace vitrine::samples
