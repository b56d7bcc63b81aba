#pragma once
// The rules of checks and the profiles that say which apply, how severe they are and where their limits lie.
// Rule ids are stable. api/check_profile.hpp reads profiles from JSON.

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine::scene {

enum class Severity : std::uint8_t { off, note, warning, error };

std::string_view to_string(Severity severity);
std::optional<Severity> find_severity(std::string_view name);

enum class Rule : std::uint8_t {
    clip_empty,
    clip_invalid_keys,
    clip_quaternion_norm,
    clip_quaternion_flip,
    clip_frozen,
    clip_constant_channel,
    clip_duplicate_keys,
    clip_redundant_keys,
    clip_scale_keys,
    clip_non_uniform_scale,
    clip_bind_pose_jump,
    clip_velocity_peak,
    clip_loop_seam,
    clip_loop_velocity,
    clip_foot_slide,
    clip_missing_joints,
    clip_not_looping,
    clip_root_motion,
    clip_speed,
    clip_duration,
    clip_frame_rate,
    clip_required_joint,
    clip_uneven_channels,
    clip_constant_scale,
    clip_duplicate_loop_end,
    clip_group_duration,
    clip_group_phase,
    model_empty,
    model_triangles,
    model_vertices,
    model_meshes,
    model_primitives,
    model_joints,
    model_influences,
    model_morph_targets,
    model_materials,
    model_images,
    model_clips,
    skin_unweighted_vertices,
    skin_weight_sum,
    skin_joint_scale,
    texture_missing,
    texture_side,
    texture_bytes,
    texture_power_of_two,
    name_duplicate_joint,
    name_duplicate_clip,
    name_node,
    name_joint,
    name_mesh,
    name_material,
    name_clip,
    name_image,
    space_up_axis,
    space_unit,
    space_size,
    required_joint,
    required_clip,
    file_warning,
};

inline constexpr double no_limit = std::numeric_limits<double>::infinity();

struct RuleInfo {
    Rule rule;
    std::string_view id;
    Severity severity; // of the profile "default"
    double limit;      // largest value without a finding; no_limit: only a profile can set one
    bool has_limit;    // the rule compares with its limit
    std::string_view summary;
};

// By Rule.
std::span<const RuleInfo> all_rules();
const RuleInfo& info_of(Rule rule);
std::optional<Rule> find_rule(std::string_view id);

struct RuleSetting {
    Severity severity = Severity::off;
    double limit = no_limit;
};

// A regular expression that matches the whole name.
struct NamePattern {
    std::string text;
    std::function<bool(std::string_view)> matches;
};

struct NumberInterval {
    double min = -no_limit;
    double max = no_limit;

    bool contains(double value) const { return value >= min && value <= max; }
    bool is_limited() const { return min > -no_limit || max < no_limit; }
};

// What is demanded of the clips whose name matches.
struct ClipDemand {
    NamePattern clips;
    std::optional<bool> loops{};
    std::optional<bool> in_place{};
    NumberInterval speed{};   // meters per second of the root
    NumberInterval seconds{}; // of the clip
    std::optional<double> frame_rate{};
    std::vector<std::string> joints{}; // that the clip moves
    // Of each matching clip from the first one.
    std::optional<double> duration_spread{}; // seconds
    std::optional<double> phase_spread{};    // of feet on the ground: a share of a step, at most 0.5
};

// The kinds of objects whose names a profile can restrict, in the order of the rules from Rule::name_node on.
enum class NamedKind : std::uint8_t { node, joint, mesh, material, clip, image };
inline constexpr std::size_t named_kind_count = 6;

struct CheckProfile {
    std::string name;
    std::string description;
    std::string revision{};           // tells profiles of one name apart; empty: shipped with the program
    std::vector<RuleSetting> rules{}; // by Rule
    std::array<std::optional<NamePattern>, named_kind_count> names{};
    std::optional<std::string> up_axis{}; // of the file: X -X Y -Y Z -Z
    std::optional<double> unit_meters{};  // of the file
    NumberInterval size{};                // meters: the longest side of the static box
    std::vector<std::string> joints{};    // required
    std::vector<std::string> clips{};     // required
    std::vector<ClipDemand> clip_demands{};

    const RuleSetting& setting(Rule rule) const { return rules[static_cast<std::size_t>(rule)]; }
    RuleSetting& setting(Rule rule) { return rules[static_cast<std::size_t>(rule)]; }
};

// The severities and limits of all_rules().
CheckProfile default_profile();

struct ShippedProfile {
    std::string_view name;
    std::string_view description;
    CheckProfile (*make)();
};

// The profiles that come with the program; the first is "default".
std::span<const ShippedProfile> shipped_profiles();
std::optional<CheckProfile> find_shipped_profile(std::string_view name);

} // namespace vitrine::scene
