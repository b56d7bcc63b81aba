#pragma once
// Converts <visual_scene>, <node> and <instance_node> to nodes of the Scene, and collects what is drawn at
// them.

#include <unordered_map>
#include <vector>

#include "loaders/dae/animation/animations.hpp"
#include "loaders/dae/document/asset.hpp"
#include "loaders/dae/document/documents.hpp"
#include "loaders/dae/nodes/node_content.hpp"
#include "loaders/dae/transforms/transforms.hpp"

namespace vitrine::dae {

// One placement of a <node>, which may be instantiated many times.
struct NodeInstance {
    io::XmlNode dom;
    std::uint32_t first_link = 0;     // scene nodes, one per segment, each the parent of the next
    std::uint32_t node = 0;           // the last of them, with name, meshes and children
    const NodeShape* shape = nullptr; // owned by the NodeTree
    bool is_copy = false;             // created by add_copy(); not found by name
};

// An <instance_geometry> or <instance_controller>, the node with its mesh and that node's coordinates.
struct Drawn {
    io::XmlNode instance;
    std::uint32_t node = 0;
    Space space;
};

class NodeTree {
public:
    // All arguments must outlive it.
    NodeTree(const Animations& animations, Documents& documents, const Limits& limits, scene::Scene& scene)
        : animations_(animations), documents_(documents), limits_(limits), scene_(scene)
    {
    }

    // Errors: limit_exceeded.
    LoadResult<void> add_visual_scene(io::XmlNode visual_scene, const Space& file);
    // Adds a <node> below `parent` (none: a root), whose coordinates are `outer`. `from`: the element that
    // places it, itself or an <instance_node>.
    LoadResult<void> add_node(io::XmlNode dom, io::XmlNode from, std::uint32_t parent, const Space& outer,
                              bool visible = true);
    // Adds a node without a counterpart in the file.
    LoadResult<std::uint32_t> add_plain_node(std::string name, std::uint32_t parent);

    // Copies a skeleton root with all nodes below it under `parent`: same animation, nothing drawn. Node
    // `root` + n is copied to the result + n. `root`: a first_link.
    LoadResult<std::uint32_t> add_copy(std::uint32_t root, std::uint32_t parent);

    const std::vector<NodeInstance>& instances() const { return instances_; }
    // Returns indices into instances(), in order.
    const std::vector<std::uint32_t>& instances_of(io::XmlNode dom) const;
    const std::vector<Drawn>& drawn() const { return drawn_; }

private:
    NodeContent& content_of(io::XmlNode dom);
    LoadResult<void> add_children(NodeContent& content, std::uint32_t node, const Space& space, bool visible);
    LoadResult<void> add_links(NodeContent& content, NodeInstance& instance, std::uint32_t parent,
                               bool visible);
    LoadResult<void> find_shape(NodeContent& content, NodeInstance& instance, const Space& outer,
                                const Space& inner);
    LoadResult<void> follow(NodeChild& child, std::uint32_t parent, const Space& space, bool visible);
    LoadResult<void> draw(io::XmlNode instance, std::uint32_t node, const Space& space);
    // Warns about the first of a kind only; exporters write a camera or light for every view and lamp.
    void warn_once(bool& declared, std::string_view code, std::string_view message, io::XmlNode at);

    const Animations& animations_;
    Documents& documents_;
    const Limits& limits_;
    scene::Scene& scene_;
    std::vector<NodeInstance> instances_;
    std::unordered_map<const void*, NodeContent> contents_; // by <node>
    std::vector<Drawn> drawn_;
    bool camera_warned_ = false, light_warned_ = false;
    std::vector<const void*> path_; // the DOM nodes being added, outermost first
    std::uint64_t followed_ = 0;    // number of <instance_node>s resolved
    std::uint64_t duplicate_count_ = 0;
};

} // namespace vitrine::dae
