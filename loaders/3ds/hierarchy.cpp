#include "loaders/3ds/scene_builder.hpp"

#include <algorithm>
#include <functional>
#include <numbers>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "loaders/3ds/chunk.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/io/string_hash.hpp"
#include "loaders/io/text/text_reader.hpp"

namespace vitrine::threeds {
namespace {

// The first node with an id is used.
std::vector<std::uint32_t> parents_of(const Document& document, io::WarningLog& warnings)
{
    std::unordered_map<std::int32_t, std::uint32_t> by_id;
    for (std::uint32_t i = 0; i < document.nodes.size(); ++i)
        by_id.try_emplace(document.nodes[i].id, i);
    std::vector<std::uint32_t> parents(document.nodes.size(), scene::none);
    for (std::size_t i = 0; i < parents.size(); ++i) {
        const KeyframerNode& node = document.nodes[i];
        if (node.parent == no_node) continue;
        const auto found = by_id.find(node.parent);
        if (found != by_id.end())
            parents[i] = found->second;
        else
            warnings.add(
                "missing_parent",
                fmt::format("the parent {1} of the node {0} is missing", io::shown(node.name), node.parent),
                place(node.at));
    }
    return parents;
}

// Each node is visited once: the path above visited nodes is known to end.
LoadResult<void> break_cycles(const Document& document, const Limits& limits, io::WarningLog& warnings,
                              std::vector<std::uint32_t>& parents)
{
    constexpr std::uint32_t unknown = 0, visiting = 0xFFFFFFFF;
    std::vector<std::uint32_t> depth(parents.size(), unknown);
    std::vector<std::uint32_t> delta;
    for (std::uint32_t start = 0; start < parents.size(); ++start) {
        delta.clear();
        std::uint32_t at = start;
        while (at != scene::none && depth[at] == unknown) {
            depth[at] = visiting;
            delta.push_back(at);
            at = parents[at];
        }
        std::uint32_t above = 0;
        if (at != scene::none && depth[at] == visiting) {
            const KeyframerNode& node = document.nodes[delta.back()];
            warnings.add(
                "parent_cycle",
                fmt::format("the node {} is its own ancestor; it becomes a root", io::shown(node.name)),
                place(node.at));
            parents[delta.back()] = scene::none;
        } else if (at != scene::none) {
            above = depth[at];
        }
        for (; !delta.empty(); delta.pop_back())
            depth[delta.back()] = ++above;
        if (above > limits.depth)
            return io::limit_exceeded_error(place(document.nodes[start].at), "the nesting of nodes", "depth",
                                            limits.depth);
    }
    return {};
}

// Objects with one name are assigned to its nodes in order; further nodes are instances of the last object.
std::vector<std::size_t> objects_of(const Document& document, io::WarningLog& warnings)
{
    constexpr std::string_view dummy = "$$$DUMMY";
    std::unordered_map<std::string_view, std::vector<std::size_t>, io::StringHash, std::equal_to<>> by_name;
    for (std::size_t i = document.objects.size(); i-- > 0;)
        by_name[document.objects[i].name].push_back(i);
    std::vector<std::size_t> objects(document.nodes.size(), no_object);
    for (std::size_t i = 0; i < objects.size(); ++i) {
        const KeyframerNode& node = document.nodes[i];
        if (node.kind != NodeKind::object || node.name == dummy) continue;
        const auto found = by_name.find(node.name);
        if (found == by_name.end()) {
            warnings.add("missing_object",
                         fmt::format("the object of the node {} is missing", io::shown(node.name)),
                         place(node.at));
            continue;
        }
        const std::size_t object = found->second.back();
        if (found->second.size() > 1) found->second.pop_back();
        if (document.objects[object].is_mesh) objects[i] = object;
    }
    return objects;
}

glm::dquat look(const glm::dvec3& from, const glm::dvec3& to, double roll)
{
    const glm::dvec3 delta = to - from;
    const double length = glm::length(delta);
    if (!(length > 0.0)) return {1.0, 0.0, 0.0, 0.0};
    const glm::dvec3 ahead = delta / length;
    const bool upright = std::abs(ahead.z) > 1.0 - 1e-9;
    const glm::dvec3 right =
        glm::normalize(glm::cross(ahead, upright ? glm::dvec3(0, 1, 0) : glm::dvec3(0, 0, 1)));
    const glm::dquat level = glm::quat_cast(glm::dmat3(right, glm::cross(right, ahead), -ahead));
    return glm::normalize(level *
                          glm::angleAxis(-roll * std::numbers::pi / 180.0, glm::dvec3(0.0, 0.0, 1.0)));
}

void append_frames(std::vector<double>& frames, const auto& track)
{
    for (const auto& key : track.keys)
        frames.push_back(key.frame);
}

} // namespace

LoadResult<Hierarchy> find_hierarchy(const Document& document, const Limits& limits, io::WarningLog& warnings)
{
    Hierarchy hierarchy{parents_of(document, warnings), objects_of(document, warnings), {}};
    for (std::size_t i = 0; i < document.nodes.size(); ++i) {
        const KeyframerNode& node = document.nodes[i];
        if (node.kind == NodeKind::camera_target && !node.position.keys.empty())
            hierarchy.targets.try_emplace(node.name, i);
    }
    if (auto done = break_cycles(document, limits, warnings, hierarchy.parents); !done)
        return std::unexpected(done.error());
    return hierarchy;
}

void aim_camera(const Document& document, const Hierarchy& hierarchy, std::uint32_t camera,
                scene::Scene& scene, ClipBuilder& clip, io::WarningLog& warnings)
{
    const KeyframerNode& node = document.nodes[camera];
    if (node.kind != NodeKind::camera || node.position.keys.empty()) return;
    const auto target = hierarchy.targets.find(node.name);
    if (target == hierarchy.targets.end()) return;
    if (hierarchy.parents[target->second] !=
        hierarchy.parents[camera]) // would need the evaluation of both parents
        return warnings.add("camera_not_aimed",
                            "a camera and its target have different parents; the camera is not aimed",
                            scene.nodes[camera].name);
    const Spline<glm::dvec3> from(node.position), to(document.nodes[target->second].position);
    const Spline<double> roll(node.roll);
    const auto rotation = [&](double frame) {
        return look(from.at(frame), to.at(frame), roll.empty() ? 0.0 : roll.at(frame));
    };
    scene.nodes[camera].local.rotation = glm::quat(rotation(0.0));
    std::vector<double> frames;
    append_frames(frames, node.position);
    append_frames(frames, document.nodes[target->second].position);
    append_frames(frames, node.roll);
    std::ranges::sort(frames);
    if (!from.constant() || !to.constant() || !(roll.empty() || roll.constant()))
        clip.add(camera, frames, rotation);
}

} // namespace vitrine::threeds
