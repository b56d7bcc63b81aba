#include "loaders/fbx/node_tree.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "loaders/fbx/geometric.hpp"
#include "loaders/fbx/levels_of_detail.hpp"
#include "loaders/io/limits.hpp"

namespace vitrine::fbx {
namespace {

glm::dvec3 finite_vec3(const Properties& properties, std::string_view name, const glm::dvec3& fallback)
{
    const glm::dvec3 v = properties.vec3(name, fallback);
    for (int axis = 0; axis < 3; ++axis)
        if (!(std::abs(v[axis]) < 1e30)) return fallback;
    return v;
}

// Numbers that leave single precision, as products of a file's numbers may, stop at its end.
glm::vec3 to_float(const glm::dvec3& v)
{
    constexpr double end = 1e38;
    glm::vec3 out(0.0f);
    for (int axis = 0; axis < 3; ++axis)
        out[axis] = static_cast<float>(std::clamp(std::isnan(v[axis]) ? 0.0 : v[axis], -end, end));
    return out;
}

scene::Trs to_float(const DoubleTrs& t)
{
    return {.translation = to_float(t.translation),
            .rotation = glm::quat(t.rotation),
            .scale = to_float(t.scale)};
}

bool is_identity(const DoubleTrs& t)
{
    return t.translation == glm::dvec3(0.0) && t.rotation == glm::dquat(1.0, 0.0, 0.0, 0.0) &&
           t.scale == glm::dvec3(1.0);
}

void read_channels(const Document& document, std::uint32_t model, NodeTransform& t)
{
    const ChannelDefaults* defaults = document.channel_defaults(model);
    for (std::size_t property = 0; defaults != nullptr && property < defaults->size(); ++property) {
        const glm::dvec3& v = (*defaults)[property];
        for (int axis = 0; axis < 3; ++axis)
            if (!std::isnan(v[axis])) t.values[property][axis] = v[axis];
    }
}

bool is_uniform(const glm::dvec3& v)
{
    return v.x == v.y && v.y == v.z;
}

class TreeBuilder {
public:
    TreeBuilder(const Import& import, const Animation& animation) : in_(import), animation_(animation)
    {
        const std::size_t count = in_.document.objects().size();
        tree_.map.node_of.assign(count, scene::none);
        tree_.map.holder_of.assign(count, scene::none);
        tree_.inheritance.resize(count);
        tree_.visibility.resize(count);
        base_.assign(count, scene::none);
        visited_.assign(count, false);
        parent_.assign(count, 0);
    }

    LoadResult<NodeTree> run();

private:
    struct Visit {
        std::uint32_t model;
        std::uint32_t parent;
        std::uint32_t depth;
        bool hidden;
    };

    LoadResult<void> walk(std::uint32_t first, std::uint32_t parent);
    void push_children(const Visit& visit, bool hidden, std::vector<Visit>& stack) const;
    LoadResult<void> add_model(const Visit& visit, bool hidden);
    LoadResult<bool> splits(std::uint32_t model);
    void inherit(std::uint32_t model, std::uint32_t parent);
    std::uint32_t add_node(std::string name, std::uint32_t parent, NodeSource source, const DoubleTrs& local,
                           bool visible);
    void add_holder(std::uint32_t model, const Object& object, bool visible);
    LoadResult<void> check_scale(std::uint32_t model, bool& uniform, bool& constant) const;
    glm::dvec3 resting_scale(std::uint32_t model) const;
    glm::dvec3 inherited_scale(std::uint32_t model) const;
    bool is_hidden(const Visit& visit) const;
    bool appears_in_clip(std::uint32_t model) const;
    LoadResult<void> link_visibility(const Visit& visit);

    InheritType inherit_type(std::uint32_t model) const
    {
        const std::int64_t type = in_.document.object(model).properties.integer("InheritType", 1);
        return type == 0 ? InheritType::RrSs : type == 2 ? InheritType::Rrs : InheritType::RSrs;
    }
    std::size_t models_above(std::uint32_t object) const;
    bool is_model(std::uint32_t object) const { return in_.document.object(object).type == Type::model; }

    const Import& in_;
    const Animation& animation_;
    NodeTree tree_;
    std::vector<std::uint32_t>
        base_; // by object: the model's first node, without its scale where it is split
    std::vector<bool> visited_;
    std::vector<std::uint32_t> parent_; // by object: model, 0 for the root
};

LoadResult<NodeTree> TreeBuilder::run()
{
    const auto models = in_.document.objects_of_type(Type::model);
    if (models.size() > in_.limits.nodes)
        return io::over_limit({}, fmt::format("the file has {} models, more", models.size()), "nodes",
                              in_.limits.nodes);
    visited_[0] = true;
    for (const Connection& connection : in_.document.sources(0)) {
        if (models_above(connection.source) > 0) continue; // shown below those
        if (auto done = walk(connection.source, 0); !done) return std::unexpected(done.error());
    }
    // What hangs nowhere, or in a circle.
    for (const std::uint32_t model : models) {
        if (models_above(model) > 1)
            in_.warnings.add("second_parent", "a model hangs below two others; it is shown below one of them",
                             in_.document.object(model).element.place());
        if (auto done = walk(model, 0); !done) return std::unexpected(done.error());
    }
    return std::move(tree_);
}

std::size_t TreeBuilder::models_above(std::uint32_t object) const
{
    std::size_t count = 0;
    std::uint32_t last = 0;
    for (const Connection& connection : in_.document.destinations(object)) {
        const std::uint32_t above = connection.destination;
        if (above == last || !is_model(above) || !connection.destination_property.empty()) continue;
        last = above;
        ++count;
    }
    return count;
}

LoadResult<void> TreeBuilder::walk(std::uint32_t first, std::uint32_t parent)
{
    std::vector<Visit> stack{{first, parent, 1, false}};
    while (!stack.empty()) {
        const Visit visit = stack.back();
        stack.pop_back();
        if (visited_[visit.model] || !is_model(visit.model)) continue;
        visited_[visit.model] = true;
        if (visit.depth / io::depths_of_nodes >= in_.limits.depth)
            return io::over_limit(in_.document.object(visit.model).element.place(),
                                  fmt::format("the nodes are nested {} times deeper", io::depths_of_nodes),
                                  "depth", in_.limits.depth);
        if (auto linked = link_visibility(visit); !linked) return linked;
        const bool hidden = is_hidden(visit);
        if (auto added = add_model(visit, hidden); !added) return added;
        push_children(visit, hidden, stack);
    }
    return {};
}

// In reverse, for the stack hands out the last one first.
void TreeBuilder::push_children(const Visit& visit, bool hidden, std::vector<Visit>& stack) const
{
    const auto first = stack.size();
    for (const Connection& connection : in_.document.sources(visit.model))
        if (is_model(connection.source) && connection.destination_property.empty())
            stack.push_back({connection.source, visit.model, visit.depth + 1, hidden});
    const auto children = std::span(stack).subspan(first);
    const std::vector<bool> lower = hidden_levels(in_.document, visit.model, children.size());
    for (std::size_t i = 0; i < lower.size(); ++i)
        children[i].hidden = children[i].hidden || lower[i];
    if (std::ranges::find(lower, true) != lower.end() && in_.warnings.wants("fbx_lod_hidden"))
        in_.warnings.keep("fbx_lod_hidden", "only one level of detail is shown, or those that the file says",
                          in_.document.object(visit.model).element.place());
    std::ranges::reverse(children);
}

// What is hidden at rest and comes in some clip is shown throughout: rather too much than not at all.
bool TreeBuilder::appears_in_clip(std::uint32_t model) const
{
    return std::ranges::any_of(animation_.stacks(), [&](const AnimationStack& stack) {
        if (stack.find(model, "Visibility").empty()) return false;
        const auto shown =
            animation_.property(stack, model, "Visibility", PropertyKind::plain, glm::dvec3(0.0));
        return shown && std::ranges::any_of(shown->curves(), [](const Curve* curve) {
                   return std::ranges::any_of(curve->keys,
                                              [](const CurveKey& key) { return key.value > 0.0; });
               });
    });
}

bool TreeBuilder::is_hidden(const Visit& visit) const
{
    const Properties& properties = in_.document.object(visit.model).properties;
    if (!properties.boolean("Show", true)) return true;
    if (resting_visibility(in_.document.object(visit.model)) <= 0.0 && !appears_in_clip(visit.model))
        return true;
    for (const Connection& connection : in_.document.destinations(visit.model)) {
        const Object& layer = in_.document.object(connection.destination);
        if (layer.sub_type == "DisplayLayer" && !layer.properties.boolean("Show", true)) return true;
    }
    return visit.hidden && properties.boolean("Visibility Inheritance", true);
}

// Precondition: the parent is linked.
LoadResult<void> TreeBuilder::link_visibility(const Visit& visit)
{
    const Object& object = in_.document.object(visit.model);
    VisibilityLink& link = tree_.visibility[visit.model];
    if (visit.parent != 0 && object.properties.boolean("Visibility Inheritance", true)) {
        const VisibilityLink& above = tree_.visibility[visit.parent];
        link.above = above.moves ? visit.parent : above.above;
    }
    for (const AnimationStack& stack : animation_.stacks()) {
        if (link.moves || stack.find(visit.model, "Visibility").empty()) continue;
        const auto toggles = toggles_of(in_.document, animation_, stack, visit.model);
        if (!toggles) return std::unexpected(toggles.error());
        link.moves = !toggles->times.empty() || toggles->shown_at_first != (resting_visibility(object) > 0.0);
    }
    return {};
}

// Whether a model's scale is the same along all axes, and at all times.
LoadResult<void> TreeBuilder::check_scale(std::uint32_t model, bool& uniform, bool& constant) const
{
    const glm::dvec3 resting = resting_scale(model);
    uniform = is_uniform(resting);
    constant = true;
    for (const AnimationStack& stack : animation_.stacks()) {
        if (!uniform) break;
        if (stack.find(model, "Lcl Scaling").empty()) continue;
        const auto scaling = animation_.property(stack, model, "Lcl Scaling", PropertyKind::scaling, resting);
        if (!scaling) return std::unexpected(scaling.error());
        uniform = scaling->is_uniform();
        constant = constant && scaling->is_constant() && scaling->sample(0.0, Side::after).value == resting;
    }
    return {};
}

// Whether the scale must stand in a node of its own, for the sake of children that do not take it whole.
LoadResult<bool> TreeBuilder::splits(std::uint32_t model)
{
    bool mixes = false, ignores = false;
    for (const Connection& connection : in_.document.sources(model)) {
        if (!is_model(connection.source) || visited_[connection.source]) continue;
        mixes = mixes || inherit_type(connection.source) == InheritType::RrSs;
        ignores = ignores || inherit_type(connection.source) == InheritType::Rrs;
    }
    if (!mixes && !ignores) return false;
    if (tree_.inheritance[model].link != no_object) return true;
    bool uniform = true, constant = true;
    if (auto checked = check_scale(model, uniform, constant); !checked)
        return std::unexpected(checked.error());
    return !uniform || (ignores && (!constant || resting_scale(model).x == 0.0));
}

// Precondition: the parent is known.
void TreeBuilder::inherit(std::uint32_t model, std::uint32_t parent)
{
    const InheritType type = inherit_type(model);
    if (parent == 0 || type == InheritType::RSrs) return;
    ScaleInheritance& own = tree_.inheritance[model];
    const ScaleInheritance& above = tree_.inheritance[parent];
    const bool is_split = base_[parent] != tree_.map.node_of[parent];
    if (is_split) {
        own.under = parent;
        own.link = type == InheritType::RrSs ? parent : above.link;
        own.factor = type == InheritType::RrSs ? 1.0 : above.factor;
    } else if (type == InheritType::Rrs) {
        own.factor = 1.0 / resting_scale(parent).x;
    }
}

glm::dvec3 TreeBuilder::resting_scale(std::uint32_t model) const
{
    return read_transform(in_.document, model)[TransformProperty::scaling];
}

glm::dvec3 TreeBuilder::inherited_scale(std::uint32_t model) const
{
    glm::dvec3 scale(1.0);
    for (std::uint32_t at = model; at != no_object; at = tree_.inheritance[at].link) {
        if (at != model) scale *= resting_scale(at);
        scale *= tree_.inheritance[at].factor;
    }
    return scale;
}

std::uint32_t TreeBuilder::add_node(std::string name, std::uint32_t parent, NodeSource source,
                                    const DoubleTrs& local, bool visible)
{
    in_.scene.nodes.push_back({.name = std::move(name),
                               .parent = parent,
                               .local = to_float(local),
                               .matrix = {},
                               .morph_weights = {},
                               .visible = visible});
    tree_.sources.push_back(source);
    return static_cast<std::uint32_t>(in_.scene.nodes.size() - 1);
}

void TreeBuilder::add_holder(std::uint32_t model, const Object& object, bool visible)
{
    std::uint32_t& holder = tree_.map.holder_of[model];
    holder = tree_.map.node_of[model];
    const DoubleTrs geometric = geometric_trs(object.properties);
    if (is_identity(geometric) && tree_.visibility[model].is_still()) return;
    const bool shows = std::ranges::any_of(in_.document.sources(model), [&](const Connection& c) {
        const Type type = in_.document.object(c.source).type;
        return type == Type::mesh || type == Type::surface;
    });
    if (shows)
        holder = add_node(object.name + ".geometry", holder, {model, NodePart::geometry}, geometric, visible);
}

LoadResult<void> TreeBuilder::add_model(const Visit& visit, bool hidden)
{
    const std::uint32_t model = visit.model, parent = visit.parent;
    const Object& object = in_.document.object(model);
    inherit(model, parent);
    const auto split = splits(model);
    if (!split) return std::unexpected(split.error());
    const ScaleInheritance& inheritance = tree_.inheritance[model];

    DoubleTrs local = local_trs(read_transform(in_.document, model));
    if (inheritance.under != no_object)
        local.translation *= resting_scale(inheritance.under) * inherited_scale(inheritance.under);
    local.scale *= inherited_scale(model);
    const bool below_base = inheritance.under != no_object;
    const std::uint32_t above = parent == 0  ? scene::none
                                : below_base ? base_[parent]
                                             : tree_.map.node_of[parent];
    const DoubleTrs scale{.scale = local.scale};
    if (*split) local.scale = glm::dvec3(1.0);
    const NodePart part = *split ? NodePart::unscaled : NodePart::whole;
    base_[model] = add_node(object.name, above, {model, part}, local, !hidden);
    tree_.map.node_of[model] =
        *split ? add_node(object.name + ".scale", base_[model], {model, NodePart::scale}, scale, !hidden)
               : base_[model];
    add_holder(model, object, !hidden);
    return {};
}

} // namespace

NodeTransform read_transform(const Document& document, std::uint32_t model)
{
    const Properties& properties = document.object(model).properties;
    NodeTransform t;
    read_channels(document, model, t);
    for (std::size_t i = 0; i < transform_property_count; ++i)
        t.values[i] = finite_vec3(properties, transform_property_names[i], t.values[i]);
    const std::int64_t order = properties.integer("RotationOrder");
    if (order >= 0 && order <= 6) t.order = static_cast<RotationOrder>(order);
    t.rotation_space =
        properties.boolean("RotationActive", true) && !properties.boolean("RotationSpaceForLimitOnly");
    return t;
}

LoadResult<NodeTree> add_nodes(const Import& import, const Animation& animation)
{
    return TreeBuilder(import, animation).run();
}

} // namespace vitrine::fbx
