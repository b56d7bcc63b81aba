#include "loaders/fbx/nodes/extra_joints.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "loaders/io/text/text_reader.hpp"
#include "loaders/scene/motion/file_nodes.hpp"

namespace vitrine::fbx {
namespace {

using NodePath = std::vector<std::uint32_t>; // nodes, each followed by its parent

NodePath path_to_root(const scene::Scene& scene, std::uint32_t node)
{
    NodePath path;
    for (; node != scene::none; node = scene.nodes[node].parent)
        path.push_back(node);
    return path;
}

// Removes the common ancestors of both paths.
void cut_common_end(NodePath& a, NodePath& b)
{
    while (!a.empty() && !b.empty() && a.back() == b.back()) {
        a.pop_back();
        b.pop_back();
    }
}

// Returns the lowest node that contains all of them; none when they have no common root. Parents have smaller
// indices than their children.
std::uint32_t common_ancestor(const scene::Scene& scene, const std::vector<std::uint32_t>& nodes)
{
    std::unordered_set<std::uint32_t> ancestors;
    for (std::uint32_t at = nodes.front(); at != scene::none; at = scene.nodes[at].parent)
        ancestors.insert(at);
    std::uint32_t top = nodes.front();
    for (std::uint32_t at : nodes) {
        while (at != scene::none && ancestors.insert(at).second)
            at = scene.nodes[at].parent;
        if (at == scene::none) return scene::none;
        top = std::min(top, at); // visited nodes are above or below the top
    }
    return top;
}

class ExtraJoints {
public:
    explicit ExtraJoints(const LoadContext& context)
        : context_(context), scene_(context.scene), copies_(context)
    {
        for (const scene::Skin& skin : scene_.skins)
            skin_joints_ += skin.joints.size();
        uses_.resize(scene_.skins.size());
        for (const scene::Node& node : scene_.nodes)
            if (node.skin != scene::none) ++uses_[node.skin];
    }

    void add(const AssociateJoint& joint);
    void add(std::uint32_t node, const std::vector<SkinVisibility*>& skin_visibilities);
    LoadResult<void> finish() { return copies_.copy_channels(); }

private:
    std::optional<std::uint32_t> add_skin_visibility(std::uint32_t node, scene::Skin& skin);
    void warn_about_skin_visibility(std::uint32_t node,
                                    const std::vector<SkinVisibility*>& skin_visibilities);

    const LoadContext& context_;
    scene::Scene& scene_;
    NodeCopies copies_;
    std::uint64_t skin_joints_ = 0;
    std::vector<std::uint32_t> uses_; // by skin: number of nodes that use it
};

// mesh * start * associate^-1 * link; common ancestors cancel out.
void ExtraJoints::add(const AssociateJoint& joint)
{
    NodePath up = path_to_root(scene_, joint.associate), down = path_to_root(scene_, joint.link);
    cut_common_end(up, down);
    if (!copies_.has_room_for(1 + 3 * up.size() + down.size())) {
        context_.warnings.add("unsupported_link_mode",
                              "an associate model is ignored: the limit on nodes is reached",
                              scene_.nodes[joint.link].name);
        return;
    }
    std::uint32_t at = copies_.add(scene_.nodes[joint.link].name + ".associate", joint.mesh, joint.mesh);
    scene_.nodes[at].matrix = glm::mat4(joint.start);
    for (const std::uint32_t node : up)
        at = copies_.undo(node, at);
    for (auto node = down.rbegin(); node != down.rend(); ++node)
        at = copies_.copy(*node, at);
    scene_.nodes[at].helper_of = scene::file_node(scene_, joint.link);
    scene_.skins[joint.skin].joints[joint.slot] = at;
}

// Copies the skin's joints below a new node with scale 1. Returns its index; nullopt when the node limit is
// reached.
std::optional<std::uint32_t> ExtraJoints::add_skin_visibility(std::uint32_t node, scene::Skin& skin)
{
    const std::uint32_t top = common_ancestor(scene_, skin.joints);
    std::unordered_map<std::uint32_t, std::uint32_t> copy_of;
    std::vector<std::uint32_t> wanted;
    for (const std::uint32_t joint : skin.joints)
        for (std::uint32_t at = joint; at != top && copy_of.try_emplace(at, scene::none).second;
             at = scene_.nodes[at].parent)
            wanted.push_back(at);
    if (!copies_.has_room_for(wanted.size() + 1)) return std::nullopt;
    const bool is_joint = std::ranges::find(skin.joints, top) != skin.joints.end(); // the gate stands for it
    const std::uint32_t skin_visibility = copies_.add(skin.name + ".shown", is_joint ? top : node, top);
    copy_of[top] = skin_visibility;
    std::ranges::sort(wanted); // parents before their children
    for (const std::uint32_t at : wanted)
        copy_of[at] = copies_.copy(at, copy_of.at(scene_.nodes[at].parent));
    for (std::uint32_t& joint : skin.joints)
        joint = copy_of.at(joint);
    return skin_visibility;
}

void ExtraJoints::warn_about_skin_visibility(std::uint32_t node,
                                             const std::vector<SkinVisibility*>& skin_visibilities)
{
    for (const SkinVisibility* skin_visibility : skin_visibilities)
        context_.warnings.add("fbx_visibility_animated",
                              fmt::format("{} has animated visibility; it is shown throughout",
                                          io::shown(scene_.nodes[node].name)),
                              scene_.clips[skin_visibility->clip].name.empty()
                                  ? "unnamed clip"
                                  : scene_.clips[skin_visibility->clip].name);
}

void ExtraJoints::add(std::uint32_t node, const std::vector<SkinVisibility*>& skin_visibilities)
{
    scene::Skin skin = scene_.skins[scene_.nodes[node].skin];
    const bool fits = skin_joints_ + skin.joints.size() <= context_.limits.skin_joints;
    const auto skin_visibility = fits ? add_skin_visibility(node, skin) : std::nullopt;
    if (!skin_visibility) return warn_about_skin_visibility(node, skin_visibilities);
    std::uint32_t& index = scene_.nodes[node].skin;
    if (--uses_[index] > 0) { // other nodes still use the skin
        skin_joints_ += skin.joints.size();
        index = static_cast<std::uint32_t>(scene_.skins.size());
        scene_.skins.emplace_back();
    }
    scene_.skins[index] = std::move(skin);
    for (SkinVisibility* opened : skin_visibilities) {
        opened->channel.node = *skin_visibility;
        scene_.clips[opened->clip].channels.push_back(std::move(opened->channel));
    }
}

} // namespace

LoadResult<void> add_extra_joints(const LoadContext& context, const MeshMap& meshes,
                                  std::vector<SkinVisibility> skin_visibilities)
{
    ExtraJoints joints(context);
    for (const AssociateJoint& joint : meshes.associates)
        joints.add(joint);
    if (auto finished = joints.finish(); !finished) return finished;
    std::map<std::uint32_t, std::vector<SkinVisibility*>> by_node;
    for (SkinVisibility& skin_visibility : skin_visibilities)
        by_node[skin_visibility.node].push_back(&skin_visibility);
    ExtraJoints animated(context); // includes the copies made for associates
    for (const auto& [node, of_node] : by_node)
        animated.add(node, of_node);
    return animated.finish();
}

} // namespace vitrine::fbx
