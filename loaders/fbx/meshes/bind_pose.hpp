#pragma once
// Where nodes were when skins were bound, for clusters that do not say it themselves.

#include <optional>
#include <unordered_map>

#include "loaders/fbx/document/load_context.hpp"

namespace vitrine::fbx {

// Sixteen numbers of an affine matrix, none beyond 1e30; zeros alone are none. Rows of row vectors in the
// file are columns of column vectors here: the same order.
LoadResult<std::optional<glm::dmat4>> read_matrix(Element element);

class BindPoses {
public:
    BindPoses(const LoadContext& context, const NodeMap& nodes) : context_(context), nodes_(nodes) {}

    // From the file's bind poses; else the node's global matrix at rest.
    glm::dmat4 matrix_of(std::uint32_t model);

private:
    void read_poses();
    void read_pose(Element pose);
    glm::dmat4 rest_matrix(std::uint32_t node);
    const glm::dmat4& kept_rest_matrix(std::uint32_t node);
    glm::dmat4 local_matrix(std::uint32_t node) const;

    const LoadContext& context_;
    const NodeMap& nodes_;
    std::optional<std::unordered_map<std::uint32_t, glm::dmat4>> by_model_; // read when first asked for
    std::unordered_map<std::uint32_t, glm::dmat4> at_rest_; // by node, of those far above others
};

} // namespace vitrine::fbx
