#pragma once
// The matrices of nodes at bind time, for clusters that do not store them.

#include <optional>
#include <unordered_map>

#include "loaders/fbx/document/load_context.hpp"

namespace vitrine::fbx {

// Reads sixteen numbers of an affine matrix; nullopt when one exceeds 1e30 or all are zero. Rows for row
// vectors in the file equal columns for column vectors here, so the order is the same.
LoadResult<std::optional<glm::dmat4>> read_matrix(Element element);

class BindPoses {
public:
    BindPoses(const LoadContext& context, const NodeMap& nodes) : context_(context), nodes_(nodes) {}

    // Returns the matrix from the file's bind poses; otherwise the node's static global matrix.
    glm::dmat4 matrix_of(std::uint32_t model);

private:
    void read_poses();
    void read_pose(Element pose);
    glm::dmat4 rest_matrix(std::uint32_t node);
    const glm::dmat4& kept_rest_matrix(std::uint32_t node);
    glm::dmat4 local_matrix(std::uint32_t node) const;

    const LoadContext& context_;
    const NodeMap& nodes_;
    std::optional<std::unordered_map<std::uint32_t, glm::dmat4>> by_model_; // read on first use
    std::unordered_map<std::uint32_t, glm::dmat4>
        at_rest_; // by node: global matrices, cached for deep hierarchies
};

} // namespace vitrine::fbx
