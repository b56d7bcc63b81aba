// A glazed porcelain vase on a wooden stand: static, textured.

#include <algorithm>
#include <array>
#include <cmath>

#include "server/samples/models.hpp"
#include "server/samples/primitive_shapes.hpp"
#include "server/samples/procedural_texture.hpp"

namespace vitrine::samples {

namespace {

enum VaseMaterial : std::uint32_t { glaze, wood };

// Interpolates (radius, height) points with a Catmull-Rom spline.
std::vector<glm::vec2> smooth(std::span<const glm::vec2> points, int steps)
{
    std::vector<glm::vec2> curve;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        const auto a = points[i > 0 ? i - 1 : 0], b = points[i], c = points[i + 1],
                   d = points[std::min(i + 2, points.size() - 1)];
        for (int step = 0; step < steps; ++step) {
            const float t = static_cast<float>(step) / static_cast<float>(steps);
            curve.push_back(0.5f * (2.0f * b + (c - a) * t + (2.0f * a - 5.0f * b + 4.0f * c - d) * t * t +
                                    (3.0f * b - a - 3.0f * c + d) * t * t * t));
        }
    }
    curve.push_back(points.back());
    return curve;
}

float petal(glm::vec2 p, float petals, float size)
{
    const float angle = std::atan2(p.y, p.x);
    const float edge = size * (0.62f + 0.38f * std::abs(std::cos(0.5f * petals * angle)));
    return glm::smoothstep(edge, edge - 0.012f, glm::length(p));
}

// Cobalt on white: blossoms on a scroll around the belly, waves above the foot, a lattice around the neck.
glm::vec3 glaze_paint(glm::vec2 uv)
{
    const float height = 1.0f - uv.y;
    const auto white = rgb(240, 242, 240) * (0.985f + 0.03f * fbm_around({uv.x * 6, uv.y * 8}, 3, 6));
    float ink = 0.0f;
    const auto band = [&](float at, float half) {
        return glm::smoothstep(half, half - 0.0025f, std::abs(height - at));
    };
    for (const float at : {0.060f, 0.176f, 0.19f, 0.56f, 0.574f, 0.70f, 0.79f})
        ink = std::max(ink, band(at, 0.0045f));
    const float column = uv.x * 6.0f;
    const glm::vec2 blossom((column - std::floor(column) - 0.5f) * 0.36f, height - 0.375f);
    ink = std::max(ink, 0.92f * petal(blossom, 8.0f, 0.098f) - 0.75f * petal(blossom, 8.0f, 0.074f));
    ink = std::max(ink, 0.85f * petal(blossom, 5.0f, 0.052f) - 0.8f * petal(blossom, 3.0f, 0.016f));
    const float scroll = std::abs(height - 0.375f - 0.125f * std::sin(2.0f * pi * column + 1.57f));
    ink = std::max(ink,
                   0.85f * glm::smoothstep(0.008f, 0.004f, scroll) * (1.0f - petal(blossom, 8.0f, 0.105f)));
    const float wave = 0.118f + 0.034f * std::abs(std::sin(2.0f * pi * uv.x * 12.0f));
    if (height > 0.06f && height < 0.176f)
        ink = std::max(ink, 0.8f * glm::smoothstep(wave + 0.003f, wave, height) *
                                (0.55f + 0.45f * std::sin(height * 420.0f)));
    if (height > 0.574f && height < 0.70f) {
        const float lattice = std::min(std::abs(std::sin(pi * (uv.x * 24.0f + height * 16.0f))),
                                       std::abs(std::sin(pi * (uv.x * 24.0f - height * 16.0f))));
        ink = std::max(ink, 0.75f * glm::smoothstep(0.24f, 0.16f, lattice));
    }
    const auto cobalt =
        glm::mix(rgb(22, 44, 138), rgb(58, 96, 190), fbm_around({uv.x * 24, uv.y * 24}, 3, 24));
    return glm::mix(white, cobalt, std::clamp(ink, 0.0f, 1.0f));
}

glm::vec3 wood_paint(glm::vec2 uv)
{
    const float ring = fbm_around({uv.x * 4.0f, uv.y * 30.0f}, 4, 4);
    const float grain = 0.5f + 0.5f * std::sin(40.0f * ring + 6.0f * uv.y);
    return glm::mix(rgb(66, 36, 22), rgb(120, 70, 40), 0.25f + 0.5f * grain * ring);
}

MeshShape vase_body()
{
    constexpr std::array<glm::vec2, 12> outside{{{0.000f, 0.060f},
                                                 {0.105f, 0.060f},
                                                 {0.112f, 0.075f},
                                                 {0.108f, 0.10f},
                                                 {0.165f, 0.21f},
                                                 {0.215f, 0.36f},
                                                 {0.200f, 0.50f},
                                                 {0.135f, 0.60f},
                                                 {0.082f, 0.66f},
                                                 {0.074f, 0.73f},
                                                 {0.105f, 0.795f},
                                                 {0.122f, 0.815f}}};
    constexpr std::array<glm::vec2, 7> inside{{{0.122f, 0.815f},
                                               {0.112f, 0.818f},
                                               {0.095f, 0.795f},
                                               {0.064f, 0.73f},
                                               {0.072f, 0.66f},
                                               {0.12f, 0.60f},
                                               {0.0f, 0.45f}}};
    auto curve = smooth(outside, 8);
    const auto lining = smooth(inside, 6);
    curve.insert(curve.end(), lining.begin(), lining.end());
    for (auto& point : curve)
        point.x = std::max(point.x, 0.0f);
    auto shape = lathe(curve, 72);
    for (std::size_t i = 0; i < shape.uv.size(); ++i)
        shape.uv[i].y = 1.0f - std::clamp(shape.positions[i].y - 0.04f, 0.0f, 0.8f) / 0.8f;
    return shape;
}

MeshShape stand()
{
    constexpr std::array<glm::vec2, 9> outside{{{0.0f, 0.0f},
                                                {0.15f, 0.0f},
                                                {0.162f, 0.008f},
                                                {0.158f, 0.02f},
                                                {0.13f, 0.03f},
                                                {0.128f, 0.045f},
                                                {0.142f, 0.055f},
                                                {0.136f, 0.064f},
                                                {0.0f, 0.066f}}};
    auto curve = smooth(outside, 5);
    for (auto& point : curve)
        point = glm::max(point, glm::vec2(0.0f));
    return lathe(curve, 64);
}

} // namespace

scene::Scene make_vase()
{
    ShapeBuilder mesh;
    mesh.add(vase_body(), glaze);
    mesh.add(stand(), wood);
    scene::Scene vase;
    vase.materials.resize(2);
    vase.materials[glaze].name = "vase_glaze";
    vase.materials[glaze].roughness = 0.12f;
    vase.materials[glaze].base_color_texture.image = 0;
    vase.materials[wood].name = "vase_wood";
    vase.materials[wood].roughness = 0.45f;
    vase.materials[wood].base_color_texture.image = 1;
    vase.images.push_back(painted("vase_glaze", 1024, 512, glaze_paint));
    vase.images.push_back(painted("vase_wood", 256, 256, wood_paint));
    vase.meshes.push_back(mesh.finish("vase"));
    scene::Node node;
    node.name = "vase";
    node.mesh = 0;
    vase.nodes.push_back(std::move(node));
    return vase;
}

} // namespace vitrine::samples
