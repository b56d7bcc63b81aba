#pragma once
// Fewer triangles over the same vertices, by meshoptimizer. Not of several threads.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::render {

// Lists of triangles of one mesh, one after the other, over their own vertices alone: a mesh may have
// thousands of them. The mesh must outlive it.
class Simplifier {
public:
    explicit Simplifier(const scene::Mesh& mesh) : mesh_(mesh), local_(mesh.positions.size(), scene::none) {}

    // Adds about `share` of the triangles (vertices of the mesh, three each) to `out`; few ones stay as they
    // are.
    void add(std::span<const std::uint32_t> triangles, double share, std::vector<std::uint32_t>& out);

private:
    void add_by_joint(std::span<const std::uint32_t> indices, double share, std::vector<std::uint32_t>& out);
    std::uint32_t joint_of(std::uint32_t vertex) const;
    void add_part(std::span<const std::uint32_t> indices, double share, unsigned options,
                  std::vector<std::uint32_t>& out);
    void gather(std::span<const std::uint32_t> indices);
    std::span<const std::uint32_t> simplify(std::size_t target, unsigned options);
    void unfold(std::span<std::uint32_t> triangles) const;
    bool faces_its_normals(std::span<const std::uint32_t> t) const;

    const scene::Mesh& mesh_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> order_; // joint, first corner
    std::vector<std::uint32_t> part_;                            // of one joint
    std::vector<std::uint32_t> local_;   // by vertex of the mesh: its number among `used_`
    std::vector<std::uint32_t> used_;    // vertices of the mesh
    std::vector<std::uint32_t> corners_; // into `used_`
    std::vector<std::uint32_t> out_;
    std::vector<glm::vec3> positions_; // of `used_`
};

} // namespace vitrine::render
