#pragma once
// What a model consists of, as lists: nodes, meshes with their primitives, images. All functions require a
// validated Scene. The names of the members are stable.

#include <cstddef>

#include <boost/json/array.hpp>

#include "loaders/scene/scene.hpp"

namespace vitrine::api {

// Rows of a list, from `first`, which may be its end or beyond.
struct RowRange {
    std::size_t first = 0;
    std::size_t count = 0;
};
struct RowPage {
    boost::json::array items;
    std::size_t total = 0; // rows of the whole list
};

// Returns [{index, node, name, parent, local, matrix, mesh, skin, visible}], the nodes of the file in an
// order in which parents come first: index and parent are places in the whole list, node is the number that
// other routes use, local and matrix are relative to the parent, matrix is null unless local cannot represent
// it, mesh is an index in meshes_page().
RowPage nodes_page(const scene::Scene& scene, const RowRange& range);
// Returns [{index, name, renderVertices, vertexFrames, morphTargets: names, attributes, primitives: [{index,
// topology, count, material, variants: [{variant, material}]}]}]; count is the number of triangles, lines or
// points, material an index in the list of materials or null, variant an index in that of variants.
RowPage meshes_page(const scene::Scene& scene, const RowRange& range);
// Returns [{index, name, width, height, available}]; the size is that of the decoded pixels, which are not
// available if the file is missing or cannot be decoded.
RowPage images_page(const scene::Scene& scene, const RowRange& range);

} // namespace vitrine::api
