#pragma once
// The order of a blended surface's triangles: far ones first, anew for each picture. Pure: no device.

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::render {

// One triangle, and what stands for its place in whatever pose.
struct BlendedTriangle {
    std::array<std::uint32_t, 3> corners{}; // vertices of the mesh
    glm::vec3 middle{0.0f};                 // in the bind pose
    std::uint32_t palette_entry = 0;        // moves `middle`
};

// Whether its backs before its fronts are an exact order from everywhere. Looks at few triangles only.
bool is_convex(const scene::Mesh& mesh, std::span<const std::uint32_t> triangles);

class TriangleSorter {
public:
    // The triangles' corners, the farthest along `direction` first; equally far ones keep their order. `out`:
    // three for each. `middles`: where a pose has put the triangles before their palette entries move them;
    // empty: where they are in the bind pose.
    void put(std::span<const BlendedTriangle> triangles, std::span<const glm::vec3> middles,
             std::span<const scene::PaletteEntry> palette, glm::vec3 direction, std::span<std::uint32_t> out);

private:
    std::vector<std::pair<float, std::uint32_t>> order_; // kept: no allocation per frame
};

} // namespace vitrine::render
