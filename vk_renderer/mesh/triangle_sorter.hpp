#pragma once
// Sorts a blended surface's triangles back to front for each image. No device access.

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::render {

// A triangle and the data that gives its position in any pose.
struct BlendedTriangle {
    std::array<std::uint32_t, 3> corners{}; // vertices of the mesh
    glm::vec3 center{0.0f};                 // center in the bind pose
    std::uint32_t palette_entry = 0;        // transforms `center`
};

// Whether drawing back faces before front faces is an exact order from every direction. Examines only runs of
// few triangles.
bool is_convex(const scene::Mesh& mesh, std::span<const std::uint32_t> triangles);

class TriangleSorter {
public:
    // Writes the triangles' corners, the farthest along `direction` first; triangles of equal distance keep
    // their order. `out`: three indices per triangle. `centers`: the deformed centers before their palette
    // entries transform them; empty: those of the bind pose.
    void put(std::span<const BlendedTriangle> triangles, std::span<const glm::vec3> centers,
             std::span<const scene::PaletteEntry> palette, glm::vec3 direction, std::span<std::uint32_t> out);

private:
    std::vector<std::pair<float, std::uint32_t>> order_; // member to avoid an allocation per frame
};

} // namespace vitrine::render
