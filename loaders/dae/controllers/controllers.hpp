#pragma once
// Applies <skin> and <morph> to the vertices of a built mesh.

#include <string_view>
#include <unordered_set>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/dae/geometry/geometry.hpp"

namespace vitrine::dae {

// The joints of a <skin>.
struct SkinJoints {
    glm::dmat4 bind_shape{1.0};
    std::vector<std::string_view> names;
    bool are_ids = false;                 // IDREF_array: ids of nodes instead of sids
    std::vector<glm::dmat4> inverse_bind; // one per name
};

LoadResult<SkinJoints> read_skin_joints(io::XmlNode skin, Documents& documents, Sources& sources);

// Which vertices follow the node by the bind shape instead of a joint.
struct BindShapeUse {
    bool alone = false;  // some vertices have no weights, or only weights of joint -1
    bool shares = false; // some vertices are also influenced by joints
};

// Fills Mesh::influences, normalized. Vertices of the bind shape alone have no influences; a partial weight
// of the bind shape is assigned to an extra joint, index `joints`.
LoadResult<BindShapeUse> add_influences(io::XmlNode skin, std::size_t joints, BuiltMesh& built,
                                        Documents& documents, Sources& sources, io::Budget& budget);

// Transforms positions, normals and morph targets by the bind shape matrix.
void apply_bind_shape(const glm::dmat4& bind_shape, scene::Mesh& mesh);

// Returns whether a morph's targets are offsets instead of shapes.
bool is_relative(io::XmlNode morph);

// Appends to Mesh::morph_targets and morph_weights. `base` is the geometry of the built mesh.
LoadResult<void> add_morph_targets(io::XmlNode morph, io::XmlNode base, BuiltMesh& built,
                                   Documents& documents, Sources& sources, io::Budget& budget);

// The source of a morph's targets or weights.
enum class MorphInput : std::uint8_t { targets, weights };
io::XmlNode morph_source(io::XmlNode morph, MorphInput input, Documents& documents);

// Returns the keys of the geometries that a morph of the opened documents uses as a target.
std::unordered_set<const void*> find_morph_targets(Documents& documents, Sources& sources);

} // namespace vitrine::dae
