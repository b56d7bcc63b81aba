#include "loaders/scene/validation/validate.hpp"

#include <algorithm>
#include <cmath>

#include "loaders/base/stop.hpp"
#include "loaders/scene/arrays/arrays.hpp"
#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/material_textures.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/motion/sampling.hpp"
#include "loaders/scene/validation/validate_helpers.hpp"

namespace vitrine::scene {
namespace {

// A signed permutation: each row and each column has one nonzero entry, 1 or -1.
bool is_signed_permutation(const glm::mat3& m)
{
    for (glm::length_t i = 0; i < 3; ++i) {
        int in_column = 0, in_row = 0;
        for (glm::length_t j = 0; j < 3; ++j) {
            if (m[i][j] != 0.0f && std::abs(m[i][j]) != 1.0f) return false;
            in_column += m[i][j] != 0.0f;
            in_row += m[j][i] != 0.0f;
        }
        if (in_column != 1 || in_row != 1) return false;
    }
    return true;
}

ValidationResult check_header(const Scene& scene)
{
    if (!is_utf8(scene.format)) return fail(LoadErrc::malformed, "/format", "the text is not UTF-8");
    if (!is_utf8(scene.generator)) return fail(LoadErrc::malformed, "/generator", "the text is not UTF-8");
    for (const auto& [name, member] : attribution_members)
        if (!is_utf8(scene.attribution.*member))
            return fail(LoadErrc::malformed, "/attribution", "the text is not UTF-8");
    const FileSpace& space = scene.file_space;
    if (!is_signed_permutation(space.axes))
        return fail(LoadErrc::malformed, "/file_space/axes", "the axes are not a signed permutation");
    if (!std::isfinite(space.unit_meters) || !(space.unit_meters > 0.0))
        return fail(LoadErrc::malformed, "/file_space/unit_meters", "the unit is not a positive length");
    if (!is_finite(space.front))
        return fail(LoadErrc::malformed, "/file_space/front", "a number is not finite");
    return {};
}

ValidationResult check_keys(const Scene& scene, const Channel& channel, const std::string& where)
{
    if (channel.times.empty()) return fail(LoadErrc::malformed, where, "the channel has no keys");
    if (!all_finite(channel.times) || !all_finite(channel.values))
        return fail(LoadErrc::malformed, where, "a number is not finite");
    for (std::size_t k = 1; k < channel.times.size(); ++k) {
        if (!(channel.times[k - 1] < channel.times[k]))
            return fail(LoadErrc::malformed, where, "the key times do not ascend");
    }
    const std::size_t size = components(scene, channel.path, scene.nodes[channel.node]) *
                             (channel.interpolation == Interpolation::cubic ? 3 : 1);
    if (channel.values.size() % size != 0 || channel.values.size() / size != channel.times.size())
        return fail(LoadErrc::malformed, where, "the number of values does not match the number of keys");
    return {};
}

ValidationResult check_channel(const Scene& scene, const Channel& channel, const std::string& where)
{
    if (!is_index(channel.node, scene.nodes.size()))
        return fail(LoadErrc::out_of_range, where, "the channel animates a node that does not exist");
    if (channel.path > Path::vertex_frame || channel.interpolation > Interpolation::cubic)
        return fail(LoadErrc::malformed, where, "the path or the interpolation is unknown");
    if (channel.before.mode > ExtrapolationMode::slope || channel.after.mode > ExtrapolationMode::slope)
        return fail(LoadErrc::malformed, where, "the extrapolation is unknown");
    const Node& node = scene.nodes[channel.node];
    if (node.matrix && channel.path <= Path::scale)
        return fail(LoadErrc::malformed, where, "a node with a matrix is animated");
    if (components(scene, channel.path, node) == 0)
        return fail(LoadErrc::malformed, where, "the node lacks the property that the channel animates");
    return check_keys(scene, channel, where);
}

ValidationResult check_clip(const Scene& scene, std::size_t i)
{
    const Clip& clip = scene.clips[i];
    if (!is_utf8(clip.name))
        return fail(LoadErrc::malformed, at("/clips", i, "/name"), "the text is not UTF-8");
    if (!std::isfinite(clip.start_time) || !std::isfinite(clip.duration) || !std::isfinite(clip.frame_rate))
        return fail(LoadErrc::malformed, at("/clips", i), "a number is not finite");
    if (clip.duration < 0.0 || clip.frame_rate < 0.0)
        return fail(LoadErrc::malformed, at("/clips", i), "the duration or the frame rate is negative");
    if (!clip.declared_boxes.empty() && clip.declared_boxes.size() != clip.frames)
        return fail(LoadErrc::malformed, at("/clips", i, "/declared_boxes"),
                    "the number of boxes differs from the number of frames");
    for (const DeclaredBox& box : clip.declared_boxes) {
        if (!is_finite(box.min) || !is_finite(box.max))
            return fail(LoadErrc::malformed, at("/clips", i, "/declared_boxes"), "a number is not finite");
    }
    for (std::size_t c = 0; c < clip.channels.size(); ++c) {
        const std::string where = at("/clips", i, "/channels") + "/" + std::to_string(c);
        if (ValidationResult ok = check_channel(scene, clip.channels[c], where); !ok) return ok;
    }
    return {};
}

ValidationResult check_texture(const Scene& scene, const Texture& texture, const std::string& where)
{
    if (!is_index_or_none(texture.image, scene.images.size()))
        return fail(LoadErrc::out_of_range, where, "a texture refers to an image that does not exist");
    if (texture.uv_set >= max_uv_sets || texture.wrap_s > Wrap::mirror || texture.wrap_t > Wrap::mirror)
        return fail(LoadErrc::malformed, where, "the UV set or the wrap mode is unknown");
    if (!is_finite(texture.offset) || !is_finite(texture.scale) || !is_finite(texture.rotation))
        return fail(LoadErrc::malformed, where, "a number is not finite");
    return {};
}

ValidationResult check_extensions(const MaterialExtensions& l, const std::string& where)
{
    const glm::vec4 a(l.ior, l.specular, l.clearcoat, l.clearcoat_roughness);
    const glm::vec4 b(l.sheen_roughness, l.transmission, l.thickness, l.attenuation_distance);
    if (!is_finite(a) || !is_finite(b) || !is_finite(l.specular_color) || !is_finite(l.sheen) ||
        !is_finite(l.attenuation_color))
        return fail(LoadErrc::malformed, where, "a number is not finite");
    return {};
}

ValidationResult check_material(const Scene& scene, std::size_t i)
{
    const Material& m = scene.materials[i];
    const std::string where = at("/materials", i);
    if (!is_utf8(m.name)) return fail(LoadErrc::malformed, where + "/name", "the text is not UTF-8");
    for (const Texture* texture : textures_of(m)) {
        if (ValidationResult ok = check_texture(scene, *texture, where); !ok) return ok;
    }
    const glm::vec4 a(m.metallic, m.roughness, m.normal_scale, m.occlusion_strength);
    if (!is_finite(m.base_color) || !is_finite(m.emissive) || !is_finite(a) || !is_finite(m.alpha_cutoff))
        return fail(LoadErrc::malformed, where, "a number is not finite");
    if (m.alpha_mode > AlphaMode::blend) return fail(LoadErrc::malformed, where, "the alpha mode is unknown");
    return check_extensions(m.extensions, where + "/extensions");
}

ValidationResult check_variant(const Scene& scene, std::size_t i)
{
    if (is_utf8(scene.variants[i])) return {};
    return fail(LoadErrc::malformed, at("/variants", i), "the text is not UTF-8");
}

ValidationResult check_image(const Scene& scene, std::size_t i)
{
    const Image& image = scene.images[i];
    if (!is_utf8(image.name))
        return fail(LoadErrc::malformed, at("/images", i, "/name"), "the text is not UTF-8");
    const std::uint64_t texels = std::uint64_t{image.width} * image.height; // below 2^64
    if (!image.pixels.empty() && (image.pixels.size() % 4 != 0 || image.pixels.size() / 4 != texels))
        return fail(LoadErrc::malformed, at("/images", i, "/pixels"),
                    "the number of pixels differs from width times height");
    return {};
}

ValidationResult check_warning(const Scene& scene, std::size_t i)
{
    const Warning& warning = scene.warnings[i];
    if (is_utf8(warning.code) && is_utf8(warning.message) && is_utf8(warning.where)) return {};
    return fail(LoadErrc::malformed, at("/warnings", i), "the text is not UTF-8");
}

ValidationResult check_each(const Scene& scene, std::size_t count,
                            ValidationResult (*check)(const Scene&, std::size_t))
{
    if (count >= none) return fail(LoadErrc::limit_exceeded, "", "more entries than an index can address");
    for (std::size_t i = 0; i < count; ++i) {
        check_stop();
        if (ValidationResult ok = check(scene, i); !ok) return ok;
    }
    return {};
}

} // namespace

// Later checks rely on earlier ones: the pose is checked after nodes, meshes and skins.
LoadResult<void> validate(const Scene& scene, FlatMeshes flat)
{
    const auto check_mesh = flat == FlatMeshes::allowed ? check_mesh_or_flat_mesh : check_shaded_mesh;
    if (ValidationResult ok = check_header(scene); !ok) return ok;
    if (ValidationResult ok = check_each(scene, scene.meshes.size(), check_mesh); !ok) return ok;
    if (ValidationResult ok = check_each(scene, scene.nodes.size(), check_node); !ok) return ok;
    if (ValidationResult ok = check_each(scene, scene.skins.size(), check_skin); !ok) return ok;
    if (ValidationResult ok = check_skinned_meshes(scene); !ok) return ok;
    if (ValidationResult ok = check_cost(scene); !ok) return ok;
    if (ValidationResult ok = check_rest_pose(scene); !ok) return ok;
    if (ValidationResult ok = check_each(scene, scene.clips.size(), check_clip); !ok) return ok;
    if (ValidationResult ok = check_each(scene, scene.materials.size(), check_material); !ok) return ok;
    if (ValidationResult ok = check_each(scene, scene.variants.size(), check_variant); !ok) return ok;
    if (ValidationResult ok = check_each(scene, scene.images.size(), check_image); !ok) return ok;
    if (ValidationResult ok = check_repeated_names(scene); !ok) return ok;
    if (ValidationResult ok = check_vrm(scene); !ok) return ok;
    return check_each(scene, scene.warnings.size(), check_warning);
}

LoadResult<void> check_extent(const Scene& scene)
{
    const Aabb box = static_bounds(scene);
    const Aabb drawable{glm::vec3(-max_coordinate), glm::vec3(max_coordinate)};
    if (drawable.contains(box)) return {};
    return fail(LoadErrc::out_of_range, "",
                "the model extends more than 1e15 m from the origin, which is the maximum");
}

} // namespace vitrine::scene
