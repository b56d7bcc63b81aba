#include "loaders/scene/bounds/bounds.hpp"

#include <algorithm>
#include <cstring>

#include "loaders/scene/arrays/arrays.hpp"
#include "loaders/scene/bounds/joint_boxes.hpp"

namespace vitrine::scene {

Aabb box_of(std::span<const glm::vec3> points)
{
    Aabb box;
    add_points(points, box.min, box.max);
    return box;
}

// Bytes are faster to set than bits, and memchr is vectorized.
std::vector<VertexRange> used_vertices(const Mesh& mesh)
{
    std::vector<std::uint8_t> used(mesh.positions.size(), 0);
    for (const Primitive& primitive : mesh.primitives) {
        for (const std::uint32_t vertex : std::span(mesh.indices).subspan(primitive.first, primitive.count))
            used[vertex] = 1;
    }
    std::vector<VertexRange> ranges;
    const std::uint8_t* const end = used.data() + used.size();
    const auto find = [&](const std::uint8_t* from, int value) {
        const void* found =
            from == end ? nullptr : std::memchr(from, value, static_cast<std::size_t>(end - from));
        return found == nullptr ? end : static_cast<const std::uint8_t*>(found);
    };
    const auto index = [&](const std::uint8_t* at) { return static_cast<std::uint32_t>(at - used.data()); };
    for (const auto* first = find(used.data(), 1); first != end;) {
        const auto* last = find(first, 0);
        ranges.push_back({index(first), index(last)});
        first = find(last, 1);
    }
    return ranges;
}

ExactBounds::ExactBounds(const Scene& scene) : scene_(scene), instances_(find_instances(scene))
{
    used_.resize(scene.meshes.size());
    for (const Instance& instance : instances_) {
        if (used_[instance.mesh].empty()) used_[instance.mesh] = used_vertices(scene.meshes[instance.mesh]);
    }
    palette_.resize(palette_size(instances_));
}

Aabb ExactBounds::at(const Pose& pose)
{
    joint_palette(scene_, instances_, pose, palette_);
    Aabb box;
    bool finite = true;
    for (const Instance& instance : instances_) {
        const PositionSkinner skinner(scene_, instance, pose, palette_, scratch_);
        for (const VertexRange& range : used_[instance.mesh])
            finite = add(skinner, range, box) && finite;
    }
    constexpr float infinite = std::numeric_limits<float>::infinity();
    return finite ? box : Aabb{glm::vec3(-infinite), glm::vec3(infinite)};
}

bool ExactBounds::add(const PositionSkinner& skinner, const VertexRange& range, Aabb& box)
{
    bool finite = true;
    for (std::size_t v = range.first; v < range.end; v += positions_.size()) {
        const auto positions = std::span(positions_).first(std::min(positions_.size(), range.end - v));
        skinner.skin(v, positions);
        finite = add_points(positions, box.min, box.max) && finite;
    }
    return finite;
}

Aabb pose_bounds(const Scene& scene, const Pose& pose)
{
    return ExactBounds(scene).at(pose);
}

Aabb static_bounds(const Scene& scene)
{
    Pose pose;
    static_pose(scene, pose);
    return pose_bounds(scene, pose);
}

Aabb to_file_space(const FileSpace& space, const Aabb& box)
{
    Aabb out;
    if (box.empty()) return out;
    const glm::dmat3 to_file = glm::transpose(glm::dmat3(space.axes)); // the inverse of a signed permutation
    out.add(glm::vec3(to_file * glm::dvec3(box.min) / space.unit_meters));
    out.add(glm::vec3(to_file * glm::dvec3(box.max) / space.unit_meters));
    return out;
}

} // namespace vitrine::scene
