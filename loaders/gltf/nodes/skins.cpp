#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "loaders/gltf/document/accessor.hpp"
#include "loaders/gltf/document/component_types.hpp"
#include "loaders/gltf/document/fields.hpp"
#include "loaders/gltf/meshes/influences.hpp"
#include "loaders/gltf/nodes/nodes.hpp"
#include "loaders/io/limits.hpp"

namespace vitrine::gltf {
namespace {

LoadResult<std::vector<std::uint32_t>> read_joints(Document& document, io::JsonValue skin)
{
    const io::JsonValue joints = skin["joints"];
    if (!joints.is_array() || joints.size() == 0)
        return fail(LoadErrc::malformed, skin.pointer(), "the skin has no joints");
    if (joints.size() > document.budget().limits().joints)
        return io::limit_exceeded_error(joints.pointer(), "joints", document.budget().limits().joints);
    if (auto taken = document.budget().take_skin_joints(joints.size(), joints.pointer()); !taken)
        return std::unexpected(taken.error());
    std::vector<std::uint32_t> out;
    for (const io::JsonValue joint : joints) {
        const LoadResult<std::uint32_t> index = to_index(joint, document.list("nodes").size());
        if (!index) return std::unexpected(index.error());
        out.push_back(*index);
    }
    return out;
}

bool has_repeated(std::vector<std::uint32_t> joints)
{
    std::ranges::sort(joints);
    return std::ranges::adjacent_find(joints) != joints.end();
}

bool make_affine(glm::mat4& matrix)
{
    bool was = true;
    for (int column = 0; column < 4; ++column) {
        const float expected = column == 3 ? 1.0f : 0.0f;
        was &= std::abs(matrix[column].w - expected) < 1e-4f;
        matrix[column].w = expected;
    }
    return was;
}

bool is_finite(const glm::mat4& matrix)
{
    for (int column = 0; column < 4; ++column)
        for (int row = 0; row < 4; ++row)
            if (!std::isfinite(matrix[column][row])) return false;
    return true;
}

LoadResult<std::vector<glm::mat4>> read_inverse_binds(Document& document, io::JsonValue skin,
                                                      std::size_t joints)
{
    std::vector<glm::mat4> out(joints, glm::mat4(1.0f));
    const io::JsonValue member = skin["inverseBindMatrices"];
    if (!member.exists()) return out;
    const LoadResult<Accessor> accessor = find_accessor(document, member);
    if (!accessor) return std::unexpected(accessor.error());
    if (accessor->components != 16 || accessor->count < joints)
        return fail(LoadErrc::malformed, member.pointer(),
                    fmt::format("{} matrices of {} numbers for {} joints", accessor->count,
                                accessor->components, joints));
    check_format(document, *accessor, AccessorUsage::vectors, member);
    if (auto taken = document.budget().take_keys(std::uint64_t{accessor->count} * 16, member.pointer());
        !taken)
        return std::unexpected(taken.error());
    const std::vector<float> values = read_floats(*accessor);
    bool affine = true;
    for (std::size_t j = 0; j < joints; ++j) {
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(16 * j), 16, &out[j][0][0]);
        if (!is_finite(out[j]))
            return fail(LoadErrc::malformed, member.pointer(),
                        fmt::format("inverse bind matrix {} is not finite", j));
        affine &= make_affine(out[j]);
    }
    if (!affine && (accessor->has_view || accessor->sparse)) // otherwise an accessor of zeros, a placeholder
        document.warnings().add("projective_matrix",
                                "the last row of a bind matrix is not 0 0 0 1; it is ignored",
                                member.pointer());
    return out;
}

// glTF has linear skinning only; Vitrine's own export stores other methods in extras.
scene::SkinningMethod method_of(io::JsonValue skin)
{
    const auto word = skin["extras"]["skinningMethod"].string().value_or("");
    if (word == "dualQuaternion") return scene::SkinningMethod::dual_quaternion;
    return word == "blended" ? scene::SkinningMethod::blended : scene::SkinningMethod::linear;
}

// Removes influences of joints that some skin of the mesh lacks, because they cannot be posed.
void drop_foreign_joints(Document& document, scene::Scene& scene)
{
    constexpr std::size_t unused = std::numeric_limits<std::size_t>::max();
    std::vector<std::size_t> joints(scene.meshes.size(), unused);
    const std::size_t own_nodes = document.list("nodes").size(); // followed by instances
    for (std::size_t n = 0; n < scene.nodes.size(); ++n) {
        const scene::Node& node = scene.nodes[n];
        if (node.skin == scene::none) continue;
        joints[node.mesh] = std::min(joints[node.mesh], scene.skins[node.skin].joints.size());
        if (scene.meshes[node.mesh].influences.first.empty())
            document.warnings().add("invalid_skin", "the mesh of the skin has no joints and weights",
                                    fmt::format("/nodes/{}", n < own_nodes ? n : node.parent));
    }
    for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
        scene::Influences& influences = scene.meshes[m].influences;
        // Without a skin the weights are unused.
        if (joints[m] == unused)
            influences = {};
        else if (const std::size_t dropped = drop_invalid_joints(influences, joints[m]); dropped > 0)
            document.warnings().add(
                "joint_out_of_range",
                fmt::format("{} influences have joints beyond the skin's {}; they are ignored", dropped,
                            joints[m]),
                fmt::format("/meshes/{}", m));
    }
}

} // namespace

LoadResult<void> load_skins(Document& document, scene::Scene& scene)
{
    for (const io::JsonValue value : document.list("skins")) {
        scene::Skin skin;
        LenientFields lenient(value, document.warnings());
        skin.name = lenient.string("name");
        lenient.index("skeleton", document.list("nodes").size());
        auto joints = read_joints(document, value);
        if (!joints) return std::unexpected(joints.error());
        auto inverse_bind = read_inverse_binds(document, value, joints->size());
        if (!inverse_bind) return std::unexpected(inverse_bind.error());
        if (has_repeated(*joints))
            document.warnings().add("invalid_skin", "a node is a joint of the skin twice", value.pointer());
        skin.joints = std::move(*joints);
        skin.inverse_bind = std::move(*inverse_bind);
        skin.method = method_of(value);
        scene.skins.push_back(std::move(skin));
    }
    drop_foreign_joints(document, scene);
    return {};
}

} // namespace vitrine::gltf
