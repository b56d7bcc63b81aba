// Two-bone inverse kinematics in closed form: the law of cosines gives the middle joint of a limb whose ends
// are known; both bones turn rigidly.
#include <algorithm>
#include <cmath>
#include <optional>

#include "loaders/scene/layers/animation_layers.hpp"
#include "loaders/scene/layers/pose_editor.hpp"
#include "loaders/scene/motion/file_nodes.hpp"

namespace vitrine::scene {
namespace {

constexpr double min_relative_length = 1e-9; // of a direction, relative to the limb
constexpr int max_passes = 8;                // more than one only under uneven scale

// The nodes of a limb: a shoulder, an elbow and a hand.
struct LimbNodes {
    std::uint32_t root = none, middle = none, end = none;
};

// Their positions, in scene space.
struct LimbPositions {
    glm::dvec3 root, middle, end;

    double length() const { return glm::distance(root, middle) + glm::distance(middle, end); }
};

// Unit vectors: from the root to the end of a limb and, at right angles to it, to the side of its middle.
struct LimbAxes {
    glm::dvec3 along, side;

    glm::dvec3 normal() const { return glm::cross(along, side); }
};

std::optional<glm::dvec3> direction(const glm::dvec3& v, double min_length)
{
    const double length = glm::length(v);
    if (!(length > min_length)) return std::nullopt;
    return v / length;
}

glm::dvec3 any_normal(const glm::dvec3& unit)
{
    const auto size = glm::abs(unit);
    const glm::dvec3 axis = size.z <= size.x && size.z <= size.y ? glm::dvec3(0, 0, 1)
                            : size.x <= size.y                   ? glm::dvec3(1, 0, 0)
                                                                 : glm::dvec3(0, 1, 0);
    return glm::normalize(glm::cross(unit, axis));
}

glm::dvec3 without_part_along(const glm::dvec3& v, const glm::dvec3& unit)
{
    return v - unit * glm::dot(v, unit);
}

// Empty for a limb without length. A straight limb has no side: any one is taken.
std::optional<LimbAxes> axes_of(const LimbPositions& limb)
{
    const double least = min_relative_length * limb.length();
    auto along = direction(limb.end - limb.root, least);
    if (!along) along = direction(limb.middle - limb.root, least);
    if (!along) return std::nullopt;
    const auto side = direction(without_part_along(limb.middle - limb.root, *along), least);
    return LimbAxes{*along, side.value_or(any_normal(*along))};
}

// The rotation from one unit vector to another along the shortest arc.
glm::dquat arc(const glm::dvec3& from, const glm::dvec3& to)
{
    const double cosine = glm::dot(from, to);
    if (cosine < -1.0 + 1e-12) return glm::angleAxis(glm::pi<double>(), any_normal(from));
    const glm::dvec3 axis = glm::cross(from, to);
    return glm::normalize(glm::dquat(1.0 + cosine, axis.x, axis.y, axis.z));
}

LimbAxes turned_axes(const LimbPositions& limb, const LimbAxes& axes, const JointReach& reach)
{
    const double least = min_relative_length * limb.length();
    const auto along = direction(reach.target - limb.root, least).value_or(axes.along);
    std::optional<glm::dvec3> side;
    if (reach.pole) side = direction(without_part_along(*reach.pole - limb.root, along), least);
    if (!side) side = direction(without_part_along(arc(axes.along, along) * axes.side, along), 0.0);
    return {along, side.value_or(any_normal(along))};
}

// The limb of the same lengths that ends at the target, or as near to it as it can.
LimbPositions reaching(const LimbPositions& limb, const LimbAxes& axes, const glm::dvec3& target)
{
    const double upper = glm::distance(limb.root, limb.middle);
    const double lower = glm::distance(limb.middle, limb.end);
    const double distance =
        std::clamp(glm::distance(limb.root, target), std::abs(upper - lower), upper + lower);
    double foot = 0.0; // of the middle joint, along the axis
    if (distance > min_relative_length * (upper + lower))
        foot = (upper * upper - lower * lower + distance * distance) / (2.0 * distance);
    foot = std::clamp(foot, -upper, upper);
    const double height = std::sqrt(std::max(0.0, upper * upper - foot * foot));
    return {limb.root, limb.root + axes.along * foot + axes.side * height, limb.root + axes.along * distance};
}

// The rotation of a bone that keeps its angle to the plane of the limb.
glm::dquat bone_rotation(const glm::dvec3& from, const LimbAxes& before, const glm::dvec3& to,
                         const LimbAxes& after, double least)
{
    const auto frame = [&](const glm::dvec3& bone, const LimbAxes& axes) {
        const auto unit = direction(bone, least).value_or(axes.along);
        return glm::dmat3(unit, axes.normal(), glm::cross(unit, axes.normal()));
    };
    return glm::normalize(glm::quat_cast(frame(to, after) * glm::transpose(frame(from, before))));
}

LimbNodes limb_of(const Scene& scene, std::uint32_t end, const std::vector<std::uint32_t>& parents)
{
    LimbNodes nodes{.end = file_node(scene, end)};
    nodes.middle = parents[nodes.end];
    nodes.root = nodes.middle == none ? none : parents[nodes.middle];
    return nodes;
}

// Returns whether the end was elsewhere, so that another pass may be better.
bool turn_limb(const LimbNodes& nodes, const JointReach& reach, PoseEditor& editor)
{
    const auto position = [&](std::uint32_t node) { return glm::dvec3(editor.model(node)[3]); };
    const LimbPositions limb{position(nodes.root), position(nodes.middle), position(nodes.end)};
    const auto before = axes_of(limb);
    if (!before) return false;
    const auto after = turned_axes(limb, *before, reach);
    const LimbPositions wanted = reaching(limb, after, reach.target);
    const double least = min_relative_length * limb.length();
    const auto upper =
        bone_rotation(limb.middle - limb.root, *before, wanted.middle - wanted.root, after, least);
    const auto lower =
        bone_rotation(limb.end - limb.middle, *before, wanted.end - wanted.middle, after, least);
    editor.turn_in_scene(nodes.root, upper);
    editor.turn_in_scene(nodes.middle, lower * glm::conjugate(upper));
    constexpr double accuracy = 1e-6;
    return glm::distance(position(nodes.end), wanted.end) > accuracy * limb.length();
}

} // namespace

bool ends_limb(const Scene& scene, std::uint32_t node)
{
    return limb_of(scene, node, file_parents(scene)).root != none;
}

void reach_joints(const Scene& scene, std::span<const JointReach> reaches, Pose& pose)
{
    if (reaches.empty()) return;
    const auto parents = file_parents(scene);
    PoseEditor editor(scene, pose);
    for (const JointReach& reach : reaches) {
        const auto nodes = limb_of(scene, reach.node, parents);
        for (int pass = 0; pass < max_passes && nodes.root != none; ++pass)
            if (!turn_limb(nodes, reach, editor)) break;
    }
}

} // namespace vitrine::scene
