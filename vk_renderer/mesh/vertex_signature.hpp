#pragma once
// Hashes of mesh points that are equal where points coincide in every pose. Pure functions.

#include <cstdint>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::render {

// Combines two numbers; not commutative.
std::uint64_t mix(std::uint64_t a, std::uint64_t b);
// Combines a hash and a point; -0 equals 0.
std::uint64_t mix_point(std::uint64_t hash, const glm::vec3& v);

// By vertex: equal for vertices at the same position that skinning, morph targets and vertex frames deform
// alike (others collide with probability 2^-64). Normals, UVs and colors are ignored, so that seams are
// closed.
std::vector<std::uint64_t> signatures(const scene::Mesh& mesh);

} // namespace vitrine::render
