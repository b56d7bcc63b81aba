#pragma once
// <visual_scene>, <node> and <instance_node> to nodes of the Scene, and what is to be drawn where.

#include <unordered_map>
#include <vector>

#include "loaders/dae/animation/animations.hpp"
#include "loaders/dae/document/asset.hpp"
#include "loaders/dae/document/documents.hpp"
#include "loaders/dae/nodes/node_content.hpp"
#include "loaders/dae/transforms/transforms.hpp"

namespace vitrine::dae {

// A <node> at one place of the scene: it may be instantiated at many.
struct NodeInstance {
    io::XmlNode dom;
    std::uint32_t first_link = 0;     // nodes of the Scene, one a run, each the next one's parent
    std::uint32_t node = 0;           // the last of them, which carries name, meshes and children
    const NodeShape* shape = nullptr; // the NodeTree's
    bool is_copy = false;             // add_copy()'s: no name means it
};

// An <instance_geometry> or <instance_controller>, the node that carries its mesh and that node's
// coordinates.
struct Drawn {
    io::XmlNode instance;
    std::uint32_t node = 0;
    Space space;
};

class NodeTree {
public:
    // All outlive it.
    NodeTree(const Animations& animations, Documents& documents, const Limits& limits, scene::Scene& scene)
        : animations_(animations), documents_(documents), limits_(limits), scene_(scene)
    {
    }

    // Errors: limit_exceeded.
    LoadResult<void> add_visual_scene(io::XmlNode visual_scene, const Space& file);
    // A <node> below `parent` (none: a root), whose coordinates are `outer`; `from`: the element that places
    // it there, itself or an <instance_node>.
    LoadResult<void> add_node(io::XmlNode dom, io::XmlNode from, std::uint32_t parent, const Space& outer,
                              bool visible = true);
    // A node of our own.
    LoadResult<std::uint32_t> add_plain_node(std::string name, std::uint32_t parent);

    // A root of a skeleton with all below it once more, below `parent`: moves as they do and draws nothing.
    // What is `root` + n there is the result + n. `root`: a first_link.
    LoadResult<std::uint32_t> add_copy(std::uint32_t root, std::uint32_t parent);

    const std::vector<NodeInstance>& instances() const { return instances_; }
    // Indices into instances(), in order.
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
    // Of the first of a kind; exporters write a camera or a light for every view and lamp.
    void warn_once(bool& declared, std::string_view code, std::string_view message, io::XmlNode at);

    const Animations& animations_;
    Documents& documents_;
    const Limits& limits_;
    scene::Scene& scene_;
    std::vector<NodeInstance> instances_;
    std::unordered_map<const void*, NodeContent> contents_; // by <node>
    std::vector<Drawn> drawn_;
    bool camera_warned_ = false, light_warned_ = false;
    std::vector<const void*> path_; // the DOM nodes that are being added, outermost first
    std::uint64_t followed_ = 0;    // <instance_node>s, wherever they led
    std::uint64_t duplicate_count_ = 0;
};

} // namespace vitrine::dae
