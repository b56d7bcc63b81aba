#include "loaders/fbx/nodes/node_tree.hpp"

#include <algorithm>
#include <ranges>

#include "loaders/base/sort_unique.hpp"

namespace vitrine::fbx {
namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;

auto second_of(const std::vector<Pair>& pairs, std::uint32_t first)
{
    return std::ranges::equal_range(pairs, first, {}, &Pair::first) | std::views::values;
}

} // namespace

AnimatedNodes::AnimatedNodes(const LoadContext& context, const NodeTree& tree, const MeshMap& meshes)
    : context_(context), tree_(tree)
{
    const std::size_t objects = context_.document.objects().size();
    for (auto* visited : {&visited_whole_, &visited_scale_, &visited_visibility_})
        visited->assign(objects, 0);
    for (std::uint32_t n = 0; n < context_.scene.nodes.size(); ++n) {
        if (n < tree_.sources.size() && tree_.sources[n].model != no_object)
            nodes_of_.emplace_back(tree_.sources[n].model, n);
        if (context_.scene.nodes[n].mesh != scene::none)
            nodes_by_mesh_.emplace_back(context_.scene.nodes[n].mesh, n);
    }
    for (std::uint32_t model = 0; model < tree_.inheritance.size(); ++model) {
        const ScaleInheritance& own = tree_.inheritance[model];
        if (own.link != no_object) scale_descendants_.emplace_back(own.link, model);
        if (own.split_parent != no_object) scale_descendants_.emplace_back(own.split_parent, model);
    }
    for (std::uint32_t mesh = 0; mesh < meshes.channels.size(); ++mesh)
        for (const MorphChannel& channel : meshes.channels[mesh])
            meshes_of_.emplace_back(channel.channel, mesh);
    add_visibility();
    for (Pairs* pairs :
         {&nodes_of_, &nodes_by_mesh_, &scale_descendants_, &visibility_descendants_, &meshes_of_})
        std::ranges::sort(*pairs);
}

// Nodes follow their parents, and a model's visibility depends on models above it.
void AnimatedNodes::add_visibility()
{
    std::vector<bool> is_statically_hidden(tree_.visibility.size(), false);
    std::vector<bool> is_known(tree_.visibility.size(), false);
    for (std::uint32_t n = 0; n < tree_.sources.size(); ++n) {
        const auto [model, part] = tree_.sources[n];
        if (model == no_object || tree_.visibility[model].is_still()) continue;
        const VisibilityLink& link = tree_.visibility[model];
        if (!is_known[model]) {
            is_known[model] = true;
            if (link.above != no_object) visibility_descendants_.emplace_back(link.above, model);
            const bool own = link.moves && !(static_visibility(context_.document.object(model)) > 0.0);
            is_statically_hidden[model] =
                own || (link.above != no_object && is_statically_hidden[link.above]);
        }
        if (part == NodePart::geometry && is_statically_hidden[model]) hidden_nodes_.push_back(n);
    }
}

void AnimatedNodes::add_with_descendants(std::uint32_t object, const Pairs& descendants,
                                         std::vector<std::uint32_t>& visited,
                                         std::vector<std::uint32_t>& nodes)
{
    std::vector<std::uint32_t> open{object};
    while (!open.empty()) {
        const std::uint32_t at = open.back();
        open.pop_back();
        if (std::exchange(visited[at], visit_) == visit_) continue;
        std::ranges::copy(second_of(nodes_of_, at), std::back_inserter(nodes));
        std::ranges::copy(second_of(descendants, at), std::back_inserter(open));
    }
}

std::vector<std::uint32_t> AnimatedNodes::find(const AnimationStack& stack)
{
    static const Pairs none;
    ++visit_;
    std::vector<std::uint32_t> nodes = hidden_nodes_;
    for (const CurveNode& node : stack.nodes) {
        if (node.property == "Lcl Scaling")
            add_with_descendants(node.object, scale_descendants_, visited_scale_, nodes);
        else if (node.property == "Visibility")
            add_with_descendants(node.object, visibility_descendants_, visited_visibility_, nodes);
        else if (std::exchange(visited_whole_[node.object], visit_) != visit_) {
            std::ranges::copy(second_of(nodes_of_, node.object), std::back_inserter(nodes));
            for (const std::uint32_t mesh : second_of(meshes_of_, node.object))
                std::ranges::copy(second_of(nodes_by_mesh_, mesh), std::back_inserter(nodes));
        }
    }
    sort_unique(nodes);
    return nodes;
}

} // namespace vitrine::fbx
