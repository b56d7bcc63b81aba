#include "loaders/scene/parts/looks.hpp"

#include <algorithm>
#include <set>
#include <span>

#include "loaders/base/parse_whole.hpp"
#include "loaders/scene/lookup.hpp"
#include "loaders/scene/motion/file_nodes.hpp"
#include "loaders/scene/parts/levels.hpp"

namespace vitrine::scene {
namespace {

constexpr std::size_t max_names_listed = 8;
constexpr glm::vec4 clay_color{0.52f, 0.48f, 0.43f, 1.0f}; // linear
constexpr float clay_roughness = 0.85f;

std::vector<std::string_view> split_names(std::string_view text)
{
    std::vector<std::string_view> names;
    while (names.size() <= max_look_names) {
        const std::size_t end = std::min(text.find(','), text.size());
        names.push_back(text.substr(0, end));
        if (end == text.size()) break;
        text.remove_prefix(end + 1);
    }
    return names;
}

std::vector<std::uint32_t> nodes_of_mesh(const Scene& scene, std::string_view mesh)
{
    std::vector<std::uint32_t> found;
    for (std::uint32_t node = 0; node < scene.nodes.size() && !mesh.empty(); ++node)
        if (const auto index = scene.nodes[node].mesh; index != none && scene.meshes[index].name == mesh)
            found.push_back(file_node(scene, node));
    return found;
}

// ": 'a', 'b', ..." of the first names
std::string list_names(std::span<const std::string_view> names)
{
    std::string list;
    for (const auto name : names.first(std::min(names.size(), max_names_listed)))
        list += (list.empty() ? ": '" : ", '") + std::string(name) + "'";
    if (names.size() > max_names_listed) list += ", ...";
    return list;
}

// The sentence lists nodes that draw something, each name once.
std::string no_node_message(const Scene& scene, std::string_view wanted)
{
    std::vector<std::string_view> names;
    for (std::uint32_t node = 0; node < scene.nodes.size() && names.size() <= max_names_listed; ++node) {
        const std::string_view name = scene.nodes[file_node(scene, node)].name;
        if (scene.nodes[node].mesh != none && !name.empty() && std::ranges::find(names, name) == names.end())
            names.push_back(name);
    }
    return "there is no node '" + std::string(wanted) + "' among " + std::to_string(scene.nodes.size()) +
           list_names(names);
}

using FoundNodes = std::expected<std::vector<std::uint32_t>, LookError>;

FoundNodes find_nodes(const Scene& scene, std::string_view parameter, const std::optional<std::string>& text)
{
    std::vector<std::uint32_t> nodes;
    if (!text) return nodes;
    const auto names = split_names(*text);
    if (names.size() > max_look_names)
        return std::unexpected(
            LookError{parameter, "there are more than " + std::to_string(max_look_names) + " names"});
    std::set<std::string_view> searched;
    for (const std::string_view name : names) {
        if (!searched.insert(name).second) continue;
        if (name.empty()) return std::unexpected(LookError{parameter, "a name is empty"});
        auto found = find_joints(scene, name);
        if (found.empty()) found = nodes_of_mesh(scene, name);
        if (found.empty()) return std::unexpected(LookError{parameter, no_node_message(scene, name), true});
        nodes.insert(nodes.end(), found.begin(), found.end());
    }
    std::ranges::sort(nodes);
    const auto repeated = std::ranges::unique(nodes);
    nodes.erase(repeated.begin(), repeated.end());
    return nodes;
}

std::expected<std::uint32_t, LookError> find_level(const Scene& scene, const std::string& text)
{
    const auto level = parse_whole<std::uint32_t>(text);
    if (!level) return std::unexpected(LookError{"lod", "a level of detail is a whole number from 0"});
    const auto count = level_count(scene);
    if (*level < count) return *level;
    const auto sentence = "there is no level of detail " + text + ": ";
    return std::unexpected(
        LookError{"lod",
                  count == 1 ? sentence + "the file has only one"
                             : sentence + "the file has the levels 0 to " + std::to_string(count - 1),
                  true});
}

std::string numbers_text(std::span<const std::uint32_t> numbers)
{
    std::string text;
    for (const auto number : numbers)
        text += (text.empty() ? "" : ",") + std::to_string(number);
    return text;
}

// What is hidden or shown at a node; below it unless another node says otherwise.
void apply_visibility(Scene& scene, const Look& look)
{
    if (look.hidden.empty() && look.only.empty()) return;
    enum class Shown : std::uint8_t { inherited, no, yes };
    std::vector<Shown> shown(scene.nodes.size(), Shown::inherited);
    for (const auto node : look.only)
        shown[node] = Shown::yes;
    for (const auto node : look.hidden)
        shown[node] = Shown::no;
    const auto parents = file_parents(scene);
    for (std::uint32_t node = 0; node < scene.nodes.size(); ++node) {
        if (is_helper(scene.nodes[node]) || shown[node] != Shown::inherited) continue;
        const auto above = parents[node];
        shown[node] = above != none ? shown[above] : look.only.empty() ? Shown::yes : Shown::no;
    }
    for (std::uint32_t node = 0; node < scene.nodes.size(); ++node)
        if (shown[file_node(scene, node)] != Shown::yes) scene.nodes[node].visible = false;
}

void apply_clay(Scene& scene)
{
    const auto is_double_sided = [&](std::uint32_t material) {
        return material == none ? false : scene.materials[material].double_sided;
    };
    for (Mesh& mesh : scene.meshes) {
        mesh.colors = {};
        for (Primitive& primitive : mesh.primitives) {
            primitive.variants.clear();
            primitive.material = is_double_sided(primitive.material) ? 1 : 0;
        }
    }
    for (Node& node : scene.nodes)
        node.color = glm::vec4(1.0f);
    Material clay;
    clay.name = "clay";
    clay.base_color = clay_color;
    clay.metallic = 0.0f;
    clay.roughness = clay_roughness;
    scene.materials = {clay, clay};
    scene.materials[1].double_sided = true;
    scene.images.clear();
}

} // namespace

std::expected<Look, LookError> find_look(const Scene& scene, const LookTexts& texts)
{
    Look look;
    if (texts.lod) {
        const auto level = find_level(scene, *texts.lod);
        if (!level) return std::unexpected(level.error());
        look.level = *level;
    }
    auto hidden = find_nodes(scene, "hide", texts.hide);
    if (!hidden) return std::unexpected(std::move(hidden.error()));
    auto only = find_nodes(scene, "only", texts.only);
    if (!only) return std::unexpected(std::move(only.error()));
    if (texts.surface && *texts.surface != "clay")
        return std::unexpected(LookError{"surface", "the surface must be clay"});
    look.hidden = std::move(*hidden);
    look.only = std::move(*only);
    look.clay = texts.surface.has_value();
    return look;
}

std::string no_skin_message(const Scene& scene, std::string_view wanted)
{
    const auto sentence = "there is no skin '" + std::string(wanted) + "'";
    if (scene.variants.empty()) return sentence + ": the file has only one";
    const std::vector<std::string_view> names(scene.variants.begin(), scene.variants.end());
    return sentence + " among " + std::to_string(names.size()) + list_names(names);
}

std::string look_key(const Look& look)
{
    std::string key;
    const auto add = [&](const std::string& text) { key += (key.empty() ? "" : " ") + text; };
    if (look.level != 0) add("lod=" + std::to_string(look.level));
    if (!look.hidden.empty()) add("hide=" + numbers_text(look.hidden));
    if (!look.only.empty()) add("only=" + numbers_text(look.only));
    if (look.clay) add("clay");
    return key;
}

void apply_look(Scene& scene, const Look& look)
{
    if (look.level != 0) show_level(scene, look.level);
    apply_visibility(scene, look);
    if (look.clay) apply_clay(scene);
}

} // namespace vitrine::scene
