#pragma once
// <instance_geometry> and <instance_controller>: builds each mesh once for each way in which its materials
// are bound, finds the joints of each instance, puts both on their nodes.

#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "loaders/dae/controllers.hpp"
#include "loaders/dae/joint_finder.hpp"
#include "loaders/dae/materials.hpp"
#include "loaders/dae/nodes.hpp"
#include "loaders/dae/program.hpp"
#include "loaders/dae/resting_skin.hpp"

namespace vitrine::dae {

// The weights of one <morph>: those of the mesh's targets from `first` on.
struct MorphWeights {
    io::XmlNode array;
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    double share = 1.0; // of them that normalized morphs around this one leave
};

// A node whose mesh has morph targets, and the arrays that hold their weights.
struct MorphedNode {
    std::uint32_t node = 0;
    std::vector<MorphWeights> weights;
};

class Drawables {
public:
    // All outlive it.
    Drawables(NodeTree& tree, const Animations& animations, Materials& materials, Documents& documents,
              Sources& sources, io::Budget& budget, scene::Scene& scene)
        : tree_(tree), animations_(animations), materials_(materials), documents_(documents),
          sources_(sources), budget_(budget), scene_(scene), joint_finder_(tree, documents, scene),
          resting_joints_(tree, scene), local_bind_shapes_(writes_local_bind_shapes(scene.generator))
    {
    }

    LoadResult<void> draw(const Drawn& drawn);
    // A geometry that nothing instantiates, at the origin.
    LoadResult<void> draw_alone(io::XmlNode geometry);
    // The file's geometries that nothing shows, as meshes without a node. Those of morph targets are none.
    LoadResult<void> add_unused(io::XmlNode root);

    const std::vector<MorphedNode>& morphed() const { return morphed_; }

private:
    // From an instance down to the geometry.
    struct Chain {
        io::XmlNode target, skin, geometry;
        std::vector<io::XmlNode> morphs; // the innermost first
        std::size_t outer_morphs = 0;    // of them, those around the skin
    };
    struct Built {
        Binding binding;
        std::uint32_t mesh = scene::none; // none: nothing to draw
        SkinJoints joints;
        std::vector<MorphWeights> weights; // of Chain::morphs
        glm::dmat4 bind_shape{1.0};        // as the file says it
        bool shares_bind_shape = false;
        bool is_at_bind_shape = false; // the node has it: what follows no joint follows the node as it is
        bool is_at_rest = false;       // skinned already
    };
    // What the joints of a skin at rest do to vertices; absent where it is no morph's, or they move.
    using Rest = std::optional<std::vector<glm::dmat4>>;

    Chain follow(io::XmlNode instance);
    io::XmlNode below(io::XmlNode controller, io::XmlNode content);
    void warn_of(const Chain& chain, int skins, io::XmlNode instance);
    bool lost_skeletons(io::XmlNode instance);
    // `node`: of the instance; none where nothing shows the geometry.
    LoadResult<const Built*> build(const Chain& chain, Binding binding, std::uint32_t node,
                                   const Rest& rest = std::nullopt);
    bool is_at_bind_shape(std::uint32_t node, const glm::dmat4& bind_shape) const;
    LoadResult<void> add_morphs(const Chain& chain, std::span<const io::XmlNode> morphs, BuiltMesh& mesh,
                                Built& built);
    void nest_shares(const Chain& chain, scene::Mesh& mesh, Built& built);
    LoadResult<void> add_skin(const Chain& chain, std::uint32_t node, BuiltMesh& mesh, Built& built,
                              const Rest& rest);
    LoadResult<void> add_controllers(const Chain& chain, std::uint32_t node, BuiltMesh& mesh, Built& built,
                                     const Rest& rest);
    LoadResult<Rest> rest_below_morph(const Chain& chain, const Drawn& drawn);
    LoadResult<void> place(const Chain& chain, const Built& built, const Drawn& drawn);
    LoadResult<std::uint32_t> node_for(const Chain& chain, const Drawn& drawn);
    LoadResult<std::uint32_t> skin_for(const Chain& chain, const Built& built, io::XmlNode instance,
                                       std::uint32_t node);
    scene::Skin bind(const Chain& chain, const Built& built, io::XmlNode instance, std::uint32_t node,
                     const std::vector<SkeletonRoot>& roots);
    LoadResult<std::vector<SkeletonRoot>> skeleton_roots(io::XmlNode instance);
    // Lets the skin follow copies of its joints where its node takes it along.
    LoadResult<void> take_along(const Built& built, std::uint32_t node, scene::Skin& skin);
    // From the mesh to the space in which the skin's joints are bound.
    glm::dmat4 bind_shape_of(const Built& built, std::uint32_t node) const;

    NodeTree& tree_;
    const Animations& animations_;
    Materials& materials_;
    Documents& documents_;
    Sources& sources_;
    io::Budget& budget_;
    scene::Scene& scene_;
    JointFinder joint_finder_;
    RestingJoints resting_joints_;
    bool local_bind_shapes_;
    std::map<std::pair<const void*, const void*>, std::vector<Built>> built_; // by target and its skin
    std::vector<Built> built_at_rest_;                                        // each for one instance
    std::unordered_set<const void*> counted_;                                 // geometries
    std::map<std::pair<const void*, std::vector<std::uint32_t>>, std::uint32_t>
        skins_; // by target and joints, behind which the node's parent stands where the bind shape is local
    std::vector<MorphedNode> morphed_;
};

} // namespace vitrine::dae
