#pragma once
// Simplifies triangle meshes over the same vertices, with meshoptimizer. Not thread-safe.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "loaders/scene/scene.hpp"
#include "vk_renderer/mesh/weld_vertices.hpp"

namespace vitrine::render {

// For one mesh, which must outlive the object.
class Simplifier {
public:
    using Patch = std::vector<std::uint32_t>; // triangles: three vertices of the mesh each

    explicit Simplifier(const scene::Mesh& mesh);

    // Returns about `fraction` of the triangles of all patches, but at least a minimum. Shared edges stay
    // connected: edges between patches, texture charts or the regions of dominant joints collapse only along
    // themselves, identically on both sides. Meshes that consist mostly of such edges first lose their
    // texture seams, then their topology.
    std::vector<Patch> simplify(std::span<const Patch> patches, double fraction);

private:
    void gather(std::span<const Patch> patches);
    std::uint32_t joint_of(std::span<const std::uint32_t> triangle) const;
    std::vector<std::uint64_t> keys(bool with_texture) const;
    std::vector<std::uint32_t> collapse(const Weld& points, std::size_t target) const;
    std::vector<Patch> assign_to_patches(const Weld& points, std::span<const std::uint32_t> triangles,
                                         std::size_t patches) const;
    std::uint32_t vertex_for(const Weld& points, std::uint32_t point, const glm::vec3& normal,
                             std::optional<std::uint32_t> neighbor) const;
    Patch merge(const Patch& patch, double fraction);
    void fix_flipped(std::span<std::uint32_t> triangles) const;
    bool agrees_with_normals(std::span<const std::uint32_t> t) const;
    glm::vec3 face_normal(std::span<const std::uint32_t> t) const;

    const scene::Mesh& mesh_;
    std::vector<glm::vec3> mean_normals_;   // by vertex of a flat mesh; otherwise empty
    std::span<const glm::vec3> normals_;    // by vertex: those of the mesh or `mean_normals_`
    std::vector<std::uint64_t> signatures_; // by vertex
    std::vector<glm::vec3> shape_;          // by vertex: a deformed pose
    std::vector<std::uint32_t> vertices_;   // by corner
    std::vector<std::uint32_t> patch_;      // by triangle
    float winding_sign_ = 1.0f;             // -1 where most triangles face against their normals
    std::vector<std::uint32_t> local_;      // by vertex of the mesh, while a patch is merged
};

} // namespace vitrine::render
