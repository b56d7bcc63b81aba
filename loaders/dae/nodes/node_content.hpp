#pragma once
// The content of a <node>, read once however often the node is placed, so that the cost of placing it depends
// on what it adds to the scene and not on its XML.

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "loaders/dae/animation/animations.hpp"
#include "loaders/dae/document/asset.hpp"
#include "loaders/dae/document/documents.hpp"
#include "loaders/dae/transforms/transforms.hpp"

namespace vitrine::dae {

// The transforms of a node between the coordinates around and inside it.
struct NodeShape {
    std::vector<Element> elements;
    std::vector<TransformSegment> segments; // with their rest transforms
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
    const NodeShape& shape(const Space& outer, const Space& inner, const Animations& animations,
                           Documents& documents);
    // Returns the number of elements, and of curves that animate them, stored again because the node is
    // placed between coordinates with another unit or axes.
    std::uint64_t duplicate_count() const { return (shapes_ > 1 ? shapes_ - 1 : 0) * std::uint64_t{weight_}; }

    std::vector<std::uint32_t> instances; // indices into NodeTree::instances()

private:
    using Spaces = std::array<double, 20>;
    static Spaces key_of(const Space& outer, const Space& inner);
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

} // namespace vitrine::dae
