#pragma once
// Helpers shared by the parts of validate(). Private to loaders/scene.

#include <cmath>
#include <concepts>
#include <span>
#include <string>
#include <vector>

#include "loaders/base/error.hpp"
#include "loaders/base/utf8.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

using ValidationResult = LoadResult<void>;

// "/meshes/2" + "/normals"
inline std::string at(const char* list, std::size_t index, const char* member = "")
{
    return std::string(list) + "/" + std::to_string(index) + member;
}

inline bool is_finite(double v)
{
    return std::isfinite(v);
}
template <glm::length_t N>
bool is_finite(const glm::vec<N, float>& v)
{
    for (glm::length_t i = 0; i < N; ++i) {
        if (!std::isfinite(v[i])) return false;
    }
    return true;
}
inline bool is_finite(const glm::quat& q)
{
    return is_finite(glm::vec4(q.x, q.y, q.z, q.w));
}
inline bool is_finite(const glm::mat4& m)
{
    return is_finite(m[0]) && is_finite(m[1]) && is_finite(m[2]) && is_finite(m[3]);
}
// Whether the last row is 0 0 0 1 except for rounding; users of the matrix assume exactly this.
inline bool is_affine(const glm::mat4& m)
{
    constexpr float affine_tolerance = 1e-3f;
    return std::abs(m[0].w) <= affine_tolerance && std::abs(m[1].w) <= affine_tolerance &&
           std::abs(m[2].w) <= affine_tolerance && std::abs(m[3].w - 1.0f) <= affine_tolerance;
}

inline bool is_index(std::uint32_t index, std::size_t count)
{
    return index < count;
}
inline bool is_index_or_none(std::uint32_t index, std::size_t count)
{
    return index == none || index < count;
}

ValidationResult check_shaded_mesh(const Scene& scene, std::size_t index);
ValidationResult check_mesh_or_flat_mesh(const Scene& scene, std::size_t index);
ValidationResult check_node(const Scene& scene, std::size_t index);
ValidationResult check_skin(const Scene& scene, std::size_t index);
// Checks influences against the skins with which they are drawn.
ValidationResult check_skinned_meshes(const Scene& scene);
// The cost of drawing and posing grows with instances times meshes, skins and morph targets, which a small
// file can make very large.
ValidationResult check_cost(const Scene& scene);
// Checks the static pose: every node's position is in the range of a float.
ValidationResult check_rest_pose(const Scene& scene);
// What a VRM file declares. Precondition: nodes and meshes are valid.
ValidationResult check_vrm(const Scene& scene);
// Limits repeated names: an image's for each texture, a node's for each channel of a clip.
ValidationResult check_repeated_names(const Scene& scene);

} // namespace vitrine::scene
