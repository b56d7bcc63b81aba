#pragma once
// What a VRM or VRMA file (https://vrm.dev) declares about its character beside what is drawn. The roles of
// joints are Node::human_bone.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loaders/scene/human_bone.hpp"
#include "loaders/scene/index.hpp"

namespace vitrine::scene {

// By their extensions: "VRM" of versions 0.x, "VRMC_vrm" of version 1.0, "VRMC_vrm_animation" of VRMA.
enum class VrmKind : std::uint8_t { version_0, version_1, animation };

// The bones that VRM 0.x names otherwise than name_of(): it numbers the joints of a thumb as those of the
// other fingers.
inline constexpr std::array<std::pair<std::string_view, HumanBone>, 4> vrm_0_bone_names{
    {{"leftThumbProximal", HumanBone::left_thumb_metacarpal},
     {"leftThumbIntermediate", HumanBone::left_thumb_proximal},
     {"rightThumbProximal", HumanBone::right_thumb_metacarpal},
     {"rightThumbIntermediate", HumanBone::right_thumb_proximal}}};

// Expressions that VRM 0.x defines, and their names in VRM 1.0.
inline constexpr std::array<std::pair<std::string_view, std::string_view>, 17> vrm_0_presets{
    {{"neutral", "neutral"},
     {"a", "aa"},
     {"i", "ih"},
     {"u", "ou"},
     {"e", "ee"},
     {"o", "oh"},
     {"blink", "blink"},
     {"joy", "happy"},
     {"angry", "angry"},
     {"sorrow", "sad"},
     {"fun", "relaxed"},
     {"lookup", "lookUp"},
     {"lookdown", "lookDown"},
     {"lookleft", "lookLeft"},
     {"lookright", "lookRight"},
     {"blink_l", "blinkLeft"},
     {"blink_r", "blinkRight"}}};

// The names of FirstPersonFlag in VRM 1.0 and 0.x.
inline constexpr std::array<std::pair<std::string_view, std::string_view>, 4> first_person_names{
    {{"auto", "Auto"},
     {"both", "Both"},
     {"thirdPersonOnly", "ThirdPersonOnly"},
     {"firstPersonOnly", "FirstPersonOnly"}}};

// When a mesh is drawn; first person is the view from the character's head.
enum class FirstPersonFlag : std::uint8_t { automatic, both, third_person_only, first_person_only };

struct FirstPersonMesh {
    std::uint32_t node = none; // with a mesh
    FirstPersonFlag flag = FirstPersonFlag::automatic;

    bool operator==(const FirstPersonMesh&) const = default;
};

struct ExpressionWeight {
    std::uint32_t node = none;
    std::uint32_t target = 0; // morph target of the node's mesh
    float weight = 0.0f;

    bool operator==(const ExpressionWeight&) const = default;
};

// A named set of weights of morph targets ("happy", "blink").
struct VrmExpression {
    std::string name;       // of a preset: as VRM 1.0 names it
    bool is_preset = false; // defined by the specification, not by the file
    bool is_binary = false; // switched, not blended
    std::vector<ExpressionWeight> weights;
    std::uint32_t material_changes = 0; // number of its colors and texture transforms, which are not kept

    bool operator==(const VrmExpression&) const = default;
};

// A member of the file's meta object, under its name there: {"commercialUsage", "personalNonProfit"}.
struct VrmTerm {
    std::string name;
    std::string value;

    bool operator==(const VrmTerm&) const = default;
};

struct VrmFacts {
    std::string version; // of the specification: "0.0", "1.0"
    std::string title;
    std::string model_version;
    std::vector<std::string> authors;
    std::string license; // a URL, or the name in VRM 0.x
    std::vector<VrmTerm> terms;
    std::string look_at; // what moves the eyes: "bone", "expression", or empty
    std::vector<FirstPersonMesh> first_person;
    std::vector<VrmExpression> expressions;
    // Numbers of simulated chains, their joints (VRM 0.x: their first joints) and colliders.
    std::uint32_t springs = 0;
    std::uint32_t spring_joints = 0;
    std::uint32_t spring_colliders = 0;
    std::uint32_t constraints = 0; // of nodes to nodes

    bool operator==(const VrmFacts&) const = default;
};

// Limits of validate().
inline constexpr std::size_t max_vrm_entries = 256;            // of each list
inline constexpr std::size_t max_expression_weights = 1 << 14; // of all expressions

} // namespace vitrine::scene
