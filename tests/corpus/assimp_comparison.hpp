#pragma once
// What two readers of a file must agree on.

#include <map>
#include <set>
#include <string>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/scene/scene.hpp"
#include "tests/corpus/assimp_scene.hpp"

namespace vitrine::test {

// Aspects by name ("positions"), with the two values.
using Differences = std::map<std::string, std::string>;

// Sets of points, copies ignored: each needs a point of the other set within a thousandth of the diagonal.
void compare_points(const std::vector<glm::dvec3>& ours, const std::vector<glm::dvec3>& theirs,
                    Differences& found);

// Number of clips with channels, and their durations within one frame. from_zero: the durations of assimp
// start at 0 of the file's timeline.
void compare_clips(const scene::Scene& scene, const std::vector<AssimpClip>& theirs, bool from_zero,
                   Differences& found);

void compare_joints(const std::set<std::string>& ours, const std::set<std::string>& theirs,
                    Differences& found);

} // namespace vitrine::test
