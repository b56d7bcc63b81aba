#include "loaders/dae/nodes.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "loaders/dae/numbers.hpp"
#include "loaders/dae/shearing.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/io/text_reader.hpp"

namespace vitrine::dae {
namespace {

// Maya and others write it into an <extra>.
bool is_hidden(io::XmlNode dom)
{
    for (io::XmlNode extra = dom.child("extra"); extra.exists(); extra = extra.next("extra"))
        for (io::XmlNode t = extra.child("technique"); t.exists(); t = t.next("technique")) {
            const io::XmlNode visibility = t.child("visibility");
            if (visibility.exists() && read_flag(visibility.text()) == false) return true;
        }
    return false;
}

Element fixed_matrix(const glm::dmat4& m)
{
    Element element{.kind = ElementKind::matrix, .node = {}, .movers = {}};
    for (glm::length_t row = 0; row < 4; ++row)
        for (glm::length_t column = 0; column < 4; ++column)
            element.values[4 * static_cast<std::size_t>(row) + static_cast<std::size_t>(column)] =
                m[column][row];
    return element;
}

} // namespace

std::string name_of(io::XmlNode node)
{
    for (const std::string_view attribute : {"name", "id", "sid"})
        if (const auto name = node.attribute(attribute); !name.empty()) return io::to_utf8(name);
    return {};
}

const std::vector<std::uint32_t>& NodeTree::instances_of(io::XmlNode dom) const
{
    static const std::vector<std::uint32_t> nowhere;
    const auto found = by_dom_.find(dom.key());
    return found == by_dom_.end() ? nowhere : found->second;
}

LoadResult<std::uint32_t> NodeTree::add_plain_node(std::string name, std::uint32_t parent)
{
    if (scene_.nodes.size() >= limits_.nodes) return io::over_limit({}, "nodes", limits_.nodes);
    scene::Node node;
    node.name = std::move(name);
    node.parent = parent;
    scene_.nodes.push_back(std::move(node));
    return static_cast<std::uint32_t>(scene_.nodes.size() - 1);
}

LoadResult<void> NodeTree::add_visual_scene(io::XmlNode visual_scene, const Space& file)
{
    for (const io::XmlNode child : visual_scene)
        if (child.is("node"))
            if (auto added = add_node(child, documents_.roots().front(), scene::none, file); !added)
                return added;
    return {};
}

LoadResult<void> NodeTree::add_node(io::XmlNode dom, io::XmlNode from, std::uint32_t parent,
                                    const Space& outer, bool visible)
{
    if (path_.size() >= limits_.depth)
        return io::over_limit(documents_.where(dom), "nodes are nested deeper", "depth", limits_.depth);
    const Space inner = space_of(dom, from, outer);
    visible = visible && !is_hidden(dom);
    NodeInstance instance{.dom = dom, .elements = {}, .runs = {}};
    if (auto added = documents_.at(dom, add_links(instance, parent, outer, inner, visible)); !added)
        return added;
    const std::uint32_t node = instance.node;
    by_dom_[dom.key()].push_back(static_cast<std::uint32_t>(instances_.size()));
    instances_.push_back(std::move(instance));
    path_.push_back(dom.key());
    auto added = add_children(dom, node, inner, visible);
    path_.pop_back();
    return added;
}

// Depth first, a tree stands in one piece.
LoadResult<std::uint32_t> NodeTree::add_copy(std::uint32_t root, std::uint32_t parent)
{
    const auto copy = static_cast<std::uint32_t>(scene_.nodes.size());
    std::uint32_t end = root;
    do {
        if (scene_.nodes.size() >= limits_.nodes) return io::over_limit({}, "nodes", limits_.nodes);
        scene::Node node;
        node.name = scene_.nodes[end].name;
        node.local = scene_.nodes[end].local;
        node.matrix = scene_.nodes[end].matrix;
        node.parent = end == root ? parent : scene_.nodes[end].parent - root + copy;
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
        instances_.push_back(std::move(instance));
    }
    return copy;
}

LoadResult<void> NodeTree::add_links(NodeInstance& instance, std::uint32_t parent, const Space& outer,
                                     const Space& inner, bool visible)
{
    if (!(outer == inner)) instance.elements.push_back(fixed_matrix(between(outer, inner)));
    for (const io::XmlNode child : instance.dom)
        if (const auto kind = element_kind(child.name())) {
            Element element = read_element(child, *kind, documents_);
            element.movers = animations_.movers_of(child);
            element.shears = shears(element, animations_);
            instance.elements.push_back(std::move(element));
        }
    const bool moves =
        std::ranges::any_of(instance.elements, [](const Element& e) { return !e.movers.empty(); });
    instance.runs = moves ? split_into_runs(instance.elements) : rest_run(instance.elements);
    const std::string name = name_of(instance.dom);
    for (std::size_t r = 0; r < instance.runs.size(); ++r) {
        const bool last = r + 1 == instance.runs.size();
        auto node = add_plain_node(last ? name : fmt::format("{} transform {}", name, r + 1), parent);
        if (!node) return std::unexpected(node.error());
        set_rest(instance.runs[r], instance.elements, scene_.nodes[*node]);
        scene_.nodes[*node].visible = visible;
        if (r == 0) instance.first_link = *node;
        parent = instance.node = *node;
    }
    return {};
}

LoadResult<void> NodeTree::add_children(io::XmlNode dom, std::uint32_t node, const Space& space, bool visible)
{
    for (const io::XmlNode child : dom) {
        if (child.is("node")) {
            if (auto added = add_node(child, child, node, space, visible); !added) return added;
        } else if (child.is("instance_node")) {
            if (auto added = follow(child, node, space, visible); !added) return added;
        } else if (child.is("instance_geometry") || child.is("instance_controller")) {
            drawn_.push_back({child, node, space});
        } else if (child.is("instance_camera")) {
            warn_once(camera_said_, "cameras_ignored",
                      "the file's cameras are not shown; the model is framed as a whole", child);
        } else if (child.is("instance_light")) {
            warn_once(light_said_, "lights_ignored", "the file's lights are not shown; ours light the model",
                      child);
        }
    }
    return {};
}

void NodeTree::warn_once(bool& said, std::string_view code, std::string_view message, io::XmlNode at)
{
    if (!std::exchange(said, true)) documents_.warn(code, message, at);
}

LoadResult<void> NodeTree::follow(io::XmlNode instance_node, std::uint32_t parent, const Space& space,
                                  bool visible)
{
    const io::XmlNode dom = documents_.find(instance_node, instance_node.attribute("url"));
    if (!dom.is("node")) return {};
    if (std::ranges::find(path_, dom.key()) != path_.end()) {
        documents_.warn("node_cycle", "a node instantiates itself; that instance is left out", instance_node);
        return {};
    }
    return add_node(dom, instance_node, parent, space, visible);
}

} // namespace vitrine::dae
