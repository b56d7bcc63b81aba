#pragma once
// Converts <visual_scene>, <node> and <instance_node> to nodes of the Scene, and collects what is drawn at
// them.

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "loaders/dae/animation/animations.hpp"
#include "loaders/dae/document/asset.hpp"
#include "loaders/dae/document/documents.hpp"
#include "loaders/dae/transforms/transforms.hpp"

namespace vitrine::dae {

// The transforms of a node between the coordinates around and inside it.
struct NodeShape {
    std::vector<TransformElement> elements;
    std::vector<TransformSegment> segments; // with their static transforms
};

enum class ChildKind : std::uint8_t { node, instance_node, drawn, camera, light };

struct NodeChild {
    ChildKind kind = ChildKind::node;
    io::XmlNode node;
    // Of an <instance_node>, after it was resolved.
    bool is_followed = false;
    bool is_unresolved = false; // its URL is unresolved
    io::XmlNode target{};
};

// The content of a <node>, read once however often the node is placed, so that the cost of placing it depends
// on what it adds to the scene and not on its XML.
class NodeContent {
public:
    // Reads everything except the transforms.
    NodeContent(io::XmlNode dom, const Documents& documents);

    const std::string& name() const { return name_; }
    bool is_hidden() const { return is_hidden_; }
    const DeclaredSpace& declared() const { return declared_; }
    // The children that are placed or drawn; of cameras and lights only the first.
    std::vector<NodeChild>& children() { return children_; }

    // Valid as long as this.
    const NodeShape& shape(const AssetSpace& outer, const AssetSpace& inner, const Animations& animations,
                           Documents& documents);
    // Returns the number of elements, and of curves that animate them, stored again because the node is
    // placed between coordinates with another unit or axes.
    std::uint64_t duplicate_count() const { return (shapes_ > 1 ? shapes_ - 1 : 0) * std::uint64_t{weight_}; }

    std::vector<std::uint32_t> instances; // indices into NodeTree::instances()

private:
    using Spaces = std::array<double, 20>;
    static Spaces key_of(const AssetSpace& outer, const AssetSpace& inner);
    void add_elements(NodeShape& shape, const Animations& animations, Documents& documents);
    static void finish(NodeShape& shape);

    io::XmlNode dom_;
    std::string name_;
    DeclaredSpace declared_;
    std::vector<NodeChild> children_;
    std::optional<NodeShape> plain_; // for equal coordinates outside and inside, the usual case
    std::unique_ptr<std::map<Spaces, NodeShape>>
        others_;                              // for other coordinates; behind a pointer to save space
    std::uint32_t shapes_ = 0;                // number of both
    std::uint32_t elements_ = 0, weight_ = 0; // of the file; and including the curves
    bool is_hidden_ = false;
};

// Returns name, else id, else sid.
std::string name_of(io::XmlNode node);

// One placement of a <node>, which may be instantiated many times.
struct NodeInstance {
    io::XmlNode dom;
    std::uint32_t first_link = 0;     // scene nodes, one per segment, each the parent of the next
    std::uint32_t node = 0;           // the last of them, with name, meshes and children
    const NodeShape* shape = nullptr; // owned by the NodeTree
    bool is_copy = false;             // created by add_copy(); not found by name
};

// An <instance_geometry> or <instance_controller>, the node with its mesh and that node's coordinates.
struct DrawnInstance {
    io::XmlNode instance;
    std::uint32_t node = 0;
    AssetSpace space;
};

class NodeTree {
public:
    // All arguments must outlive it.
    NodeTree(const Animations& animations, Documents& documents, const Limits& limits, scene::Scene& scene)
        : animations_(animations), documents_(documents), limits_(limits), scene_(scene)
    {
    }

    // Errors: limit_exceeded.
    LoadResult<void> add_visual_scene(io::XmlNode visual_scene, const AssetSpace& file);
    // Adds a <node> below `parent` (none: a root), whose coordinates are `outer`. `from`: the element that
    // places it, itself or an <instance_node>.
    LoadResult<void> add_node(io::XmlNode dom, io::XmlNode from, std::uint32_t parent,
                              const AssetSpace& outer, bool visible = true);
    // Adds a node without a counterpart in the file.
    LoadResult<std::uint32_t> add_plain_node(std::string name, std::uint32_t parent);

    // Copies a skeleton root with all nodes below it under `parent`: same animation, nothing drawn. Node
    // `root` + n is copied to the result + n. `root`: a first_link.
    LoadResult<std::uint32_t> add_copy(std::uint32_t root, std::uint32_t parent);

    const std::vector<NodeInstance>& instances() const { return instances_; }
    // Returns indices into instances(), in order.
    const std::vector<std::uint32_t>& instances_of(io::XmlNode dom) const;
    const std::vector<DrawnInstance>& drawn() const { return drawn_; }

private:
    NodeContent& content_of(io::XmlNode dom);
    LoadResult<void> add_children(NodeContent& content, std::uint32_t node, const AssetSpace& space,
                                  bool visible);
    LoadResult<void> add_links(NodeContent& content, NodeInstance& instance, std::uint32_t parent,
                               bool visible);
    LoadResult<void> find_shape(NodeContent& content, NodeInstance& instance, const AssetSpace& outer,
                                const AssetSpace& inner);
    LoadResult<void> follow(NodeChild& child, std::uint32_t parent, const AssetSpace& space, bool visible);
    LoadResult<void> draw(io::XmlNode instance, std::uint32_t node, const AssetSpace& space);
    // Warns about the first of a kind only; exporters write a camera or light for every view and lamp.
    void warn_once(bool& declared, std::string_view code, std::string_view message, io::XmlNode at);

    const Animations& animations_;
    Documents& documents_;
    const Limits& limits_;
    scene::Scene& scene_;
    std::vector<NodeInstance> instances_;
    std::unordered_map<const void*, NodeContent> contents_; // by <node>
    std::vector<DrawnInstance> drawn_;
    bool camera_warned_ = false, light_warned_ = false;
    std::vector<const void*> path_; // the DOM nodes being added, outermost first
    std::uint64_t followed_ = 0;    // number of <instance_node>s resolved
    std::uint64_t duplicate_count_ = 0;
};

} // namespace vitrine::dae
