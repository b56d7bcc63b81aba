#pragma once
// A <node> as it is read: once, however often it is placed, so that placing it costs what it brings to the
// scene and not what the file wrote into it.

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

// The transforms of a node, between coordinates around and inside it.
struct NodeShape {
    std::vector<Element> elements;
    std::vector<TransformSegment> segments; // with their rest
};

enum class ChildKind : std::uint8_t { node, instance_node, drawn, camera, light };

struct NodeChild {
    ChildKind kind = ChildKind::node;
    io::XmlNode node;
    // Of an <instance_node>, once it was followed.
    bool is_followed = false;
    bool is_unresolved = false; // its URL leads nowhere
    io::XmlNode target{};
};

class NodeContent {
public:
    // Reads all but the transforms.
    NodeContent(io::XmlNode dom, const Documents& documents);

    const std::string& name() const { return name_; }
    bool is_hidden() const { return is_hidden_; }
    const DeclaredSpace& declared() const { return declared_; }
    // What is placed or drawn below; of cameras and lights the first.
    std::vector<NodeChild>& children() { return children_; }

    // Valid as long as this.
    const NodeShape& shape(const Space& outer, const Space& inner, const Animations& animations,
                           Documents& documents);
    // Elements, and curves that move them, that were kept again because the node stands between coordinates
    // of another unit or axes.
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
    std::optional<NodeShape> plain_;                      // between the same coordinates, as nearly always
    std::unique_ptr<std::map<Spaces, NodeShape>> others_; // between others: behind a matrix
    std::uint32_t shapes_ = 0;                            // of both
    std::uint32_t elements_ = 0, weight_ = 0;             // of the file; and with the movers
    bool is_hidden_ = false;
};

// name, else id, else sid.
std::string name_of(io::XmlNode node);

} // namespace vitrine::dae
