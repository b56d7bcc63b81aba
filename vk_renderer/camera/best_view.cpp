#include "vk_renderer/camera/best_view.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "loaders/base/ascii.hpp"
#include "loaders/base/stop.hpp"
#include "loaders/scene/geometry/rendering_origin.hpp"
#include "loaders/scene/lineup/lineup.hpp"
#include "loaders/scene/motion/file_nodes.hpp"
#include "loaders/scene/preview/decimate.hpp"
#include "loaders/scene/preview/outliers.hpp"
#include "loaders/scene/skinning/skinner.hpp"
#include "vk_renderer/base/scene_instances.hpp"
#include "vk_renderer/camera/fit_view.hpp"
#include "vk_renderer/camera/silhouette.hpp"
#include "vk_renderer/camera/view_parser.hpp"

namespace vitrine::render {
namespace {

constexpr std::size_t silhouette_elements = 2500;
constexpr std::size_t max_framing_points = 1800;
constexpr std::size_t max_exact_points = 4'000'000;   // over all clip times shown
constexpr std::size_t max_clip_times = 12;            // per clip
constexpr std::size_t max_node_evaluations = 200'000; // over all clip times
constexpr float back_face_weight = 0.5f;
constexpr float from_below_weight = 0.3f; // score factor of views from below when the floor hides the model

// Yaw relative to the model's front, and its weight when several views score equally.
struct AngleCandidate {
    float yaw;
    float weight;
};
constexpr std::array orbit_candidates{AngleCandidate{30.0f, 1.0f},  AngleCandidate{-30.0f, 0.97f},
                                      AngleCandidate{55.0f, 0.87f}, AngleCandidate{-55.0f, 0.84f},
                                      AngleCandidate{78.0f, 0.72f}, AngleCandidate{-78.0f, 0.70f}};
// Candidates for nearly flat models: close to the axes, the back last.
constexpr std::array axis_candidates{AngleCandidate{15.0f, 1.0f}, AngleCandidate{-15.0f, 0.97f},
                                     AngleCandidate{165.0f, 0.8f}};

// Models side by side: from the front, so that those at the ends are as far away.
constexpr std::array lineup_candidates{AngleCandidate{0.0f, 1.0f}};

constexpr float default_pitch = 15.0f;
constexpr float lineup_pitch = 8.0f;
constexpr float top_pitch = 48.0f;
constexpr float crowd_pitch = 25.0f;     // at least, so that the rows are distinguishable
constexpr float max_flat_ratio = 0.12f;  // ratio of the thickness to the smaller of the other two extents
constexpr float max_front_cosine = 0.8f; // 37 degrees

float yaw_of_direction(glm::vec2 direction)
{
    return glm::length(direction) > 0.0f ? glm::degrees(std::atan2(direction.x, direction.y)) : 0.0f;
}

bool is_toe_joint(std::string_view name)
{
    return ascii::lower(name).contains("toe");
}

float front_yaw(const scene::Scene& scene, const scene::Pose& pose)
{
    glm::vec2 sum(0.0f);
    float total_length = 0.0f;
    const auto parents = scene::file_parents(scene);
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        const auto& node = scene.nodes[i];
        if (parents[i] == scene::none || scene::is_helper(node) || !is_toe_joint(node.name)) continue;
        const glm::vec3 toe_direction = glm::vec3(pose.model[i][3]) - glm::vec3(pose.model[parents[i]][3]);
        const glm::vec2 horizontal(toe_direction.x, toe_direction.z);
        if (!std::isfinite(horizontal.x + horizontal.y) ||
            !(glm::length(horizontal) > 0.3f * glm::length(toe_direction)))
            continue;
        sum += horizontal;
        total_length += glm::length(horizontal);
    }
    const glm::vec2 front(scene.file_space.front.x, scene.file_space.front.z);
    const bool is_consistent = total_length > 0.0f && glm::length(sum) > 0.7f * total_length;
    const bool differs = glm::dot(sum, front) < max_front_cosine * glm::length(sum) * glm::length(front);
    return yaw_of_direction(is_consistent && differs ? sum : front);
}

// The candidate directions.
struct AngleChoices {
    std::span<const AngleCandidate> candidates;
    float yaw = 0.0f; // added to the yaw of each candidate
    float pitch = default_pitch;
};

AngleChoices choices_for(glm::vec3 size, float front)
{
    if (size.z < max_flat_ratio * std::min(size.x, size.y)) return {axis_candidates, 0.0f, 5.0f};
    if (size.x < max_flat_ratio * std::min(size.y, size.z)) return {axis_candidates, 90.0f, 5.0f};
    const float lowness = size.y / std::sqrt(std::max(size.x * size.z, 1e-30f));
    const float low = std::clamp((0.4f - lowness) / (0.4f - max_flat_ratio), 0.0f, 1.0f);
    if (lowness < max_flat_ratio) return {orbit_candidates, front, top_pitch};
    return {orbit_candidates, front, default_pitch + 20.0f * low};
}

// Yaw and pitch in degrees.
struct Angles {
    float yaw = 0.0f, pitch = 0.0f;
};

Angles choose_angles(const scene::Scene& scene, const scene::Pose& pose, const AngleChoices& choice)
{
    const auto decimated = scene::decimated(scene, silhouette_elements);
    scene::Skinner skinner(decimated);
    const auto meshes = skinner.skin_positions(pose);
    scene::Aabb box;
    const auto outliers = scene::find_outliers(decimated);
    for (std::size_t i = 0; i < meshes.size(); ++i)
        for (std::uint32_t v = 0; v < meshes[i].positions.size(); ++v)
            if (!outliers || !outliers->has(i, v)) box.add(meshes[i].positions[v]);
    SilhouettePainter painter;
    float best = -1.0f;
    Angles chosen;
    bool mostly_culled = false; // most of the model is culled
    const auto evaluate_pitch = [&](float pitch, float pitch_weight) {
        for (const auto& candidate : choice.candidates) {
            check_stop();
            const auto silhouette = painter.paint(decimated, skinner.instances(), skinner.palette(), meshes,
                                                  view_axes(choice.yaw + candidate.yaw, pitch), box.center(),
                                                  0.5f * glm::length(box.size()));
            const float score =
                pitch_weight * candidate.weight * (silhouette.front + back_face_weight * silhouette.back);
            if (score <= best) continue;
            best = score;
            chosen = {choice.yaw + candidate.yaw, pitch};
            mostly_culled = silhouette.culled > 2.0f * silhouette.front;
        }
    };
    evaluate_pitch(choice.pitch, 1.0f);
    if (mostly_culled) evaluate_pitch(-choice.pitch, from_below_weight);
    return chosen;
}

// Samples the clip time's clip evenly; a few points per pose are enough to find the extent.
std::vector<Points> points_of_clip(const scene::Scene& scene, const ClipTime& clip_time, glm::dvec3 origin,
                                   bool joints)
{
    if (clip_time.is_static()) return {};
    const auto count = std::clamp<std::size_t>(
        max_node_evaluations / std::max<std::size_t>(scene.nodes.size(), 1), 3, max_clip_times);
    std::vector<ClipTime> clip_times;
    for (std::size_t i = 0; i < count; ++i) {
        const double fraction = static_cast<double>(i) / static_cast<double>(count - 1);
        clip_times.push_back({clip_time.clip, fraction * duration_of(scene, clip_time), clip_time.layers});
    }
    return visible_vertex_positions(scene, clip_times, origin, max_framing_points * count, joints);
}

// Moves the target up or down so that the margins above and below the points are equal. fit_along() makes
// them equal only if the height determines the distance.
void center_vertically(const Points& points, View& view)
{
    const auto axes = view_axes(view.camera.yaw, view.camera.pitch);
    auto& camera = view.camera;
    if (camera.orthographic || !camera.distance || !camera.target) return;
    for (int step = 0; step < 4; ++step) {
        float highest = -std::numeric_limits<float>::infinity(), lowest = -highest;
        for (const auto& point : points) {
            const auto p = point - *camera.target;
            const float slope = glm::dot(p, axes.up) / (*camera.distance - glm::dot(p, axes.toward));
            highest = std::max(highest, slope);
            lowest = std::min(lowest, slope);
        }
        *camera.target += 0.5f * (highest + lowest) * *camera.distance * axes.up;
    }
}

// Sets distance and target so that the whole crowd is visible. The framing stays unset: the renderer measures
// it exactly. `poses`: of one model, at times of its motion.
void fit_crowd(std::span<const Points> poses, View& view)
{
    scene::Aabb model;
    for (const auto& points : poses)
        model.add(bounds_of_points(points));
    scene::Aabb origin;
    origin.add(glm::vec3(0.0f));
    const auto offsets = over_crowd(view, model, origin); // the model is in the corners of the grid
    Points outline;
    for (const auto& points : poses)
        for (const auto& point : points)
            for (const float x : {offsets.min.x, offsets.max.x})
                for (const float z : {offsets.min.z, offsets.max.z})
                    outline.push_back(point + glm::vec3(x, 0.0f, z));
    view.camera.pitch = std::max(view.camera.pitch, crowd_pitch);
    // Crowds are deep: with a weaker perspective half of the image would be empty.
    fit_along(outline, outline, view);
    center_vertically(outline, view);
    view.framing.reset();
}

} // namespace

View with_best_view(const scene::Scene& scene, const View& view, const ClipTime& clip_time,
                    std::span<const ClipTime> sequence)
{
    if (!view.camera.automatic) return view;
    View chosen = view;
    chosen.camera.automatic = false;
    const auto usual = find_named_view("three-quarter").value();
    chosen.camera.yaw = usual.yaw;
    chosen.camera.pitch = usual.pitch;
    if (clip_time.clip != scene::none && clip_time.clip >= scene.clips.size()) return chosen;
    const auto origin = scene::rendering_origin(scene);
    const bool joints = view.overlays.skeleton;
    auto visible_points = visible_vertex_positions(scene, {&clip_time, 1}, origin, max_exact_points, joints);
    if (visible_points.empty()) return chosen;
    scene::Pose pose{.origin = origin};
    sample_pose(scene, clip_time, pose);
    const auto choice =
        scene.format == scene::lineup_format
            ? AngleChoices{lineup_candidates, 0.0f, lineup_pitch}
            : choices_for(bounds_of_points(visible_points.front()).size(), front_yaw(scene, pose));
    const auto angles = choose_angles(scene, pose, choice);
    chosen.camera.yaw = angles.yaw;
    chosen.camera.pitch = angles.pitch;
    if (view.camera.target || view.framing) return chosen;
    if (!sequence.empty())
        visible_points = visible_vertex_positions(scene, sequence, origin, max_exact_points, joints);
    chosen.origin = origin;
    if (view.crowd > 1) {
        const auto motion = points_of_clip(scene, clip_time, origin, joints);
        visible_points.insert(visible_points.end(), motion.begin(), motion.end());
        fit_crowd(visible_points, chosen);
        return chosen;
    }
    const bool is_still = sequence.empty() && clip_time.is_static();
    if (is_still && fit_elongated(scene, visible_points.front(), chosen)) return chosen;
    fit(visible_points,
        sequence.empty() ? points_of_clip(scene, clip_time, origin, joints) : std::vector<Points>(), chosen);
    return chosen;
}

float front_yaw(const scene::Scene& scene, const ClipTime& clip_time)
{
    const auto origin = scene::rendering_origin(scene);
    const auto points = visible_vertex_positions(scene, {&clip_time, 1}, origin, max_framing_points, false);
    scene::Pose pose{.origin = origin};
    sample_pose(scene, clip_time, pose);
    const auto front = front_yaw(scene, pose);
    return points.empty() ? front : choices_for(bounds_of_points(points.front()).size(), front).yaw;
}

View with_best_orbit(const scene::Scene& scene, const View& view, const ClipTime& clip_time)
{
    auto chosen = with_best_view(scene, view, clip_time);
    if (view.crowd > 1 && view.camera.automatic && !view.camera.target) { // all of it is visible at every yaw
        chosen.camera.distance.reset();
        chosen.camera.target.reset();
        return chosen;
    }
    const bool is_fitted = view.camera.automatic && !view.camera.target && !view.framing && chosen.framing;
    if (is_fitted)
        fit_orbit(visible_vertex_positions(scene, {&clip_time, 1}, chosen.origin, max_exact_points,
                                           view.overlays.skeleton),
                  chosen);
    return chosen;
}

} // namespace vitrine::render
