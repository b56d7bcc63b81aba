#pragma once
// <instance_geometry> and <instance_controller>: builds each mesh once for each way in which its materials
// are bound, finds the joints of each instance, puts both on their nodes.

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "loaders/dae/controllers/controllers.hpp"
#include "loaders/dae/controllers/joint_finder.hpp"
#include "loaders/dae/controllers/rest_pose_skin.hpp"
#include "loaders/dae/document/authoring_tool.hpp"
#include "loaders/dae/materials/materials.hpp"
#include "loaders/dae/nodes/nodes.hpp"

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
        instances_.reserve(tree.drawn().size());
    }

    LoadResult<void> draw(const Drawn& drawn);
    // A geometry that nothing instantiates, at the origin.
    LoadResult<void> draw_unreferenced(io::XmlNode geometry);
    // The file's geometries that nothing shows, as meshes without a node. Those of morph targets are none.
    LoadResult<void> add_unused(io::XmlNode root);

    const std::vector<MorphedNode>& morphed() const { return morphed_; }

private:
    // From an instance down to the geometry.
    struct Chain {
        io::XmlNode target, skin, geometry;
        std::vector<io::XmlNode> morphs; // the innermost first
        std::size_t outer_morphs = 0;    // of them, those around the skin
        int skins = 0;
        bool ends = false; // somewhere: also at what cannot be shown
    };
    // What all instances of a geometry ask of it.
    struct Geometry {
        explicit Geometry(io::XmlNode geometry, const Documents& documents)
            : mesh(mesh_of(geometry)), symbols(symbols_of(geometry)),
              declared(documents.declared_below_root(geometry)), parts(parts_of(geometry))
        {
        }
        io::XmlNode mesh;
        Symbols symbols;
        DeclaredSpace declared;
        std::uint64_t parts = 0;
    };
    // What an instance says, which may stand in many places.
    struct Instance {
        const Chain* chain = nullptr;
        const Geometry* geometry = nullptr; // none: there is nothing to show
        bool has_missing_skeletons = false;
        std::shared_ptr<const MaterialBinding> binding{};    // once it was asked for
        std::optional<std::vector<io::XmlNode>> skeletons{}; // likewise
    };
    struct Built {
        std::shared_ptr<const MaterialBinding> binding;
        std::uint32_t mesh = scene::none; // none: nothing to draw
        SkinJoints joints;
        std::vector<MorphWeights> weights; // of Chain::morphs
        glm::dmat4 bind_shape{1.0};        // as the file says it
        bool shares_bind_shape = false;
        bool is_at_bind_shape = false; // the node has it: what follows no joint follows the node as it is
        bool is_at_rest = false;       // skinned already
    };
    // The meshes of one geometry and skin.
    struct Variants {
        std::vector<Built> all;
        std::unordered_multimap<std::uint64_t, std::size_t> by_binding; // its hash
    };
    // What the joints of a skin at rest do to vertices; absent where it is no morph's, or they move.
    using Rest = std::optional<std::vector<glm::dmat4>>;

    Instance& instance_of(io::XmlNode instance);
    const Geometry& geometry_of(io::XmlNode geometry);
    std::shared_ptr<const MaterialBinding> bind(io::XmlNode instance, const Geometry& geometry);
    const Chain& chain_of(io::XmlNode target);
    const Chain& follow(io::XmlNode instance);
    io::XmlNode other_content(io::XmlNode controller);
    io::XmlNode below(io::XmlNode controller, io::XmlNode content);
    void warn_of(const Chain& chain, io::XmlNode instance);
    bool has_missing_skeletons(io::XmlNode instance);
    // `node`: of the instance; none where nothing shows the geometry.
    LoadResult<const Built*> build(const Chain& chain, std::shared_ptr<const MaterialBinding> binding,
                                   std::uint32_t node, const Rest& rest = std::nullopt);
    LoadResult<void> count_parts(io::XmlNode geometry, std::uint64_t indices);
    const Built* find_built(const Variants& variants, const Chain& chain, const MaterialBinding& binding,
                            std::uint32_t node) const;
    bool is_at_bind_shape(std::uint32_t node, const glm::dmat4& bind_shape) const;
    LoadResult<void> add_morphs(const Chain& chain, std::span<const io::XmlNode> morphs, BuiltMesh& mesh,
                                Built& built);
    void nest_shares(const Chain& chain, scene::Mesh& mesh, Built& built);
    LoadResult<void> add_skin(const Chain& chain, std::uint32_t node, BuiltMesh& mesh, Built& built,
                              const Rest& rest);
    LoadResult<void> add_controllers(const Chain& chain, std::uint32_t node, BuiltMesh& mesh, Built& built,
                                     const Rest& rest);
    LoadResult<Rest> rest_below_morph(Instance& instance, const Drawn& drawn);
    LoadResult<void> place(Instance& instance, const Built& built, const Drawn& drawn);
    LoadResult<std::uint32_t> node_for(const Instance& instance, const Drawn& drawn);
    LoadResult<std::uint32_t> skin_for(Instance& instance, const Built& built, const Drawn& drawn,
                                       std::uint32_t node);
    LoadResult<void> count_search(std::uint64_t steps, io::XmlNode instance);
    scene::Skin bind(const Chain& chain, const Built& built, io::XmlNode instance, std::uint32_t node,
                     const std::vector<SkeletonRoot>& roots);
    // Valid until the next call.
    LoadResult<const std::vector<SkeletonRoot>*> skeleton_roots(Instance& instance, io::XmlNode at);
    // Lets the skin follow copies of its joints where its node takes it along.
    LoadResult<void> copy_moved_skeletons(const Built& built, const Drawn& drawn, std::uint32_t node,
                                          scene::Skin& skin);
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
    std::unordered_map<const void*, Instance> instances_;           // by element
    std::unordered_map<const void*, Chain> chains_;                 // by target
    std::unordered_map<const void*, Chain> bare_chains_;            // likewise: without their skins
    std::unordered_map<const void*, Geometry> geometries_;          // by element
    std::map<std::pair<const void*, const void*>, Variants> built_; // by target and its skin
    std::vector<Built> built_at_rest_;                              // each for one instance
    std::unordered_set<const void*> counted_;                       // geometries
    std::map<std::pair<const void*, std::vector<std::uint32_t>>, std::uint32_t>
        skins_; // by target and joints, behind which the node's parent stands where the bind shape is local
    std::vector<MorphedNode> morphed_;
    struct {
        std::vector<io::XmlNode> skeletons;
        std::size_t placed = 0; // how often all of them
        std::vector<SkeletonRoot> roots;
    } last_roots_;
    std::uint64_t search_steps_ = 0;
};

} // namespace vitrine::dae
