#pragma once
// <skin> and <morph>, brought to the vertices of a built mesh.

#include <string_view>
#include <unordered_set>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/dae/geometry/geometry.hpp"

namespace vitrine::dae {

// What a <skin> says about its joints.
struct SkinJoints {
    glm::dmat4 bind_shape{1.0};
    std::vector<std::string_view> names;
    bool are_ids = false;                 // IDREF_array: ids of nodes, not their sids
    std::vector<glm::dmat4> inverse_bind; // one a name
};

LoadResult<SkinJoints> read_skin_joints(io::XmlNode skin, Documents& documents, Sources& sources);

// Who follows the node by the bind shape, and not a joint.
struct BindShapeUse {
    bool alone = false;  // vertices without weights, or whose weights are all joint -1's
    bool shares = false; // vertices that joints move too
};

// Fills Mesh::influences, normalised. Vertices of the bind shape alone have none; a share of it is given to a
// joint of its own, index `joints`.
LoadResult<BindShapeUse> add_influences(io::XmlNode skin, std::size_t joints, BuiltMesh& built,
                                        Documents& documents, Sources& sources, io::Budget& budget);

// Moves positions, normals and morph targets to where the skin has them.
void apply_bind_shape(const glm::dmat4& bind_shape, scene::Mesh& mesh);

// Whether a morph's targets are differences and not shapes.
bool is_relative(io::XmlNode morph);

// Appends to Mesh::morph_targets and morph_weights. `base` is the geometry that was built.
LoadResult<void> add_morph_targets(io::XmlNode morph, io::XmlNode base, BuiltMesh& built,
                                   Documents& documents, Sources& sources, io::Budget& budget);

// The source of a morph's targets or weights.
enum class MorphInput : std::uint8_t { targets, weights };
io::XmlNode morph_source(io::XmlNode morph, MorphInput input, Documents& documents);

// Keys of the geometries that some morph of the opened documents takes for a target.
std::unordered_set<const void*> find_morph_targets(Documents& documents, Sources& sources);

} // namespace vitrine::dae
