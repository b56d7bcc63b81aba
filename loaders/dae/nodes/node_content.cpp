#include "loaders/dae/nodes/nodes.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "loaders/dae/animation/animations.hpp"
#include "loaders/dae/document/numbers.hpp"
#include "loaders/io/text/text_reader.hpp"

namespace vitrine::dae {
namespace {

// Maya and others write visibility into an <extra>.
bool hides(io::XmlNode extra)
{
    for (io::XmlNode t = extra.child("technique"); t.exists(); t = t.next("technique")) {
        const io::XmlNode visibility = t.child("visibility");
        if (visibility.exists() && read_flag(visibility.text()) == false) return true;
    }
    return false;
}

std::optional<ChildKind> child_kind(std::string_view name)
{
    if (name == "node") return ChildKind::node;
    if (name == "instance_node") return ChildKind::instance_node;
    if (name == "instance_geometry" || name == "instance_controller") return ChildKind::drawn;
    if (name == "instance_camera") return ChildKind::camera;
    if (name == "instance_light") return ChildKind::light;
    return std::nullopt;
}

TransformElement fixed_matrix(const glm::dmat4& m)
{
    TransformElement element{.kind = TransformKind::matrix, .node = {}, .channel_bindings = {}};
    for (glm::length_t row = 0; row < 4; ++row)
        for (glm::length_t column = 0; column < 4; ++column)
            element.values[4 * static_cast<std::size_t>(row) + static_cast<std::size_t>(column)] =
                m[column][row];
    return element;
}

std::vector<TransformElement> read_elements(io::XmlNode dom, const Animations& animations,
                                            Documents& documents)
{
    std::vector<TransformElement> elements;
    for (const io::XmlNode child : dom)
        if (const auto kind = element_kind(child.name())) {
            TransformElement element = read_element(child, *kind, documents);
            element.channel_bindings = animations.channel_bindings_of(child);
            element.shears = shears(element, animations);
            elements.push_back(std::move(element));
        }
    return elements;
}

} // namespace

std::string name_of(io::XmlNode node)
{
    for (const std::string_view attribute : {"name", "id", "sid"})
        if (const auto name = node.attribute(attribute); !name.empty()) return io::to_utf8(name);
    return {};
}

NodeContent::NodeContent(io::XmlNode dom, const Documents& documents)
    : dom_(dom), name_(name_of(dom)), declared_(documents.declared_below_root(dom))
{
    bool camera = false, light = false;
    for (const io::XmlNode child : dom) {
        const std::string_view name = child.name();
        if (name == "extra") is_hidden_ = is_hidden_ || hides(child);
        const auto kind = child_kind(name);
        if (!kind) continue;
        if (kind == ChildKind::camera && std::exchange(camera, true)) continue;
        if (kind == ChildKind::light && std::exchange(light, true)) continue;
        children_.push_back({.kind = *kind, .node = child});
    }
}

NodeContent::Spaces NodeContent::key_of(const AssetSpace& outer, const AssetSpace& inner)
{
    Spaces key{};
    auto to = key.begin();
    for (const AssetSpace& space : {outer, inner}) {
        for (glm::length_t column = 0; column < 3; ++column)
            for (glm::length_t row = 0; row < 3; ++row)
                *to++ = double{space.axes[column][row]};
        *to++ = space.unit_meters;
    }
    return key;
}

void NodeContent::finish(NodeShape& shape)
{
    const bool moves = std::ranges::any_of(
        shape.elements, [](const TransformElement& e) { return !e.channel_bindings.empty(); });
    shape.segments = moves ? split_into_segments(shape.elements) : static_segment(shape.elements);
    for (TransformSegment& segment : shape.segments) {
        scene::Node rest;
        set_static_transform(segment, shape.elements, rest);
        segment.rest = rest.local;
        segment.static_matrix = rest.matrix;
    }
}

// Reads the elements from the file the first time, then copies them from an existing shape.
void NodeContent::add_elements(NodeShape& shape, const Animations& animations, Documents& documents)
{
    const NodeShape* known = plain_                         ? &*plain_
                             : others_ && !others_->empty() ? &others_->begin()->second
                                                            : nullptr;
    if (known != nullptr) {
        shape.elements.insert(shape.elements.end(), known->elements.end() - elements_, known->elements.end());
        return;
    }
    std::vector<TransformElement> read = read_elements(dom_, animations, documents);
    elements_ = static_cast<std::uint32_t>(read.size());
    std::size_t weight = read.size();
    for (const TransformElement& element : read)
        weight += element.channel_bindings.size();
    weight_ = static_cast<std::uint32_t>(weight);
    if (shape.elements.empty())
        shape.elements = std::move(read);
    else
        std::ranges::move(read, std::back_inserter(shape.elements));
}

const NodeShape& NodeContent::shape(const AssetSpace& outer, const AssetSpace& inner,
                                    const Animations& animations, Documents& documents)
{
    if (outer == inner) {
        if (plain_) return *plain_;
        NodeShape shape;
        add_elements(shape, animations, documents);
        finish(shape);
        ++shapes_;
        return plain_.emplace(std::move(shape));
    }
    if (!others_) others_ = std::make_unique<std::map<Spaces, NodeShape>>();
    const Spaces spaces = key_of(outer, inner);
    if (const auto known = others_->find(spaces); known != others_->end()) return known->second;
    NodeShape shape;
    shape.elements.push_back(fixed_matrix(between(outer, inner)));
    add_elements(shape, animations, documents);
    finish(shape);
    ++shapes_;
    return others_->emplace(spaces, std::move(shape)).first->second;
}

} // namespace vitrine::dae
