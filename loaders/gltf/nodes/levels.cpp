// MSFT_lod: nodes that are drawn in place of another one at a distance.
#include "loaders/gltf/nodes/nodes.hpp"

#include <utility>

#include "loaders/gltf/document/accessor.hpp"
#include "loaders/gltf/document/fields.hpp"

namespace vitrine::gltf {
namespace {

constexpr std::size_t max_levels_of_a_node = 100;

std::vector<std::uint32_t> read_ids(Document& document, const io::JsonValue ids, std::uint32_t node,
                                    std::size_t nodes)
{
    std::vector<std::uint32_t> levels;
    for (const io::JsonValue id : ids) {
        const LoadResult<std::uint32_t> index = to_index(id, nodes);
        if (index && *index != node && levels.size() < max_levels_of_a_node) {
            levels.push_back(*index);
            continue;
        }
        document.warnings().add("invalid_node",
                                "a level of detail is not another node, or there are too many; it is ignored",
                                id.pointer());
    }
    return levels;
}

// Finds the root above a node while roots become children of other nodes.
class RootFinder {
public:
    explicit RootFinder(const scene::Scene& scene)
    {
        for (const scene::Node& node : scene.nodes)
            above_.push_back(node.parent);
    }

    // Whether some node is above itself; then there are nodes without a root.
    bool has_cycle() const
    {
        std::vector<std::uint32_t> visited_from(above_.size(), scene::none);
        for (std::uint32_t start = 0; start < above_.size(); ++start) {
            std::uint32_t at = start;
            for (; at != scene::none && visited_from[at] == scene::none; at = above_[at])
                visited_from[at] = start;
            if (at != scene::none && visited_from[at] == start) return true;
        }
        return false;
    }

    std::uint32_t root_of(std::uint32_t node)
    {
        while (above_[node] != scene::none) {
            const std::uint32_t next = above_[above_[node]];
            if (next == scene::none) return above_[node];
            node = above_[node] = next; // shortens the path for later calls
        }
        return node;
    }

    void set_parent(std::uint32_t root, std::uint32_t parent) { above_[root] = parent; }

private:
    std::vector<std::uint32_t> above_; // by node: one of the nodes above it; none: a root
};

} // namespace

std::vector<NodeLevels> find_node_levels(Document& document)
{
    const io::JsonValue nodes = document.list("nodes");
    std::vector<NodeLevels> found;
    for (std::uint32_t n = 0; n < nodes.size(); ++n) {
        const io::JsonValue extension = LenientFields(nodes[n], document.warnings()).extension("MSFT_lod");
        if (!extension.exists()) continue;
        if (auto levels = read_ids(document, extension["ids"], n, nodes.size()); !levels.empty())
            found.push_back({n, std::move(levels)});
    }
    return found;
}

// Such nodes are usually neither children nor roots: they take the place of the first level.
void place_levels(std::span<const NodeLevels> all, scene::Scene& scene, std::vector<bool>& shown_roots)
{
    if (all.empty()) return;
    RootFinder roots(scene);
    if (roots.has_cycle()) return; // the file is rejected
    for (const NodeLevels& levels : all) {
        const std::uint32_t parent = scene.nodes[levels.node].parent;
        for (const std::uint32_t level : levels.others) {
            if (scene.nodes[level].parent != scene::none || shown_roots[level]) continue;
            if (roots.root_of(levels.node) == level) continue;
            if (shown_roots[levels.node]) shown_roots[level] = true;
            if (parent == scene::none) continue;
            scene.nodes[level].parent = parent;
            roots.set_parent(level, parent);
        }
    }
}

void set_levels(std::span<const NodeLevels> all, scene::Scene& scene)
{
    const auto set = [&](std::uint32_t node, const scene::LevelRange& range) {
        if (scene.nodes[node].visible) scene.nodes[node].levels = range;
    };
    for (const NodeLevels& levels : all) {
        set(levels.node, {0, 0});
        std::uint32_t number = 0;
        for (const std::uint32_t level : levels.others) {
            ++number;
            set(level, {number, number < levels.others.size() ? number : scene::none});
        }
    }
}

} // namespace vitrine::gltf
