#pragma once
// The skeleton of an MD5 model and the clips that move it.

#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

struct SkeletonJoint {
    std::string name;
    std::uint32_t node;   // of the scene; none: the origin joint
    std::uint32_t parent; // joint; none: for the origin joint
    glm::mat4 bind;       // model space of the file
};

struct Md5Skeleton {
    glm::mat4 to_file; // from scene space
    std::vector<SkeletonJoint> joints;

    // Converts a model-space transform to file space: changes the axes on both sides.
    glm::mat4 in_file_axes(const glm::mat4& matrix) const
    {
        return to_file * matrix * glm::transpose(to_file);
    }
};

struct Md5Placement {
    glm::vec3 position;
    glm::vec3 orientation; // x y z of a unit quaternion with w <= 0, as readers assume
};

Md5Placement md5_placement(const glm::mat4& matrix);

// Returns the joints of the scene's first skin below an origin joint, parents before children.
Md5Skeleton md5_skeleton(const scene::Scene& scene);

// Returns the text of an .md5anim: the clip, sampled at its frame rate.
std::string write_md5_clip(const scene::Scene& scene, const Md5Skeleton& skeleton, std::uint32_t clip);

// The format has no escapes: quotes in a name are dropped.
std::string quoted_md5_name(std::string name);

inline std::back_insert_iterator<std::string> end_of(std::string& text)
{
    return std::back_inserter(text);
}

} // namespace vitrine::exporting
