#include "loaders/export/gltf/gltf_tree.hpp"

#include <algorithm>
#include <array>

#include <glm/gtc/type_ptr.hpp>

#include "loaders/scene/helper_nodes.hpp"
#include "loaders/scene/motion/pose.hpp"

namespace vitrine::exporting {

namespace {

std::span<const float> floats(const glm::vec3& v)
{
    return {glm::value_ptr(v), 3};
}

void write_placement(const scene::Trs& local, JsonWriter& json)
{
    const auto& [t, r, s] = local;
    const std::array rotation{r.x, r.y, r.z, r.w};
    if (t != glm::vec3(0)) json.member("translation", floats(t));
    if (r != glm::quat(1, 0, 0, 0)) json.member("rotation", std::span<const float>(rotation));
    if (s != glm::vec3(1)) json.member("scale", floats(s));
}

void write_list(JsonWriter& json, const char* key, std::span<const std::uint32_t> list)
{
    if (list.empty()) return;
    json.key(key).begin_array();
    for (const auto item : list)
        json.value(item);
    json.end_array();
}

void write_node(const GltfNode& node, JsonWriter& json)
{
    json.begin_object();
    if (!node.name.empty()) json.member("name", node.name);
    write_placement(node.local, json);
    if (node.mesh != scene::none) json.member("mesh", node.mesh);
    if (node.skin != scene::none) json.member("skin", node.skin);
    if (!node.weights.empty()) json.member("weights", std::span<const float>(node.weights));
    write_list(json, "children", node.children);
    json.end_object();
}

GltfNode plain(std::string_view name, const scene::Trs& local)
{
    GltfNode node;
    node.name = name;
    node.local = local;
    return node;
}

} // namespace

GltfTree::GltfTree(const scene::Scene& scene)
{
    const auto count = static_cast<std::uint32_t>(scene.nodes.size());
    for (const auto& node : scene.nodes) // the file does not name helpers; their transforms are needed
        nodes_.push_back(plain(scene::is_helper(node) ? std::string_view() : node.name, node.local));
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto& node = scene.nodes[i];
        inner_.push_back(i);
        root_of_.push_back(node.parent == scene::none ? i : root_of_[node.parent]);
        (node.parent == scene::none ? roots_ : nodes_[inner_[node.parent]].children).push_back(i);
        if (!node.matrix) continue;
        const scene::AffineFactors factors = scene::factor_affine(*node.matrix);
        nodes_[i].local = factors.outer;
        if (factors.inner == glm::quat(1, 0, 0, 0)) continue;
        inner_[i] = static_cast<std::uint32_t>(nodes_.size());
        nodes_[i].children.push_back(inner_[i]);
        nodes_.push_back(plain(node.name, {glm::vec3(0.0f), factors.inner, glm::vec3(1.0f)}));
    }
}

std::uint32_t GltfTree::add_follower(std::uint32_t scene_node)
{
    const auto index = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back(plain(node(scene_node).name, {}));
    node(scene_node).children.push_back(index);
    return index;
}

void GltfTree::join(const std::vector<std::uint32_t>& scene_nodes)
{
    for (const auto node : scene_nodes)
        joined_ = joined_ || root_of_[node] != root_of_[scene_nodes.front()];
}

void GltfTree::write(JsonWriter& json) const
{
    if (nodes_.empty()) return;
    json.key("nodes").begin_array();
    for (const auto& node : nodes_)
        write_node(node, json);
    if (joined_) {
        json.begin_object().member("name", "scene");
        write_list(json, "children", roots_);
        json.end_object();
    }
    const std::array top{static_cast<std::uint32_t>(nodes_.size())};
    json.end_array().key("scenes").begin_array().begin_object();
    write_list(json, "nodes", joined_ ? std::span<const std::uint32_t>(top) : roots_);
    json.end_object().end_array().member("scene", 0u);
}

} // namespace vitrine::exporting
