#pragma once
// <skin> and <morph>, brought to the vertices of a built mesh.

#include <string_view>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/dae/geometry.hpp"

namespace vitrine::dae {

// What a <skin> says about its joints.
struct SkinJoints {
    glm::dmat4 bind_shape{1.0};
    std::vector<std::string_view> names;
    bool are_ids = false;                 // IDREF_array: ids of nodes, not their sids
    std::vector<glm::dmat4> inverse_bind; // one a name
};

LoadResult<SkinJoints> read_skin_joints(io::XmlNode skin, Documents& documents, Sources& sources);

// Fills Mesh::influences, normalised. Weights on the bind shape itself (joint -1) and vertices without any
// are given to a joint of their own, index `joints`. True when that one is used.
LoadResult<bool> add_influences(io::XmlNode skin, std::size_t joints, BuiltMesh& built, Documents& documents,
                                Sources& sources, io::Budget& budget);

// Fills Mesh::morph_targets and morph_weights. `base` is the geometry that was built.
LoadResult<void> add_morph_targets(io::XmlNode morph, io::XmlNode base, BuiltMesh& built,
                                   Documents& documents, Sources& sources, io::Budget& budget);

// The source that an <input> of this semantic names, below <joints>, <targets> and the like.
io::XmlNode input_source(io::XmlNode holder, std::string_view semantic, Documents& documents);

} // namespace vitrine::dae
