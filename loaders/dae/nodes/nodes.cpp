#include "loaders/dae/nodes/nodes.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "loaders/io/limits.hpp"

namespace vitrine::dae {
const std::vector<std::uint32_t>& NodeTree::instances_of(io::XmlNode dom) const
{
    static const std::vector<std::uint32_t> nowhere;
    const auto found = contents_.find(dom.key());
    return found == contents_.end() ? nowhere : found->second.instances;
}

NodeContent& NodeTree::content_of(io::XmlNode dom)
{
    return contents_.try_emplace(dom.key(), dom, documents_).first->second;
}

LoadResult<std::uint32_t> NodeTree::add_plain_node(std::string name, std::uint32_t parent)
{
    if (scene_.nodes.size() >= limits_.nodes) return io::limit_exceeded_error({}, "nodes", limits_.nodes);
    scene::Node node;
    node.name = std::move(name);
    node.parent = parent;
    scene_.nodes.push_back(std::move(node));
    return static_cast<std::uint32_t>(scene_.nodes.size() - 1);
}

LoadResult<void> NodeTree::add_visual_scene(io::XmlNode visual_scene, const AssetSpace& file)
{
    for (const io::XmlNode child : visual_scene)
        if (child.is("node"))
            if (auto added = add_node(child, documents_.roots().front(), scene::none, file); !added)
                return added;
    return {};
}

LoadResult<void> NodeTree::add_node(io::XmlNode dom, io::XmlNode from, std::uint32_t parent,
                                    const AssetSpace& outer, bool visible)
{
    if (path_.size() >= limits_.depth)
        return io::limit_exceeded_error(documents_.where(dom), "the nesting of nodes", "depth",
                                        limits_.depth);
    NodeContent& content = content_of(dom);
    const AssetSpace inner = documents_.space_of(dom, content.declared(), from, outer);
    visible = visible && !content.is_hidden();
    NodeInstance instance{.dom = dom};
    if (auto found = find_shape(content, instance, outer, inner); !found) return found;
    if (auto added = documents_.at(dom, add_links(content, instance, parent, visible)); !added) return added;
    const std::uint32_t node = instance.node;
    content.instances.push_back(static_cast<std::uint32_t>(instances_.size()));
    instances_.push_back(instance);
    path_.push_back(dom.key());
    auto added = add_children(content, node, inner, visible);
    path_.pop_back();
    return added;
}

// Nodes are in depth-first order, so a subtree is contiguous.
LoadResult<std::uint32_t> NodeTree::add_copy(std::uint32_t root, std::uint32_t parent)
{
    const auto copy = static_cast<std::uint32_t>(scene_.nodes.size());
    std::uint32_t end = root;
    do {
        if (scene_.nodes.size() >= limits_.nodes) return io::limit_exceeded_error({}, "nodes", limits_.nodes);
        scene::Node node;
        node.name = scene_.nodes[end].name;
        node.local = scene_.nodes[end].local;
        node.matrix = scene_.nodes[end].matrix;
        node.parent = end == root ? parent : scene_.nodes[end].parent - root + copy;
        if (const auto of = scene_.nodes[end].helper_of; of != scene::none) node.helper_of = of - root + copy;
        scene_.nodes.push_back(std::move(node));
        ++end;
    } while (end < copy && scene_.nodes[end].parent != scene::none && scene_.nodes[end].parent >= root);
    const auto first = std::ranges::lower_bound(instances_, root, {}, &NodeInstance::first_link);
    const auto before = instances_.size();
    for (auto i = static_cast<std::size_t>(first - instances_.begin()); i < before; ++i) {
        NodeInstance instance = instances_[i];
        if (instance.first_link >= end) break;
        instance.first_link += copy - root;
        instance.node += copy - root;
        instance.is_copy = true;
        instances_.push_back(instance);
    }
    return copy;
}

LoadResult<void> NodeTree::find_shape(NodeContent& content, NodeInstance& instance, const AssetSpace& outer,
                                      const AssetSpace& inner)
{
    const std::uint64_t before = content.duplicate_count();
    instance.shape = &content.shape(outer, inner, animations_, documents_);
    duplicate_count_ += content.duplicate_count() - before;
    if (duplicate_count_ <= limits_.nodes) return {};
    return io::limit_exceeded_error(documents_.where(instance.dom),
                                    "the transforms of nodes placed in several units or axes", "nodes",
                                    limits_.nodes);
}

LoadResult<void> NodeTree::add_links(NodeContent& content, NodeInstance& instance, std::uint32_t parent,
                                     bool visible)
{
    const NodeShape& shape = *instance.shape;
    for (std::size_t r = 0; r < shape.segments.size(); ++r) {
        const bool last = r + 1 == shape.segments.size();
        auto node = add_plain_node(
            last ? content.name() : fmt::format("{} transform {}", content.name(), r + 1), parent);
        if (!node) return std::unexpected(node.error());
        scene_.nodes[*node].local = shape.segments[r].rest;
        scene_.nodes[*node].matrix = shape.segments[r].static_matrix;
        scene_.nodes[*node].visible = visible;
        if (r == 0) instance.first_link = *node;
        parent = instance.node = *node;
    }
    for (std::uint32_t link = instance.first_link; link < instance.node; ++link)
        scene_.nodes[link].helper_of = instance.node;
    return {};
}

LoadResult<void> NodeTree::add_children(NodeContent& content, std::uint32_t node, const AssetSpace& space,
                                        bool visible)
{
    for (NodeChild& child : content.children()) {
        LoadResult<void> added;
        switch (child.kind) {
        case ChildKind::node: added = add_node(child.node, child.node, node, space, visible); break;
        case ChildKind::instance_node: added = follow(child, node, space, visible); break;
        case ChildKind::drawn: added = draw(child.node, node, space); break;
        case ChildKind::camera:
            warn_once(camera_warned_, "cameras_ignored",
                      "the file's cameras are ignored; the view frames the whole model", child.node);
            break;
        case ChildKind::light:
            warn_once(light_warned_, "lights_ignored",
                      "the file's lights are ignored; the default lighting is used", child.node);
            break;
        }
        if (!added) return added;
    }
    return {};
}

// Instances that draw nothing have no node, so placements have their own limit.
LoadResult<void> NodeTree::draw(io::XmlNode instance, std::uint32_t node, const AssetSpace& space)
{
    if (drawn_.size() >= limits_.nodes)
        return io::limit_exceeded_error(documents_.where(instance), "the placements of meshes", "nodes",
                                        limits_.nodes);
    drawn_.push_back({instance, node, space});
    return {};
}

void NodeTree::warn_once(bool& declared, std::string_view code, std::string_view message, io::XmlNode at)
{
    if (!std::exchange(declared, true)) documents_.warn(code, message, at);
}

LoadResult<void> NodeTree::follow(NodeChild& child, std::uint32_t parent, const AssetSpace& space,
                                  bool visible)
{
    if (++followed_ > limits_.nodes)
        return io::limit_exceeded_error(documents_.where(child.node), "the placements of nodes", "nodes",
                                        limits_.nodes);
    if (!std::exchange(child.is_followed, true)) {
        const std::string_view url = child.node.attribute("url");
        child.target = documents_.find(child.node, url);
        child.is_unresolved = !child.target.exists() && !url.empty();
    } else if (child.is_unresolved) {
        documents_.warn_missing(child.node);
    }
    const io::XmlNode dom = child.target;
    if (!dom.is("node")) return {};
    if (std::ranges::find(path_, dom.key()) != path_.end()) {
        documents_.warn("node_cycle", "a node instantiates itself; the instance is ignored", child.node);
        return {};
    }
    return add_node(dom, child.node, parent, space, visible);
}

} // namespace vitrine::dae
