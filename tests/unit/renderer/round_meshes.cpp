#include "tests/unit/renderer/round_meshes.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace vitrine::render::test {
namespace {

struct Point {
    glm::vec3 position, normal;
};

// Quads of two triangles over a grid; `point` returns the point at a column and row.
scene::Mesh gridded(std::uint32_t side, bool shared, const auto& point)
{
    scene::Mesh mesh;
    const auto corner = [&](std::uint32_t x, std::uint32_t y) {
        const Point at = point(x, y);
        mesh.positions.push_back(at.position);
        mesh.normals.push_back(at.normal);
        return static_cast<std::uint32_t>(mesh.positions.size() - 1);
    };
    for (std::uint32_t y = 0; shared && y <= side; ++y)
        for (std::uint32_t x = 0; x <= side; ++x)
            corner(x, y);
    const auto vertex = [&](std::uint32_t x, std::uint32_t y) {
        return shared ? y * (side + 1) + x : corner(x, y);
    };
    for (std::uint32_t y = 0; y < side; ++y)
        for (std::uint32_t x = 0; x < side; ++x)
            for (const auto& [dx, dy] : {std::pair(0u, 0u), {0u, 1u}, {1u, 0u}, {1u, 0u}, {0u, 1u}, {1u, 1u}})
                mesh.indices.push_back(vertex(x + dx, y + dy));
    mesh.primitives.resize(1);
    mesh.primitives[0].count = static_cast<std::uint32_t>(mesh.indices.size());
    return mesh;
}

} // namespace

scene::Mesh sphere(std::uint32_t side, bool shared)
{
    return gridded(side, shared, [side](std::uint32_t x, std::uint32_t y) {
        const float step = std::numbers::pi_v<float> / static_cast<float>(side);
        const float u = 2.0f * step * static_cast<float>(x), v = step * static_cast<float>(y);
        const glm::vec3 out(std::sin(v) * std::cos(u), std::cos(v), std::sin(v) * std::sin(u));
        return Point{out, out};
    });
}

scene::Mesh torus(std::uint32_t side, bool shared)
{
    return gridded(side, shared, [side](std::uint32_t x, std::uint32_t y) {
        const float step = 2.0f * std::numbers::pi_v<float> / static_cast<float>(side);
        const float u = step * static_cast<float>(x % side), v = step * static_cast<float>(y % side);
        const glm::vec3 out(std::cos(u) * std::cos(v), std::sin(v), std::sin(u) * std::cos(v));
        return Point{glm::vec3(std::cos(u), 0, std::sin(u)) + 0.4f * out, out};
    });
}

scene::Scene scene_of(scene::Mesh mesh, std::size_t instances)
{
    scene::Scene scene;
    scene.meshes.push_back(std::move(mesh));
    scene.nodes.resize(instances);
    for (auto& node : scene.nodes)
        node.mesh = 0;
    return scene;
}

} // namespace vitrine::render::test
