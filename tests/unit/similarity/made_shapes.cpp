#include "tests/unit/similarity/made_shapes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <glm/gtc/constants.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <meshoptimizer.h>

#include "loaders/scene/similarity/surface_moments.hpp"
#include "server/samples/primitive_shapes.hpp"

namespace vitrine::test {
namespace {

using samples::MeshShape;

constexpr std::size_t min_decimated = 400; // triangles

scene::Scene scene_of(std::vector<glm::vec3> positions, std::vector<std::uint32_t> indices)
{
    scene::Scene scene;
    scene.format = "made";
    scene::Mesh mesh;
    mesh.primitives = {{.count = static_cast<std::uint32_t>(indices.size())}};
    mesh.positions = std::move(positions);
    mesh.indices = std::move(indices);
    scene.meshes.push_back(std::move(mesh));
    scene.nodes.push_back({.name = "shape", .mesh = 0});
    return scene;
}

// A prism over a polygon of `sides`, around the axis of `height`; `top` scales the upper side.
MeshShape prism(int sides, float height, float top = 1.0f)
{
    MeshShape shape;
    for (const float y : {0.0f, height})
        for (int i = 0; i < sides; ++i) {
            const float angle = 2.0f * samples::pi * static_cast<float>(i) / static_cast<float>(sides);
            const float radius = y > 0.0f ? top : 1.0f;
            shape.positions.emplace_back(radius * std::cos(angle), y, -radius * std::sin(angle));
        }
    const auto n = static_cast<std::uint32_t>(sides);
    for (std::uint32_t i = 0; i < n; ++i) {
        const auto j = (i + 1) % n;
        for (const auto corner : {i, j, n + j, i, n + j, n + i})
            shape.indices.push_back(corner);
        if (i == 0 || j == 0) continue;
        for (const auto corner : {0u, j, i, n, n + i, n + j})
            shape.indices.push_back(corner);
    }
    return shape;
}

MeshShape box(glm::vec3 size)
{
    auto shape = prism(4, 1.0f);
    const float side = std::sqrt(0.5f);
    for (auto& p : shape.positions) {
        const glm::vec3 square((p.x + p.z) * side, p.y - 0.5f, (p.x - p.z) * side);
        p = square * glm::vec3(1.0f / (2.0f * side * side), 1.0f, 1.0f / (2.0f * side * side)) * size;
    }
    return shape;
}

MeshShape ring(float thickness, int around, int across)
{
    return samples::patch(
        [=](float u, float v) {
            const float a = 2.0f * samples::pi * u, b = 2.0f * samples::pi * v;
            const float radius = 1.0f + thickness * std::cos(b);
            return glm::vec3(radius * std::cos(a), thickness * std::sin(b), radius * std::sin(a));
        },
        around, across);
}

// A sphere with bumps at random places.
MeshShape lump(std::mt19937& random)
{
    std::normal_distribution<float> normal;
    std::uniform_real_distribution<float> size(0.2f, 0.9f), sharp(2.0f, 9.0f);
    struct Bump {
        glm::vec3 at;
        float height, sharpness;
    };
    std::vector<Bump> bumps;
    for (int i = 0; i < 7; ++i)
        bumps.push_back({glm::normalize(glm::vec3(normal(random), normal(random), normal(random))),
                         size(random), sharp(random)});
    auto shape = samples::sphere(1.0f, 28);
    const glm::vec3 stretch(size(random) + 0.6f, size(random) + 0.6f, size(random) + 0.6f);
    for (auto& p : shape.positions) {
        float radius = 1.0f;
        for (const auto& bump : bumps)
            radius += bump.height * std::exp(bump.sharpness * (glm::dot(glm::normalize(p), bump.at) - 1.0f));
        p *= radius * stretch;
    }
    return shape;
}

MeshShape vase(std::mt19937& random)
{
    std::uniform_real_distribution<float> radius(0.2f, 1.0f);
    std::vector<glm::vec2> profile{{0.0f, 0.0f}};
    for (int i = 0; i < 12; ++i)
        profile.emplace_back(radius(random),
                             0.1f * static_cast<float>(i * i) / 6.0f + 0.05f * static_cast<float>(i));
    return samples::lathe(profile, 28);
}

MeshShape bent_tube(std::mt19937& random)
{
    std::uniform_real_distribution<float> part(-2.0f, 2.0f);
    std::vector<glm::vec3> by(4);
    for (auto& b : by)
        b = {part(random), part(random), part(random)};
    const float thickness = 0.05f + 0.15f * std::abs(part(random)) / 2.0f;
    return samples::tube([by](float t) { return t * (by[0] + t * (by[1] + t * (by[2] + t * by[3]))); },
                         [thickness](float t) { return thickness * (1.2f - t); }, 24, 12);
}

scene::Scene to_scene(MeshShape shape)
{
    return scene_of(std::move(shape.positions), std::move(shape.indices));
}

constexpr std::array<glm::vec3, 19> box_sizes{{{1, 1, 1},
                                               {1, 1, 1.02f},
                                               {1, 1, 1.05f},
                                               {1, 1, 1.1f},
                                               {1, 1.05f, 1.1f},
                                               {1, 1.1f, 1.2f},
                                               {1, 1, 2},
                                               {1, 1, 2.1f},
                                               {1, 2, 2},
                                               {1, 2, 3},
                                               {1, 2.05f, 3},
                                               {1, 2, 4},
                                               {1, 0.05f, 1},
                                               {1, 0.045f, 1},
                                               {1, 0.02f, 1},
                                               {1, 0.05f, 0.5f},
                                               {1, 0.05f, 0.1f},
                                               {1, 0.05f, 0.05f},
                                               {1, 0.02f, 0.02f}}};

void add_simple(std::vector<MadeShape>& shapes)
{
    const auto add = [&](std::string name, MeshShape shape) {
        shapes.push_back({std::move(name), to_scene(std::move(shape))});
    };
    for (const auto& size : box_sizes)
        add("box " + std::to_string(size.x) + " " + std::to_string(size.y) + " " + std::to_string(size.z),
            box(size));
    for (const int sides : {3, 5, 6, 8, 12})
        for (const float height : {0.1f, 1.0f, 1.1f, 4.0f}) {
            add("prism " + std::to_string(sides) + " " + std::to_string(height), prism(sides, height));
            add("frustum " + std::to_string(sides) + " " + std::to_string(height),
                prism(sides, height, 0.5f));
        }
    for (const float height : {0.1f, 0.5f, 1.0f, 1.2f, 2.0f, 8.0f}) {
        add("cylinder " + std::to_string(height), prism(48, height));
        add("cone " + std::to_string(height), prism(48, height, 0.02f));
    }
    for (const float thickness : {0.05f, 0.1f, 0.2f, 0.35f, 0.5f})
        add("ring " + std::to_string(thickness), ring(thickness, 40, 16));
    add("sphere", samples::sphere(1.0f, 24));
    for (const float radius : {0.1f, 0.3f})
        add("rounded box " + std::to_string(radius), samples::rounded_box({1, 1, 1}, radius));
}

// The triangles of the static pose.
struct Soup {
    std::vector<glm::vec3> positions;
    std::vector<std::uint32_t> indices;
};

Soup soup_of(const scene::Scene& scene)
{
    Soup soup;
    scene::StaticTriangles triangles(scene);
    triangles.visit([&](const scene::TriangleCorners& corners) {
        for (const auto& corner : corners)
            soup.positions.emplace_back(corner);
    });
    soup.indices.resize(soup.positions.size());
    std::iota(soup.indices.begin(), soup.indices.end(), 0u);
    return soup;
}

void place(Soup& soup, std::mt19937& random)
{
    std::normal_distribution<float> normal;
    std::uniform_real_distribution<float> exponent(-2.0f, 2.0f), angle(0.0f, 6.28f);
    const float scale = std::pow(10.0f, exponent(random));
    const auto axis = glm::normalize(glm::vec3(normal(random), normal(random), normal(random)));
    const auto turn = glm::mat3(glm::rotate(glm::mat4(1.0f), angle(random), axis));
    const glm::vec3 by(normal(random), normal(random), normal(random));
    for (auto& p : soup.positions)
        p = scale * (turn * p + by);
}

void reorder(Soup& soup, std::mt19937& random)
{
    std::vector<std::size_t> order(soup.positions.size() / 3);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::shuffle(order, random);
    auto from = soup.positions;
    for (std::size_t t = 0; t < order.size(); ++t)
        for (std::size_t c = 0; c < 3; ++c) // and each begins at another corner
            soup.positions[3 * t + c] = from[3 * order[t] + (c + t) % 3];
}

void divide(Soup& soup)
{
    std::vector<glm::vec3> parts;
    for (std::size_t t = 0; t < soup.positions.size(); t += 3) {
        const auto a = soup.positions[t], b = soup.positions[t + 1], c = soup.positions[t + 2];
        const auto ab = 0.5f * (a + b), bc = 0.5f * (b + c), ca = 0.5f * (c + a);
        for (const auto& p : {a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca})
            parts.push_back(p);
    }
    soup.positions = std::move(parts);
    soup.indices.resize(soup.positions.size());
    std::iota(soup.indices.begin(), soup.indices.end(), 0u);
}

// The vertices of equal positions become one.
void weld(Soup& soup)
{
    std::vector<std::uint32_t> remap(soup.positions.size());
    const auto count =
        meshopt_generateVertexRemap(remap.data(), soup.indices.data(), soup.indices.size(),
                                    soup.positions.data(), soup.positions.size(), sizeof(glm::vec3));
    std::vector<glm::vec3> welded(count);
    meshopt_remapVertexBuffer(welded.data(), soup.positions.data(), soup.positions.size(), sizeof(glm::vec3),
                              remap.data());
    meshopt_remapIndexBuffer(soup.indices.data(), soup.indices.data(), soup.indices.size(), remap.data());
    soup.positions = std::move(welded);
}

bool decimate(Soup& soup)
{
    if (soup.indices.size() / 3 < min_decimated) return false;
    weld(soup);
    std::vector<std::uint32_t> fewer(soup.indices.size());
    constexpr float max_error = 0.01f; // of the size
    const auto target = soup.indices.size() / 12 * 9;
    fewer.resize(meshopt_simplify(fewer.data(), soup.indices.data(), soup.indices.size(),
                                  &soup.positions[0].x, soup.positions.size(), sizeof(glm::vec3), target,
                                  max_error, 0, nullptr));
    if (fewer.size() < target / 2 || fewer.size() == soup.indices.size()) return false;
    soup.indices = std::move(fewer);
    return true;
}

} // namespace

std::vector<MadeShape> made_shapes(int lumps)
{
    std::vector<MadeShape> shapes;
    add_simple(shapes);
    std::mt19937 random(7);
    for (int i = 0; i < lumps; ++i)
        shapes.push_back({"lump " + std::to_string(i), to_scene(lump(random))});
    for (int i = 0; i < lumps / 2; ++i) {
        shapes.push_back({"vase " + std::to_string(i), to_scene(vase(random))});
        shapes.push_back({"tube " + std::to_string(i), to_scene(bent_tube(random))});
    }
    return shapes;
}

scene::Scene changed(const scene::Scene& scene, ShapeChange change, std::mt19937& random)
{
    auto soup = soup_of(scene);
    switch (change) {
    case ShapeChange::placed: place(soup, random); break;
    case ShapeChange::mirrored:
        for (auto& p : soup.positions)
            p.x = -p.x;
        for (std::size_t t = 0; t + 2 < soup.indices.size(); t += 3)
            std::swap(soup.indices[t], soup.indices[t + 1]);
        place(soup, random);
        break;
    case ShapeChange::reordered: reorder(soup, random); break;
    case ShapeChange::divided: divide(soup); break;
    case ShapeChange::decimated:
        if (!decimate(soup)) return {};
        break;
    }
    return scene_of(std::move(soup.positions), std::move(soup.indices));
}

} // namespace vitrine::test
