#include "loaders/fbx/nodes/node_tree.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "loaders/fbx/nodes/visibility.hpp"
#include "loaders/fbx/transforms/model_transform.hpp"
#include "loaders/io/limits.hpp"

namespace vitrine::fbx {
namespace {

// Products of a file's numbers may exceed single precision; they are clamped to its range.
glm::vec3 to_float(const glm::dvec3& v)
{
    constexpr double max_float_magnitude = 1e38;
    glm::vec3 out(0.0f);
    for (int axis = 0; axis < 3; ++axis)
        out[axis] = static_cast<float>(
            std::clamp(std::isnan(v[axis]) ? 0.0 : v[axis], -max_float_magnitude, max_float_magnitude));
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

class TreeBuilder {
public:
    TreeBuilder(const LoadContext& context, const AnimationStacks& animation)
        : context_(context), animation_(animation), scales_(context.document, animation)
    {
        const std::size_t count = context_.document.objects().size();
        tree_.map.node_of.assign(count, scene::none);
        tree_.map.drawing_node_of.assign(count, scene::none);
        tree_.visibility.resize(count);
        base_.assign(count, scene::none);
        visited_.assign(count, false);
        parent_.assign(count, 0);
    }

    LoadResult<NodeTree> run();

private:
    struct Visibility {
        bool hidden = false;
        scene::LevelRange levels{};
    };
    struct Visit {
        std::uint32_t model;
        std::uint32_t parent;
        std::uint32_t depth;
        Visibility above{}; // of the parent, or the group that it is
    };

    LoadResult<void> walk(std::uint32_t first, std::uint32_t parent);
    void push_children(const Visit& visit, const Visibility& own, std::vector<Visit>& stack) const;
    LoadResult<void> add_model(const Visit& visit, const Visibility& own);
    std::uint32_t add_node(std::string name, std::uint32_t parent, NodeSource source, const DoubleTrs& local,
                           const Visibility& own);
    void add_holder(std::uint32_t model, const Object& object, const Visibility& own);
    bool is_hidden(const Visit& visit) const;
    Visibility visibility_of(const Visit& visit) const;
    bool appears_in_clip(std::uint32_t model) const;
    LoadResult<void> link_visibility(const Visit& visit);
    std::size_t models_above(std::uint32_t object) const;
    bool is_model(std::uint32_t object) const
    {
        return context_.document.object(object).type == ObjectType::model;
    }

    const LoadContext& context_;
    const AnimationStacks& animation_;
    NodeTree tree_;
    ScaleInheritances scales_;
    std::vector<std::uint32_t>
        base_; // by object: the model's first node, without its scale where the model is split
    std::vector<bool> visited_;
    std::vector<std::uint32_t> parent_; // by object: model, 0 for the root
};

LoadResult<NodeTree> TreeBuilder::run()
{
    const auto models = context_.document.objects_of_type(ObjectType::model);
    if (models.size() > context_.limits.nodes)
        return io::limit_exceeded_error({}, fmt::format("{} models", models.size()), "nodes",
                                        context_.limits.nodes);
    visited_[0] = true;
    for (const ObjectConnection& connection : context_.document.sources(0)) {
        if (models_above(connection.source) > 0) continue; // those models have it already
        if (auto done = walk(connection.source, 0); !done) return std::unexpected(done.error());
    }
    // Models without a parent, or in a cycle.
    for (const std::uint32_t model : models) {
        if (models_above(model) > 1)
            context_.warnings.add("second_parent", "a model has two parents; the first is used",
                                  context_.document.object(model).element.location());
        if (auto done = walk(model, 0); !done) return std::unexpected(done.error());
    }
    tree_.inheritance = scales_.take();
    tree_.is_link.assign(tree_.inheritance.size(), false);
    for (const ScaleInheritance& inheritance : tree_.inheritance)
        for (const std::uint32_t object : {inheritance.link, inheritance.split_parent})
            if (object != no_object) tree_.is_link[object] = true;
    return std::move(tree_);
}

std::size_t TreeBuilder::models_above(std::uint32_t object) const
{
    std::size_t count = 0;
    std::uint32_t last = 0;
    for (const ObjectConnection& connection : context_.document.destinations(object)) {
        const std::uint32_t above = connection.destination;
        if (above == last || !is_model(above) || !connection.destination_property.empty()) continue;
        last = above;
        ++count;
    }
    return count;
}

LoadResult<void> TreeBuilder::walk(std::uint32_t first, std::uint32_t parent)
{
    std::vector<Visit> stack{{first, parent, 1}};
    while (!stack.empty()) {
        const Visit visit = stack.back();
        stack.pop_back();
        if (visited_[visit.model] || !is_model(visit.model)) continue;
        visited_[visit.model] = true;
        if (visit.depth / io::node_depth_factor >= context_.limits.depth)
            return io::limit_exceeded_error(
                context_.document.object(visit.model).element.location(),
                fmt::format("the nesting of nodes, of which {} levels count as one", io::node_depth_factor),
                "depth", context_.limits.depth);
        if (auto linked = link_visibility(visit); !linked) return linked;
        const Visibility own = visibility_of(visit);
        if (auto added = add_model(visit, own); !added) return added;
        push_children(visit, own, stack);
    }
    return {};
}

// In reverse, because the stack returns the last one first.
void TreeBuilder::push_children(const Visit& visit, const Visibility& own, std::vector<Visit>& stack) const
{
    const auto first = stack.size();
    for (const ObjectConnection& connection : context_.document.sources(visit.model))
        if (is_model(connection.source) && connection.destination_property.empty())
            stack.push_back({connection.source, visit.model, visit.depth + 1, own});
    const auto children = std::span(stack).subspan(first);
    const std::vector<GroupChild> in_group =
        children_of_group(context_.document, visit.model, children.size());
    for (std::size_t i = 0; i < in_group.size(); ++i) {
        Visibility& child = children[i].above;
        child.levels = {std::max(own.levels.first, in_group[i].levels.first),
                        std::min(own.levels.last, in_group[i].levels.last)};
        const bool in_no_level = child.levels.first > child.levels.last;
        if (in_no_level) child.levels = {};
        child.hidden = own.hidden || in_group[i].hidden || in_no_level;
    }
    const bool hides = std::ranges::any_of(
        in_group, [](const GroupChild& child) { return child.hidden || child.levels.first > 0; });
    if (hides && context_.warnings.accepts("fbx_lod_hidden"))
        context_.warnings.store(
            "fbx_lod_hidden",
            "levels of detail are hidden; only the first, or those that the file shows, are visible",
            context_.document.object(visit.model).element.location());
    std::ranges::reverse(children);
}

// A model that is hidden in the static pose and shown in some clip is visible throughout: showing too much is
// preferred to hiding content.
bool TreeBuilder::appears_in_clip(std::uint32_t model) const
{
    return std::ranges::any_of(animation_.stacks_of(model), [&](const AnimationStack& stack) {
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
    const Properties& properties = context_.document.object(visit.model).properties;
    if (!properties.boolean("Show", true)) return true;
    if (static_visibility(context_.document.object(visit.model)) <= 0.0 && !appears_in_clip(visit.model))
        return true;
    for (const ObjectConnection& connection : context_.document.destinations(visit.model)) {
        const Object& layer = context_.document.object(connection.destination);
        if (layer.sub_type == "DisplayLayer" && !layer.properties.boolean("Show", true)) return true;
    }
    return visit.above.hidden && properties.boolean("Visibility Inheritance", true);
}

TreeBuilder::Visibility TreeBuilder::visibility_of(const Visit& visit) const
{
    const Properties& properties = context_.document.object(visit.model).properties;
    return {is_hidden(visit),
            properties.boolean("Visibility Inheritance", true) ? visit.above.levels : scene::LevelRange{}};
}

// Precondition: the parent is linked.
LoadResult<void> TreeBuilder::link_visibility(const Visit& visit)
{
    const Object& object = context_.document.object(visit.model);
    VisibilityLink& link = tree_.visibility[visit.model];
    if (visit.parent != 0 && object.properties.boolean("Visibility Inheritance", true)) {
        const VisibilityLink& above = tree_.visibility[visit.parent];
        link.above = above.moves ? visit.parent : above.above;
    }
    for (const AnimationStack& stack : animation_.stacks_of(visit.model)) {
        if (link.moves || stack.find(visit.model, "Visibility").empty()) continue;
        const auto toggles = read_toggles(context_.document, animation_, stack, visit.model);
        if (!toggles) return std::unexpected(toggles.error());
        link.moves = !toggles->times.empty() || toggles->shown_at_first != (static_visibility(object) > 0.0);
    }
    return {};
}

std::uint32_t TreeBuilder::add_node(std::string name, std::uint32_t parent, NodeSource source,
                                    const DoubleTrs& local, const Visibility& own)
{
    context_.scene.nodes.push_back({.name = std::move(name),
                                    .parent = parent,
                                    .local = to_float(local),
                                    .matrix = {},
                                    .morph_weights = {},
                                    .visible = !own.hidden && own.levels.first == 0,
                                    .levels = own.hidden ? scene::LevelRange{} : own.levels});
    tree_.sources.push_back(source);
    return static_cast<std::uint32_t>(context_.scene.nodes.size() - 1);
}

void TreeBuilder::add_holder(std::uint32_t model, const Object& object, const Visibility& own)
{
    std::uint32_t& holder = tree_.map.drawing_node_of[model];
    holder = tree_.map.node_of[model];
    const DoubleTrs geometric = geometric_trs(object.properties);
    if (is_identity(geometric) && tree_.visibility[model].is_still()) return;
    const bool shows = std::ranges::any_of(context_.document.sources(model), [&](const ObjectConnection& c) {
        const ObjectType type = context_.document.object(c.source).type;
        return type == ObjectType::mesh || type == ObjectType::surface;
    });
    if (!shows) return;
    const std::uint32_t node = holder;
    holder = add_node(object.name + ".geometry", node, {model, NodePart::geometry}, geometric, own);
    context_.scene.nodes[holder].helper_of = node;
}

LoadResult<void> TreeBuilder::add_model(const Visit& visit, const Visibility& own)
{
    const std::uint32_t model = visit.model, parent = visit.parent;
    const Object& object = context_.document.object(model);
    if (auto read = scales_.read(model, parent, visited_); !read) return read;
    const bool is_split = scales_.is_split(model);
    DoubleTrs local = scales_.apply(model, local_trs(read_transform(context_.document, model)));
    const std::uint32_t above = parent == 0                     ? scene::none
                                : scales_.is_below_split(model) ? base_[parent]
                                                                : tree_.map.node_of[parent];
    const DoubleTrs scale{.scale = local.scale};
    if (is_split) local.scale = glm::dvec3(1.0);
    const NodePart part = is_split ? NodePart::unscaled : NodePart::whole;
    const std::string name = is_split ? object.name + ".unscaled" : object.name;
    base_[model] = add_node(name, above, {model, part}, local, own);
    tree_.map.node_of[model] = base_[model];
    if (is_split) {
        tree_.map.node_of[model] = add_node(object.name, base_[model], {model, NodePart::scale}, scale, own);
        context_.scene.nodes[base_[model]].helper_of = tree_.map.node_of[model];
    }
    add_holder(model, object, own);
    return {};
}

} // namespace

LoadResult<NodeTree> add_nodes(const LoadContext& context, const AnimationStacks& animation)
{
    return TreeBuilder(context, animation).run();
}

} // namespace vitrine::fbx
