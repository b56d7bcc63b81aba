#pragma once
// <instance_geometry> and <instance_controller>: builds each mesh once per material binding, resolves the
// joints of each instance, and assigns both to their nodes.

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "loaders/dae/controllers/controllers.hpp"
#include "loaders/dae/controllers/skin_placement.hpp"
#include "loaders/dae/document/authoring_tool.hpp"
#include "loaders/dae/materials/materials.hpp"
#include "loaders/dae/nodes/nodes.hpp"

namespace vitrine::dae {

// The weights of one <morph>: those of the mesh's targets from `first` on.
struct MorphWeights {
    io::XmlNode array;
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    double factor = 1.0; // factor left by normalized outer morphs
};

// A node whose mesh has morph targets, and the arrays with their weights.
struct MorphedNode {
    std::uint32_t node = 0;
    std::vector<MorphWeights> weights;
};

class Drawables {
public:
    // All arguments must outlive it.
    Drawables(NodeTree& tree, const Animations& animations, Materials& materials, Documents& documents,
              Sources& sources, io::Budget& budget, scene::Scene& scene)
        : tree_(tree), animations_(animations), materials_(materials), documents_(documents),
          sources_(sources), budget_(budget), scene_(scene), joint_finder_(tree, documents, scene),
          static_skin_pose_(tree, scene), local_bind_shapes_(writes_local_bind_shapes(scene.generator))
    {
        instances_.reserve(tree.drawn().size());
    }

    LoadResult<void> draw(const DrawnInstance& drawn);
    // Draws a geometry without instances at the origin.
    LoadResult<void> draw_unreferenced(io::XmlNode geometry);
    // Adds the file's geometries without instances as meshes without a node, except those of morph targets.
    LoadResult<void> add_unused(io::XmlNode root);

    const std::vector<MorphedNode>& morphed() const { return morphed_; }

private:
    // The path from an instance to its geometry.
    struct ControllerChain {
        io::XmlNode target, skin, geometry;
        std::vector<io::XmlNode> morphs; // innermost first
        std::size_t outer_morphs = 0;    // number of morphs around the skin
        int skins = 0;
        bool ends = false; // ends at an element, including unsupported ones
    };
    // Requirements of all instances of a geometry.
    struct Geometry {
        explicit Geometry(io::XmlNode geometry, const Documents& documents)
            : mesh(find_mesh(geometry)), symbols(symbols_of(geometry)),
              declared(documents.declared_below_root(geometry)), parts(parts_of(geometry))
        {
        }
        io::XmlNode mesh;
        Symbols symbols;
        DeclaredSpace declared;
        std::uint64_t parts = 0;
    };
    // An instance element, which may be placed many times.
    struct Instance {
        const ControllerChain* chain = nullptr;
        const Geometry* geometry = nullptr; // null: nothing to show
        bool has_missing_skeletons = false;
        std::shared_ptr<const MaterialBinding> binding{};    // computed on first use
        std::optional<std::vector<io::XmlNode>> skeletons{}; // computed on first use
    };
    struct BuiltInstance {
        std::shared_ptr<const MaterialBinding> binding;
        std::uint32_t mesh = scene::none; // none: nothing to draw
        SkinJoints joints;
        std::vector<MorphWeights> weights; // of ControllerChain::morphs
        glm::dmat4 bind_shape{1.0};        // as stored in the file
        bool shares_bind_shape = false;
        bool is_at_bind_shape =
            false; // the node has the bind shape: vertices without joints follow the node unmodified
        bool is_static = false; // skinning is applied already
    };
    // The meshes of one geometry and skin.
    struct Variants {
        std::vector<BuiltInstance> all;
        std::unordered_multimap<std::uint64_t, std::size_t> by_binding; // key: hash of the binding
    };
    // Matrices of the joints of a skin in the static pose; nullopt when the skin is not below a morph or its
    // joints are animated.
    using StaticMatrices = std::optional<std::vector<glm::dmat4>>;

    Instance& instance_of(io::XmlNode instance);
    const Geometry& geometry_of(io::XmlNode geometry);
    std::shared_ptr<const MaterialBinding> bind(io::XmlNode instance, const Geometry& geometry);
    const ControllerChain& chain_of(io::XmlNode target);
    const ControllerChain& follow(io::XmlNode instance);
    io::XmlNode other_content(io::XmlNode controller);
    io::XmlNode below(io::XmlNode controller, io::XmlNode content);
    void warn_about(const ControllerChain& chain, io::XmlNode instance);
    bool has_missing_skeletons(io::XmlNode instance);
    // `node`: of the instance; none for geometries that are not shown.
    LoadResult<const BuiltInstance*> build(const ControllerChain& chain,
                                           std::shared_ptr<const MaterialBinding> binding, std::uint32_t node,
                                           const StaticMatrices& rest = std::nullopt);
    LoadResult<void> count_parts(io::XmlNode geometry, std::uint64_t indices);
    const BuiltInstance* find_built(const Variants& variants, const ControllerChain& chain,
                                    const MaterialBinding& binding, std::uint32_t node) const;
    bool is_at_bind_shape(std::uint32_t node, const glm::dmat4& bind_shape) const;
    LoadResult<void> add_morphs(const ControllerChain& chain, std::span<const io::XmlNode> morphs,
                                BuiltMesh& mesh, BuiltInstance& built);
    void nest_morph_factors(const ControllerChain& chain, scene::Mesh& mesh, BuiltInstance& built);
    LoadResult<void> add_skin(const ControllerChain& chain, std::uint32_t node, BuiltMesh& mesh,
                              BuiltInstance& built, const StaticMatrices& rest);
    LoadResult<void> add_controllers(const ControllerChain& chain, std::uint32_t node, BuiltMesh& mesh,
                                     BuiltInstance& built, const StaticMatrices& rest);
    LoadResult<StaticMatrices> static_joints_below_morph(Instance& instance, const DrawnInstance& drawn);
    LoadResult<void> place(Instance& instance, const BuiltInstance& built, const DrawnInstance& drawn);
    LoadResult<std::uint32_t> node_for(const Instance& instance, const DrawnInstance& drawn);
    LoadResult<std::uint32_t> skin_for(Instance& instance, const BuiltInstance& built,
                                       const DrawnInstance& drawn, std::uint32_t node);
    LoadResult<void> count_search(std::uint64_t steps, io::XmlNode instance);
    scene::Skin bind(const ControllerChain& chain, const BuiltInstance& built, io::XmlNode instance,
                     std::uint32_t node, const std::vector<SkeletonRoot>& roots);
    // Valid until the next call.
    LoadResult<const std::vector<SkeletonRoot>*> skeleton_roots(Instance& instance, io::XmlNode at);
    // Copies the joints of the skin where its node moves the skeleton along.
    LoadResult<void> copy_moved_skeletons(const BuiltInstance& built, const DrawnInstance& drawn,
                                          std::uint32_t node, scene::Skin& skin);
    // Returns the matrix from the mesh to the space in which the skin's joints are bound.
    glm::dmat4 bind_shape_of(const BuiltInstance& built, std::uint32_t node) const;

    NodeTree& tree_;
    const Animations& animations_;
    Materials& materials_;
    Documents& documents_;
    Sources& sources_;
    io::Budget& budget_;
    scene::Scene& scene_;
    JointFinder joint_finder_;
    StaticSkinPose static_skin_pose_;
    bool local_bind_shapes_;
    std::unordered_map<const void*, Instance> instances_;           // by element
    std::unordered_map<const void*, ControllerChain> chains_;       // by target
    std::unordered_map<const void*, ControllerChain> bare_chains_;  // by target, without their skins
    std::unordered_map<const void*, Geometry> geometries_;          // by element
    std::map<std::pair<const void*, const void*>, Variants> built_; // by target and its skin
    std::vector<BuiltInstance> built_static_;                       // each for one instance
    std::unordered_set<const void*> counted_;                       // geometries
    std::map<std::pair<const void*, std::vector<std::uint32_t>>, std::uint32_t>
        skins_; // by target and joints, followed by the node's parent where the bind shape is local
    std::vector<MorphedNode> morphed_;
    struct {
        std::vector<io::XmlNode> skeletons;
        std::size_t placed = 0; // total number of placements
        std::vector<SkeletonRoot> roots;
    } last_roots_;
    std::uint64_t search_steps_ = 0;
};

} // namespace vitrine::dae
