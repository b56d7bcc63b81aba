#pragma once
// Which parts of a surface whose backs are culled one looks through from behind. Pure.

#include <cstdint>
#include <span>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::render {

// By triangle of a run of `mesh`'s indices: whether it belongs to a connected part that is no body with its
// faces outward: a sheet, or a room seen from outside. Behind such a back stands no front that would be seen
// in its stead. Of a body that is open somewhere the faces count as outward where most are. Runs of more
// than `most` triangles count as one part. Empty: none does.
std::vector<bool> visible_backfaces(const scene::Mesh& mesh, std::span<const std::uint32_t> triangles,
                                    std::size_t most);

} // namespace vitrine::render
