#include "loaders/scene/parts/levels.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "loaders/base/ascii.hpp"
#include "loaders/scene/motion/file_nodes.hpp"

namespace vitrine::scene {
namespace {

constexpr std::string_view separators = "_-. ";

bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

// The name of a level without its number: "tree" and 1 for tree_LOD1.
struct LevelName {
    std::string base; // in lower case
    std::uint32_t number = 0;
};

// One or two digits, which may follow a separator.
std::optional<std::uint32_t> take_number(std::string_view& text, bool at_end)
{
    const auto digits_of = [&] {
        std::size_t count = 0;
        while (count < text.size() && is_digit(at_end ? text[text.size() - 1 - count] : text[count]))
            ++count;
        return count;
    };
    if (!at_end && !text.empty() && separators.contains(text.front())) text.remove_prefix(1);
    const std::size_t count = digits_of();
    if (count == 0 || count > 2) return std::nullopt;
    std::uint32_t number = 0;
    for (const char digit : at_end ? text.substr(text.size() - count) : text.substr(0, count))
        number = number * 10 + static_cast<std::uint32_t>(digit - '0');
    if (at_end)
        text.remove_suffix(count);
    else
        text.remove_prefix(count);
    if (at_end && !text.empty() && separators.contains(text.back())) text.remove_suffix(1);
    return number;
}

// tree_LOD1, tree.lod_1, treeLOD1, LOD1
std::optional<LevelName> parse_level_suffix(std::string_view name)
{
    std::string_view text = name;
    const auto number = take_number(text, true);
    if (!number || text.size() < 3 || !ascii::equal_ignoring_case(text.substr(text.size() - 3), "lod"))
        return std::nullopt;
    const bool is_capital = text.ends_with("LOD");
    text.remove_suffix(3);
    // A word such as "explod1" is no level.
    const bool is_word = !text.empty() && !separators.contains(text.back());
    if (is_word && (!is_capital || is_upper(text.back()))) return std::nullopt;
    if (!text.empty() && !is_word) text.remove_suffix(1);
    return LevelName{ascii::lower(text), *number};
}

// LOD1_tree
std::optional<LevelName> parse_level_prefix(std::string_view name)
{
    if (name.size() < 5 || !ascii::equal_ignoring_case(name.substr(0, 3), "lod")) return std::nullopt;
    std::string_view text = name.substr(3);
    const auto number = take_number(text, false);
    if (!number || text.size() < 2 || !separators.contains(text.front())) return std::nullopt;
    return LevelName{ascii::lower(text.substr(1)), *number};
}

std::optional<LevelName> parse_level_name(std::string_view name)
{
    auto parsed = parse_level_suffix(name);
    return parsed ? parsed : parse_level_prefix(name);
}

bool is_drawn_in_some_level(const Node& node)
{
    return node.mesh != none && (node.visible || node.levels.first > 0);
}

// By node of the file: whether it, or a node below it, draws something.
std::vector<std::uint8_t> drawing_nodes(const Scene& scene, const std::vector<std::uint32_t>& parents)
{
    std::vector<std::uint8_t> draws(scene.nodes.size(), 0);
    for (std::uint32_t node = 0; node < scene.nodes.size(); ++node)
        if (is_drawn_in_some_level(scene.nodes[node])) draws[file_node(scene, node)] = 1;
    for (std::size_t node = scene.nodes.size(); node-- > 0;)
        if (draws[node] != 0 && parents[node] != none) draws[parents[node]] = 1;
    return draws;
}

struct NamedLevel {
    std::uint32_t node = none;
    std::uint32_t number = 0;
};
// By the parent and the name without the number.
using LevelSets = std::map<std::pair<std::uint32_t, std::string>, std::vector<NamedLevel>>;

LevelSets find_level_sets(const Scene& scene, const std::vector<std::uint32_t>& parents)
{
    const auto draws = drawing_nodes(scene, parents);
    LevelSets sets;
    for (std::uint32_t node = 0; node < scene.nodes.size(); ++node) {
        if (draws[node] == 0 || is_helper(scene.nodes[node])) continue;
        if (auto name = parse_level_name(scene.nodes[node].name))
            sets[{parents[node], std::move(name->base)}].push_back({node, name->number});
    }
    std::erase_if(sets, [](const auto& entry) {
        const auto& levels = entry.second;
        return std::ranges::all_of(
            levels, [&](const NamedLevel& level) { return level.number == levels.front().number; });
    });
    return sets;
}

// Sets the ranges of the nodes of a set. `numbers`: all numbers of the scene, whose positions are its levels.
void set_ranges(std::vector<NamedLevel>& set, const std::vector<std::uint32_t>& numbers,
                std::vector<LevelRange>& ranges)
{
    std::ranges::sort(set, {}, &NamedLevel::number);
    const auto level_of = [&](std::uint32_t number) {
        return static_cast<std::uint32_t>(std::ranges::lower_bound(numbers, number) - numbers.begin());
    };
    for (auto at = set.begin(); at != set.end();) {
        const auto next = std::ranges::upper_bound(at, set.end(), at->number, {}, &NamedLevel::number);
        const LevelRange range{at == set.begin() ? 0 : level_of(at->number),
                               next == set.end() ? none : level_of(next->number) - 1};
        for (; at != next; ++at)
            ranges[at->node] = range;
    }
}

LevelRange intersection(const LevelRange& a, const LevelRange& b)
{
    return {std::max(a.first, b.first), std::min(a.last, b.last)};
}

// A node that no level draws is hidden.
void restrict_levels(Node& node, const LevelRange& range)
{
    const bool is_hidden = !node.visible && node.levels.first == 0;
    const auto both = intersection(node.levels, range);
    const bool is_drawn = !is_hidden && both.first <= both.last;
    node.levels = is_drawn ? both : LevelRange{};
    node.visible = is_drawn && both.first == 0;
}

// `ranges`: by node, without what it inherits.
void apply_ranges(Scene& scene, std::vector<LevelRange> ranges, const std::vector<std::uint32_t>& parents)
{
    for (std::uint32_t node = 0; node < scene.nodes.size(); ++node)
        if (parents[node] != none && !is_helper(scene.nodes[node]))
            ranges[node] = intersection(ranges[node], ranges[parents[node]]);
    for (std::uint32_t node = 0; node < scene.nodes.size(); ++node)
        restrict_levels(scene.nodes[node], ranges[file_node(scene, node)]);
}

} // namespace

std::uint32_t level_count(const Scene& scene)
{
    std::uint32_t last = 0;
    for (const Node& node : scene.nodes)
        last = std::max(last, node.levels.first);
    return last + 1;
}

std::vector<LevelContents> count_levels(const Scene& scene)
{
    std::vector<LevelContents> levels(level_count(scene));
    for (const Node& node : scene.nodes) {
        if (!is_drawn_in_some_level(node)) continue;
        std::uint64_t triangles = 0;
        for (const Primitive& primitive : scene.meshes[node.mesh].primitives)
            if (primitive.topology == Topology::triangles) triangles += primitive.count / 3;
        for (std::size_t level = node.levels.first; level < levels.size() && level <= node.levels.last;
             ++level) {
            ++levels[level].nodes;
            levels[level].triangles += triangles;
        }
    }
    return levels;
}

void find_named_levels(Scene& scene)
{
    const auto parents = file_parents(scene);
    auto sets = find_level_sets(scene, parents);
    if (sets.empty()) return;
    std::set<std::uint32_t> distinct;
    for (const auto& [key, set] : sets)
        for (const NamedLevel& level : set)
            distinct.insert(level.number);
    const std::vector<std::uint32_t> numbers(distinct.begin(), distinct.end());
    std::vector<LevelRange> ranges(scene.nodes.size());
    for (auto& [key, set] : sets)
        set_ranges(set, numbers, ranges);
    apply_ranges(scene, std::move(ranges), parents);
}

void inherit_levels(Scene& scene)
{
    if (level_count(scene) == 1) return;
    std::vector<LevelRange> ranges;
    for (const Node& node : scene.nodes)
        ranges.push_back(node.levels);
    apply_ranges(scene, std::move(ranges), file_parents(scene));
}

void show_level(Scene& scene, std::uint32_t level)
{
    for (Node& node : scene.nodes) {
        if (node.levels == LevelRange{}) continue;
        node.visible = node.levels.first <= level && level <= node.levels.last;
        node.levels = {};
    }
}

} // namespace vitrine::scene
