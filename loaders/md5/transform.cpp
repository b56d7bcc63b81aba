#include <algorithm>
#include <cmath>

#include "loaders/io/limits.hpp"
#include "loaders/md5/md5_text.hpp"

namespace vitrine::md5 {

glm::dvec3 apply(const Transform& transform, const glm::dvec3& point)
{
    return transform.rotation * point + transform.translation;
}

Transform compose(const Transform& parent, const Transform& local)
{
    return {glm::normalize(parent.rotation * local.rotation), apply(parent, local.translation)};
}

Transform inverse(const Transform& transform)
{
    const glm::dquat back = glm::conjugate(transform.rotation);
    return {back, back * -transform.translation};
}

glm::dquat restore_w(const glm::dvec3& xyz)
{
    const double w = -std::sqrt(std::max(0.0, 1.0 - glm::dot(xyz, xyz)));
    return glm::normalize(glm::dquat(w, xyz.x, xyz.y, xyz.z));
}

Transform local_at(const Md5Animation& animation, const AnimatedJoint& joint, std::uint32_t frame)
{
    double parts[6] = {joint.base_position.x,    joint.base_position.y,    joint.base_position.z,
                       joint.base_orientation.x, joint.base_orientation.y, joint.base_orientation.z};
    std::size_t component = std::size_t{frame} * animation.component_count + joint.first_component;
    for (unsigned bit = 0; bit < 6; ++bit) {
        if ((joint.flags >> bit & 1u) != 0) parts[bit] = animation.components[component++];
    }
    return {restore_w({parts[3], parts[4], parts[5]}), {parts[0], parts[1], parts[2]}};
}

LoadResult<std::vector<std::uint32_t>> parents_first(const std::vector<std::uint32_t>& parents,
                                                     std::uint32_t depth_limit)
{
    // Children as linked lists, then a level-order walk: linear time for any order in the file.
    std::vector<std::uint32_t> next(parents.size(), scene::none), child(parents.size(), scene::none), order;
    order.reserve(parents.size());
    for (std::uint32_t j = static_cast<std::uint32_t>(parents.size()); j-- > 0;) {
        if (parents[j] == scene::none) continue;
        next[j] = child[parents[j]];
        child[parents[j]] = j;
    }
    for (std::uint32_t j = 0; j < parents.size(); ++j) {
        if (parents[j] == scene::none) order.push_back(j);
    }
    std::size_t level_end = order.size();
    std::uint32_t depth = 1;
    for (std::size_t at = 0; at < order.size(); ++at) {
        if (at == level_end) {
            level_end = order.size();
            ++depth;
        }
        if (depth > depth_limit) {
            return io::limit_exceeded_error("joints", "the nesting of joints", "depth", depth_limit);
        }
        for (std::uint32_t c = child[order[at]]; c != scene::none; c = next[c])
            order.push_back(c);
    }
    if (order.size() < parents.size())
        return fail(LoadErrc::malformed, "joints", "the parents of the joints form a cycle");
    return order;
}

} // namespace vitrine::md5
