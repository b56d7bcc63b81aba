#pragma once
// <visual_scene>, <node> and <instance_node> to nodes of the Scene, and what is to be drawn where.

#include <unordered_map>
#include <vector>

#include "loaders/dae/animations.hpp"
#include "loaders/dae/asset.hpp"
#include "loaders/dae/documents.hpp"
#include "loaders/dae/transforms.hpp"

namespace vitrine::dae {

// A <node> at one place of the scene: it may be instantiated at many.
struct NodeInstance {
    io::XmlNode dom;
    std::uint32_t first_link = 0; // nodes of the Scene, one a run, each the next one's parent
    std::uint32_t node = 0;       // the last of them, which carries name, meshes and children
    std::vector<Element> elements;
    std::vector<Run> runs;
    bool is_copy = false; // add_copy()'s: no name means it
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
    LoadResult<void> add_children(io::XmlNode dom, std::uint32_t node, const Space& space, bool visible);
    LoadResult<void> add_links(NodeInstance& instance, std::uint32_t parent, const Space& outer,
                               const Space& inner, bool visible);
    LoadResult<void> follow(io::XmlNode instance_node, std::uint32_t parent, const Space& space,
                            bool visible);
    // Of the first of a kind; exporters write a camera or a light for every view and lamp.
    void warn_once(bool& said, std::string_view code, std::string_view message, io::XmlNode at);

    const Animations& animations_;
    Documents& documents_;
    const Limits& limits_;
    scene::Scene& scene_;
    std::vector<NodeInstance> instances_;
    std::unordered_map<const void*, std::vector<std::uint32_t>> by_dom_;
    std::vector<Drawn> drawn_;
    bool camera_said_ = false, light_said_ = false;
    std::vector<const void*> path_; // the DOM nodes that are being added, outermost first
};

// name, else id, else sid.
std::string name_of(io::XmlNode node);

} // namespace vitrine::dae
