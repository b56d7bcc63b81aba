#pragma once
// Applies <skin> and <morph> to the vertices of a built mesh, and finds the joints of skins.

#include <cstdint>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/dae/geometry/geometry.hpp"
#include "loaders/dae/nodes/nodes.hpp"
#include "loaders/io/string_hash.hpp"

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
struct BindShapeVertices {
    bool has_unskinned = false; // some vertices have no weights, or only weights of joint -1
    bool has_partial = false;   // some vertices are also influenced by joints
};

// Fills Mesh::influences, normalized. Vertices of the bind shape alone have no influences; a partial weight
// of the bind shape is assigned to an extra joint, index `joints`.
LoadResult<BindShapeVertices> add_influences(io::XmlNode skin, std::size_t joints, BuiltMesh& built,
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

// A node below which joints are searched, and the index of the <skeleton> that names it.
struct SkeletonRoot {
    std::uint32_t node = 0;
    std::uint32_t skeleton = 0;
};

// Finds the scene node for the name of a skin's joint.
class JointFinder {
public:
    // All arguments must outlive it.
    JointFinder(const NodeTree& tree, Documents& documents, const scene::Scene& scene)
        : tree_(tree), documents_(documents), scene_(scene)
    {
    }

    // Finds a joint for the content drawn at the node `drawn`; `skin` identifies the document. Returns
    // scene::none when there is no such joint.
    std::uint32_t find(const SkinJoints& joints, std::string_view name, io::XmlNode skin,
                       const std::vector<SkeletonRoot>& roots, std::uint32_t drawn);

private:
    // How well a candidate matches; smaller is better.
    struct Fit {
        std::size_t skeleton =
            0; // index of the first skeleton that contains it; the number of skeletons: not in any
        std::uint32_t depth = 0; // below that skeleton
        auto operator<=>(const Fit&) const = default;
    };

    void index_nodes();
    io::XmlNode find_element(std::string_view name, io::XmlNode skin);
    std::uint32_t nearest(const std::vector<std::uint32_t>& candidates,
                          const std::vector<SkeletonRoot>& roots, std::uint32_t drawn);
    Fit fit_of(std::uint32_t node, const std::vector<SkeletonRoot>& roots);
    std::uint32_t common_ancestor(std::uint32_t a, std::uint32_t b);

    const NodeTree& tree_;
    Documents& documents_;
    const scene::Scene& scene_;
    using Named = std::unordered_map<std::string_view, std::vector<std::uint32_t>, io::StringHash>;
    Named by_sid_, by_name_; // node instances
    std::size_t indexed_ = 0;
    std::uint64_t search_steps_ = 0;
};

} // namespace vitrine::dae
