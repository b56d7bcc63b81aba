#pragma once
// Numbers for points of a mesh, equal where they coincide whatever the pose. Pure.

#include <cstdint>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::render {

// One number of two; which of them is the first matters.
std::uint64_t mix(std::uint64_t a, std::uint64_t b);
// And of a point, whatever the sign of a zero.
std::uint64_t mix_point(std::uint64_t hash, const glm::vec3& v);

// By vertex: equal for those that lie in one point and that skin, morph targets and vertex frames move alike;
// for others by chance once in 2^64. Normals, UVs and colors do not count: seams are passed over.
std::vector<std::uint64_t> signatures(const scene::Mesh& mesh);

} // namespace vitrine::render
