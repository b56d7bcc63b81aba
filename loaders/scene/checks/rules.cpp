// The table of rules.
#include <algorithm>

#include "loaders/scene/checks/profile.hpp"

namespace vitrine::scene {
namespace {

using enum Rule;
using enum Severity;

constexpr std::array severities{std::string_view("off"), std::string_view("note"),
                                std::string_view("warning"), std::string_view("error")};

// A rule without a limit, and one with the limit of the profile "default".
constexpr RuleInfo plain(Rule rule, std::string_view id, Severity severity, std::string_view summary)
{
    return {rule, id, severity, no_limit, false, summary};
}
constexpr RuleInfo limited(Rule rule, std::string_view id, Severity severity, double limit,
                           std::string_view summary)
{
    return {rule, id, severity, limit, true, summary};
}

constexpr std::array rule_table{
    plain(clip_empty, "clip.empty", warning, "The clip has no keys"),
    plain(clip_invalid_keys, "clip.invalid-keys", warning, "Keys are not finite or not in order"),
    limited(clip_quaternion_norm, "clip.quaternion-norm", error, 0, "Rotation keys do not have unit length"),
    limited(clip_quaternion_flip, "clip.quaternion-flip", note, 0,
            "Neighboring rotation keys lie in opposite hemispheres"),
    plain(clip_frozen, "clip.frozen", warning, "No key of the clip changes anything"),
    limited(clip_constant_channel, "clip.constant-channel", note, 0, "Channels repeat one value"),
    limited(clip_duplicate_keys, "clip.duplicate-keys", note, 0, "Keys lie between two equal ones"),
    limited(clip_redundant_keys, "clip.redundant-keys", note, 0,
            "Keys equal the interpolation of their neighbors"),
    plain(clip_scale_keys, "clip.scale-keys", note, "Keys change the scale of a joint"),
    plain(clip_non_uniform_scale, "clip.non-uniform-scale", warning,
          "Keys scale the axes of a joint differently"),
    limited(clip_bind_pose_jump, "clip.bind-pose-jump", warning, 75,
            "Joints of the first frame are turned far from the bind pose, in degrees on average"),
    limited(clip_velocity_peak, "clip.velocity-peak", warning, 0.15,
            "A joint jumps within a frame, in sizes of the skeleton"),
    limited(clip_loop_seam, "clip.loop-seam", warning, 0.02,
            "The end of a clip that should loop misses its start, in sizes of the skeleton"),
    limited(clip_loop_velocity, "clip.loop-velocity", note, 2,
            "The velocity of a joint changes where the clip loops, in sizes of the skeleton per second"),
    limited(clip_foot_slide, "clip.foot-slide", warning, 0.25,
            "Feet slide while they touch the ground, in sizes of the skeleton per second"),
    limited(clip_missing_joints, "clip.missing-joints", note, 0,
            "The clip has no keys of joints that the other clips move"),
    plain(clip_not_looping, "clip.not-looping", error, "The profile demands that the clip loops, or not"),
    plain(clip_root_motion, "clip.root-motion", error,
          "The profile demands that the clip stays in place, or not"),
    plain(clip_speed, "clip.speed", error, "The speed of the root is outside of the profile's interval"),
    plain(clip_duration, "clip.duration", error, "The duration is outside of the profile's interval"),
    plain(clip_frame_rate, "clip.frame-rate", error, "The frame rate is not that of the profile"),
    plain(clip_required_joint, "clip.required-joint", error,
          "The clip does not move a joint that the profile names"),
    limited(clip_uneven_channels, "clip.uneven-channels", note, 0.1,
            "Keys of a joint begin after the start of the clip or end before its end, in seconds"),
    plain(clip_constant_scale, "clip.constant-scale", off, "Keys keep a joint at a scale other than 1"),
    plain(clip_duplicate_loop_end, "clip.duplicate-loop-end", off,
          "The last frame of a clip that loops repeats its first"),
    plain(clip_group_duration, "clip.group-duration", error,
          "Clips that the profile demands to be equally long are not"),
    plain(clip_group_phase, "clip.group-phase", error,
          "Feet of clips that the profile demands to be in step are not"),
    plain(model_empty, "model.empty", warning, "The file has neither geometry nor a clip"),
    limited(model_triangles, "model.triangles", error, no_limit, "Triangles"),
    limited(model_vertices, "model.vertices", error, no_limit, "Vertices, as stored in the file"),
    limited(model_meshes, "model.meshes", error, no_limit, "Meshes"),
    limited(model_primitives, "model.primitives", error, no_limit,
            "Primitives of visible meshes, which are drawn one by one"),
    limited(model_joints, "model.joints", error, no_limit, "Joints of all skins"),
    limited(model_influences, "model.influences", error, no_limit, "Joints that move one vertex"),
    limited(model_morph_targets, "model.morph-targets", error, no_limit, "Morph targets of one mesh"),
    limited(model_materials, "model.materials", error, no_limit, "Materials"),
    limited(model_images, "model.images", error, no_limit, "Images"),
    limited(model_clips, "model.clips", error, no_limit, "Clips with keys"),
    limited(skin_unweighted_vertices, "skin.unweighted-vertices", note, 0,
            "Vertices of a skinned mesh that no joint moves"),
    limited(skin_weight_sum, "skin.weight-sum", warning, 0.01, "The weights of a vertex do not add up to 1"),
    limited(skin_joint_scale, "skin.joint-scale", off, 0.001,
            "A joint is scaled in the static pose, by more than this from 1"),
    plain(texture_missing, "texture.missing", error, "An image is missing or cannot be decoded"),
    limited(texture_side, "texture.side", error, no_limit, "The longer side of an image in pixels"),
    limited(texture_bytes, "texture.bytes", error, no_limit,
            "All images as RGBA with 8 bits a channel, without mip maps"),
    plain(texture_power_of_two, "texture.power-of-two", off, "A side of an image is no power of two"),
    plain(name_duplicate_joint, "name.duplicate-joint", warning, "Several joints have one name"),
    plain(name_duplicate_clip, "name.duplicate-clip", warning, "Several clips have one name"),
    plain(name_node, "name.node", error, "The name of a node does not match the profile's pattern"),
    plain(name_joint, "name.joint", error, "The name of a joint does not match the profile's pattern"),
    plain(name_mesh, "name.mesh", error, "The name of a mesh does not match the profile's pattern"),
    plain(name_material, "name.material", error,
          "The name of a material does not match the profile's pattern"),
    plain(name_clip, "name.clip", error, "The name of a clip does not match the profile's pattern"),
    plain(name_image, "name.image", error, "The name of an image does not match the profile's pattern"),
    plain(space_up_axis, "space.up-axis", error, "The up axis of the file is not that of the profile"),
    plain(space_unit, "space.unit", error, "The unit of the file is not that of the profile"),
    plain(space_size, "space.size", error, "The size of the model is outside of the profile's interval"),
    plain(required_joint, "required.joint", error, "A joint that the profile names is missing"),
    plain(required_clip, "required.clip", error, "A clip that the profile names is missing"),
    plain(file_warning, "file.warning", note, "The loader reported a warning"),
};

constexpr bool is_in_order()
{
    for (std::size_t i = 0; i < rule_table.size(); ++i)
        if (static_cast<std::size_t>(rule_table[i].rule) != i) return false;
    return rule_table.back().rule == file_warning;
}
static_assert(is_in_order());
static_assert(static_cast<std::size_t>(name_image) - static_cast<std::size_t>(name_node) + 1 ==
              named_kind_count);

} // namespace

std::string_view to_string(Severity severity)
{
    return severities[static_cast<std::size_t>(severity)];
}

std::optional<Severity> find_severity(std::string_view name)
{
    const auto found = std::ranges::find(severities, name);
    if (found == severities.end()) return std::nullopt;
    return static_cast<Severity>(found - severities.begin());
}

std::span<const RuleInfo> all_rules()
{
    return rule_table;
}

const RuleInfo& info_of(Rule rule)
{
    return rule_table[static_cast<std::size_t>(rule)];
}

std::optional<Rule> find_rule(std::string_view id)
{
    const auto found = std::ranges::find(rule_table, id, &RuleInfo::id);
    return found == rule_table.end() ? std::nullopt : std::optional(found->rule);
}

} // namespace vitrine::scene
