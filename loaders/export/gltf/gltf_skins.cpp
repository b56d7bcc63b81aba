#include "loaders/export/gltf/gltf_skins.hpp"

#include <set>

#include <fmt/format.h>
#include <glm/gtc/matrix_transform.hpp>

namespace vitrine::exporting {
namespace {

using scene::none;

// Returns a bind matrix with the last row that glTF requires.
glm::mat4 affine(glm::mat4 m)
{
    for (int c = 0; c < 4; ++c)
        m[c].w = c == 3 ? 1.0f : 0.0f;
    return m;
}

// The name that loaders/gltf reads.
std::string_view word_of(scene::SkinningMethod method)
{
    return method == scene::SkinningMethod::blended ? "blended" : "dualQuaternion";
}

std::string skin_text(const scene::Skin& skin, std::span<const std::uint32_t> joints,
                      std::uint32_t inverse_bind_matrices)
{
    JsonWriter json;
    json.begin_object();
    if (!skin.name.empty()) json.member("name", std::string_view(skin.name));
    json.key("joints").begin_array();
    for (const auto joint : joints)
        json.value(joint);
    json.end_array().member("inverseBindMatrices", inverse_bind_matrices);
    if (skin.method != scene::SkinningMethod::linear)
        json.key("extras").begin_object().member("skinningMethod", word_of(skin.method)).end_object();
    json.end_object();
    return json.take();
}

} // namespace

GltfSkin GltfSkins::add(const scene::Skin& skin, const scene::Mesh& mesh, std::uint32_t unskinned_node)
{
    GltfSkin use{.index = static_cast<std::uint32_t>(texts_.size()), .joints = {}};
    use.joints.count = static_cast<std::uint32_t>(skin.joints.size());
    use.joints.corners = find_corners(mesh);
    use.joints.first_corner.assign(skin.joints.size(), none);
    auto under = skin.joints;      // nodes that need a common root
    std::set<std::uint32_t> named; // a node may occur only once among the joints
    const auto joint_at = [&](std::uint32_t at) {
        return named.insert(at).second ? tree_.index(at) : tree_.add_follower(at);
    };
    std::vector<std::uint32_t> joints;
    std::vector<glm::mat4> inverse_bind;
    for (std::size_t j = 0; j < skin.joints.size(); ++j) {
        joints.push_back(joint_at(skin.joints[j]));
        inverse_bind.push_back(affine(skin.inverse_bind[j]));
    }
    for (std::size_t j = 0; j < use.joints.corners.joints.size(); ++j) {
        if (!use.joints.corners.joints[j]) continue;
        use.joints.first_corner[j] = static_cast<std::uint32_t>(joints.size());
        for (std::size_t i = 0; i < 4; ++i) {
            joints.push_back(tree_.add_follower(skin.joints[j]));
            inverse_bind.push_back(glm::translate(inverse_bind[j], corner(use.joints.corners, i)));
        }
    }
    if (unskinned_node != none) {
        use.joints.follow = static_cast<std::uint32_t>(joints.size());
        joints.push_back(joint_at(unskinned_node));
        inverse_bind.emplace_back(1.0f);
        under.push_back(unskinned_node);
    }
    tree_.join(under);
    texts_.push_back(skin_text(skin, joints, buffer_.mat4s(inverse_bind)));
    return use;
}

const GltfSkin* GltfSkins::find_skin(std::uint32_t node)
{
    const auto& drawn = scene_.nodes[node];
    if (drawn.skin == none || scene_.skins[drawn.skin].joints.empty()) return nullptr;
    const auto& mesh = scene_.meshes[drawn.mesh];
    if (mesh.influences.first.empty()) return nullptr;
    const std::uint32_t unskinned_node = has_unskinned_vertices(mesh) ? node : none;
    const bool own_positions = !mesh.influences.positions.empty();
    const std::array key{drawn.skin, own_positions ? drawn.mesh : none, unskinned_node};
    const auto known = skins_.find(key);
    if (known != skins_.end()) return &known->second;
    if (scene_.skins[drawn.skin].method != scene::SkinningMethod::linear)
        warnings_.push_back({"skinning_approximated",
                             "glTF has no dual quaternion skinning; the skin is linear in readers without "
                             "extras.skinningMethod",
                             fmt::format("/skins/{}", drawn.skin)});
    return &skins_.emplace(key, add(scene_.skins[drawn.skin], mesh, unskinned_node)).first->second;
}

void GltfSkins::add_unused()
{
    for (std::uint32_t s = 0; s < scene_.skins.size(); ++s) {
        const auto known = skins_.lower_bound({s, 0, 0});
        const bool used = known != skins_.end() && known->first[0] == s;
        if (!used && !scene_.skins[s].joints.empty()) add(scene_.skins[s], {}, none);
    }
}

} // namespace vitrine::exporting
