#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "api/json_text.hpp"
#include "api/pose_json.hpp"
#include "api/scene_json.hpp"
#include "loaders/base/model_formats.hpp"
#include "loaders/scene/humanoid/human_bone_map.hpp"
#include "loaders/scene/motion/file_nodes.hpp"

namespace vitrine::api {
namespace {

namespace json = boost::json;
using scene::none;
using scene::Scene;

// Properties of joints, by node index.
struct JointInfo {
    std::vector<const glm::mat4*> inverse_bind;
    std::vector<std::uint64_t> vertices;
    std::vector<std::uint64_t> last_vertex; // last vertex counted; vertices of all meshes are numbered from 1
    std::uint64_t vertex = 0;
};

bool is_animation_alone(const Scene& scene)
{
    return scene.skins.empty() && scene.meshes.empty();
}

// A vertex may list a joint repeatedly, and a skin may list a node repeatedly.
void count_vertices(const Scene& scene, std::uint32_t mesh, std::uint32_t skin, JointInfo& info)
{
    const auto& influences = scene.meshes[mesh].influences;
    const auto& joints = scene.skins[skin].joints;
    for (std::size_t vertex = 0; vertex + 1 < influences.first.size(); ++vertex) {
        ++info.vertex;
        for (auto i = influences.first[vertex]; i < influences.first[vertex + 1]; ++i) {
            const auto node = scene::file_node(scene, joints[influences.joints[i]]);
            if (influences.weights[i] == 0.0f) continue;
            if (std::exchange(info.last_vertex[node], info.vertex) != info.vertex) ++info.vertices[node];
        }
    }
}

JointInfo joint_info(const Scene& scene)
{
    JointInfo info{std::vector<const glm::mat4*>(scene.nodes.size()),
                   std::vector<std::uint64_t>(scene.nodes.size()),
                   std::vector<std::uint64_t>(scene.nodes.size())};
    const auto add = [&](bool helpers) {
        for (const auto& skin : scene.skins)
            for (std::size_t i = 0; i < skin.joints.size(); ++i) {
                const auto joint = skin.joints[i];
                auto& known = info.inverse_bind[scene::file_node(scene, joint)];
                const bool counts = scene::is_helper(scene.nodes[joint]) == helpers;
                if (counts && known == nullptr) known = &skin.inverse_bind[i];
            }
    };
    add(false);
    add(true);                                                 // joints that only skins use
    std::set<std::pair<std::uint32_t, std::uint32_t>> counted; // each mesh and skin once, not per instance
    for (const auto& node : scene.nodes)
        if (node.mesh != none && node.skin != none && counted.emplace(node.mesh, node.skin).second)
            count_vertices(scene, node.mesh, node.skin, info);
    return info;
}

bool is_tag(const Scene& scene, std::uint32_t node)
{
    const auto& n = scene.nodes[node];
    return scene.format == "md3" && n.mesh == none && n.name.starts_with("tag_");
}

// Returns the nearest joint among the ancestors of each node, or none. Chains of nodes that are not joints
// are walked once.
std::vector<std::uint32_t> parent_joints(const Scene& scene, const std::vector<std::uint32_t>& joint_of)
{
    std::vector<std::uint32_t> above;
    for (const auto parent : scene::file_parents(scene)) {
        above.push_back(parent == none ? none : joint_of[parent] != none ? joint_of[parent] : above[parent]);
    }
    return above;
}

json::value matrix_or_null(const glm::mat4* matrix)
{
    return matrix != nullptr ? json::value(matrix_json(*matrix)) : json::value(nullptr);
}

json::object joint_json(const Scene& scene, std::uint32_t node, const glm::mat4* inverse_bind)
{
    const auto bind = inverse_bind != nullptr ? glm::inverse(*inverse_bind) : glm::mat4(1.0f);
    return {{"name", scene.nodes[node].name},
            {"local", trs_json(scene::file_local(scene, nullptr, node))},
            {"bind", matrix_or_null(inverse_bind != nullptr ? &bind : nullptr)},
            {"inverseBind", matrix_or_null(inverse_bind)}};
}

// What a skeleton lists: the joint_nodes(), then the moving_nodes().
struct RigNodes {
    std::vector<std::uint32_t> nodes;
    std::size_t joints = 0;             // so many of `nodes` are joints
    std::vector<std::uint32_t> parents; // index in `nodes` or none, by index in `nodes`
};

RigNodes list_rig_nodes(const Scene& scene)
{
    RigNodes rig{.nodes = joint_nodes(scene), .joints = 0, .parents = {}};
    rig.joints = rig.nodes.size();
    std::vector<std::uint32_t> listed(scene.nodes.size(), none); // index in `nodes`, by node
    const auto list_from = [&](std::size_t first) {
        for (auto i = first; i < rig.nodes.size(); ++i)
            listed[rig.nodes[i]] = static_cast<std::uint32_t>(i);
        const auto above = parent_joints(scene, listed);
        for (auto i = first; i < rig.nodes.size(); ++i)
            rig.parents.push_back(above[rig.nodes[i]]);
    };
    list_from(0);
    const auto moving = moving_nodes(scene);
    rig.nodes.insert(rig.nodes.end(), moving.begin(), moving.end());
    if (!moving.empty()) list_from(rig.joints);
    return rig;
}

// Calls take(joint) for each joint, in order.
template <class Take>
void each_joint(const Scene& scene, const Take& take)
{
    const auto rig = list_rig_nodes(scene);
    const auto info = joint_info(scene);
    const auto bones = bones_by_node(scene, scene::find_human_bones(scene));
    for (std::uint32_t i = 0; i < rig.nodes.size(); ++i) {
        const auto node = rig.nodes[i];
        const char* const other = is_tag(scene, node) ? "tag" : "node";
        json::object joint{{"index", i},
                           {"node", node},
                           {"kind", i < rig.joints ? "joint" : other},
                           {"parent", index_or_null(rig.parents[i])}};
        for (const auto& member : joint_json(scene, node, info.inverse_bind[node]))
            joint.insert(member);
        joint["vertices"] = info.vertices[node];
        const auto bone = bones[node];
        joint["role"] = bone == scene::HumanBone::none ? json::value(nullptr) : json::value(name_of(bone));
        take(std::move(joint));
    }
}

} // namespace

std::vector<std::uint32_t> joint_nodes(const Scene& scene)
{
    std::vector<bool> is_joint;
    for (const auto& node : scene.nodes)
        is_joint.push_back(is_animation_alone(scene) && !scene::is_helper(node));
    for (const auto& skin : scene.skins)
        for (const auto joint : skin.joints)
            is_joint[scene::file_node(scene, joint)] = true;
    std::vector<std::uint32_t> nodes;
    for (std::uint32_t i = 0; i < is_joint.size(); ++i)
        if (is_joint[i]) nodes.push_back(i);
    return nodes;
}

std::vector<std::uint32_t> moving_nodes(const Scene& scene)
{
    std::vector<bool> moves(scene.nodes.size(), false);
    for (std::uint32_t i = 0; i < scene.nodes.size(); ++i)
        moves[i] = is_tag(scene, i);
    for (const auto& clip : scene.clips)
        for (const auto& channel : clip.channels) {
            const auto node = channel.path <= scene::Path::scale ? scene::channel_node(scene, channel) : none;
            if (node != none) moves[node] = true;
        }
    for (const auto joint : joint_nodes(scene))
        moves[joint] = false;
    std::vector<std::uint32_t> nodes;
    for (std::uint32_t i = 0; i < moves.size(); ++i)
        if (moves[i]) nodes.push_back(i);
    return nodes;
}

std::size_t count_listed_joints(const Scene& scene)
{
    const auto traits = scene_traits(scene.format);
    if (is_animation_alone(scene)) return traits.every_node_is_joint ? scene.nodes.size() : 0;
    std::vector<bool> counts(scene.skins.size(), !traits.lists_unbound_joints);
    const auto is_drawn = [](const scene::Node& node) { return node.mesh != none && node.skin != none; };
    for (const auto& node : scene.nodes)
        if (is_drawn(node)) counts[node.skin] = false;
    // COLLADA may instantiate one <skin> on several skeletons; each instance is a Skin of the scene.
    std::vector<std::uint32_t> first_of(scene.meshes.size(), none);
    for (const auto& node : scene.nodes) {
        if (!is_drawn(node)) continue;
        auto& first = first_of[node.mesh];
        if (first == none) first = node.skin;
        const auto &a = scene.skins[first], &b = scene.skins[node.skin];
        const bool repeats = first != node.skin && a.name == b.name && a.inverse_bind == b.inverse_bind;
        if (!repeats) counts[node.skin] = true;
    }
    std::vector<bool> is_joint(scene.nodes.size(), false);
    for (std::size_t skin = 0; skin < counts.size(); ++skin)
        for (const auto joint : scene.skins[skin].joints)
            if (counts[skin]) is_joint[scene::file_node(scene, joint)] = true;
    return static_cast<std::size_t>(std::ranges::count(is_joint, true));
}

json::object skeleton_json(const Scene& scene)
{
    json::array joints;
    each_joint(scene, [&](json::object joint) { joints.push_back(std::move(joint)); });
    return {{"joints", std::move(joints)}};
}

std::string skeleton_text(const Scene& scene)
{
    std::string out = R"({"joints":[)";
    bool first = true;
    each_joint(scene, [&](const json::object& joint) {
        out += std::exchange(first, false) ? "" : ",";
        out += to_text(joint);
    });
    return out + "]}";
}

} // namespace vitrine::api
