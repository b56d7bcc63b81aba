#include "vk_renderer/camera/best_view.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "loaders/base/ascii.hpp"
#include "loaders/scene/motion/file_nodes.hpp"
#include "loaders/scene/geometry/rendering_origin.hpp"
#include "loaders/scene/preview/outliers.hpp"
#include "loaders/scene/preview/decimate.hpp"
#include "loaders/scene/skinning/skinner.hpp"
#include "vk_renderer/camera/fit_elongated.hpp"
#include "vk_renderer/camera/fit_view.hpp"
#include "vk_renderer/camera/silhouette.hpp"
#include "vk_renderer/camera/view_parser.hpp"

namespace vitrine::render {
namespace {

constexpr std::size_t silhouette_elements = 2500;
constexpr std::size_t framing_points = 1800;
constexpr std::size_t exact_points = 4'000'000;   // of all moments that are shown
constexpr std::size_t max_moments = 12;           // of a clip
constexpr std::size_t node_evaluations = 200'000; // for all of them
constexpr float back_face_weight = 0.5f;
constexpr float below_weight = 0.3f; // where the floor is in the way

// Yaws from where the model looks, and what one is worth when all show as much.
struct AngleCandidate {
    float yaw;
    float worth;
};
constexpr std::array orbit_candidates{AngleCandidate{30.0f, 1.0f},  AngleCandidate{-30.0f, 0.97f},
                                      AngleCandidate{55.0f, 0.87f}, AngleCandidate{-55.0f, 0.84f},
                                      AngleCandidate{78.0f, 0.72f}, AngleCandidate{-78.0f, 0.70f}};
// Of what is as good as flat: nearly axis_candidates on, the back last.
constexpr std::array axis_candidates{AngleCandidate{15.0f, 1.0f}, AngleCandidate{-15.0f, 0.97f},
                                     AngleCandidate{165.0f, 0.8f}};

constexpr float default_pitch = 15.0f;
constexpr float top_pitch = 48.0f;
constexpr float flat = 0.12f;             // thickness to the smaller of the other sides
constexpr float max_facing_cosine = 0.8f; // 37 degrees

float yaw_of(glm::vec2 way)
{
    return glm::length(way) > 0.0f ? glm::degrees(std::atan2(way.x, way.y)) : 0.0f;
}

bool is_toe_joint(std::string_view name)
{
    return ascii::lower(name).contains("toe");
}

// The way a model looks: what its format says, unless its toes agree on quite another way.
float front_yaw(const scene::Scene& scene, const scene::Pose& pose)
{
    glm::vec2 sum(0.0f);
    float all = 0.0f;
    const auto parents = scene::file_parents(scene);
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        const auto& node = scene.nodes[i];
        if (parents[i] == scene::none || scene::is_helper(node) || !is_toe_joint(node.name)) continue;
        const glm::vec3 way = glm::vec3(pose.model[i][3]) - glm::vec3(pose.model[parents[i]][3]);
        const glm::vec2 across(way.x, way.z);
        if (!std::isfinite(across.x + across.y) || !(glm::length(across) > 0.3f * glm::length(way))) continue;
        sum += across;
        all += glm::length(across);
    }
    const glm::vec2 front(scene.file_space.front.x, scene.file_space.front.z);
    const bool agree = all > 0.0f && glm::length(sum) > 0.7f * all;
    const bool elsewhere = glm::dot(sum, front) < max_facing_cosine * glm::length(sum) * glm::length(front);
    return yaw_of(agree && elsewhere ? sum : front);
}

// Which way to look at it from.
struct AngleChoices {
    std::span<const AngleCandidate> candidates;
    float yaw = 0.0f; // that of the candidates is added
    float pitch = default_pitch;
};

AngleChoices choices_for(glm::vec3 size, float front)
{
    if (size.z < flat * std::min(size.x, size.y)) return {axis_candidates, 0.0f, 5.0f};
    if (size.x < flat * std::min(size.y, size.z)) return {axis_candidates, 90.0f, 5.0f};
    const float lowness = size.y / std::sqrt(std::max(size.x * size.z, 1e-30f));
    const float low = std::clamp((0.4f - lowness) / (0.4f - flat), 0.0f, 1.0f);
    if (lowness < flat) return {orbit_candidates, front, top_pitch};
    return {orbit_candidates, front, default_pitch + 20.0f * low};
}

// Yaw and pitch, degrees.
struct Angles {
    float yaw = 0.0f, pitch = 0.0f;
};

Angles choose_angles(const scene::Scene& scene, const scene::Pose& pose, const AngleChoices& choice)
{
    const auto thin = scene::decimated(scene, silhouette_elements);
    scene::Skinner skinner(thin);
    const auto meshes = skinner.skin_positions(pose);
    scene::Aabb box;
    const auto outliers = scene::find_outliers(thin);
    for (std::size_t i = 0; i < meshes.size(); ++i)
        for (std::uint32_t v = 0; v < meshes[i].positions.size(); ++v)
            if (!outliers || !outliers->has(i, v)) box.add(meshes[i].positions[v]);
    SilhouettePainter painter;
    float best = -1.0f;
    Angles chosen;
    bool hidden = false; // most of it, by culling
    const auto look = [&](float pitch, float pitch_weight) {
        for (const auto& candidate : choice.candidates) {
            const auto shown = painter.paint(thin, skinner.instances(), skinner.palette(), meshes,
                                             view_axes(choice.yaw + candidate.yaw, pitch), box.center(),
                                             0.5f * glm::length(box.size()));
            const float worth =
                pitch_weight * candidate.worth * (shown.front + back_face_weight * shown.back);
            if (worth <= best) continue;
            best = worth;
            chosen = {choice.yaw + candidate.yaw, pitch};
            hidden = shown.culled > 2.0f * shown.front;
        }
    };
    look(choice.pitch, 1.0f);
    if (hidden) look(-choice.pitch, below_weight);
    return chosen;
}

// Evenly over the moment's clip: few points of each are enough to tell how far it reaches.
std::vector<Points> points_of_clip(const scene::Scene& scene, const Moment& moment, glm::dvec3 origin,
                                   bool joints)
{
    if (moment.clip == scene::none) return {};
    const auto count = std::clamp<std::size_t>(
        node_evaluations / std::max<std::size_t>(scene.nodes.size(), 1), 3, max_moments);
    std::vector<Moment> moments;
    for (std::size_t i = 0; i < count; ++i) {
        const double share = static_cast<double>(i) / static_cast<double>(count - 1);
        moments.push_back({moment.clip, share * scene.clips[moment.clip].duration});
    }
    return points_at(scene, moments, origin, framing_points * count, joints);
}

} // namespace

View with_best_view(const scene::Scene& scene, const View& view, const Moment& moment,
                    std::span<const Moment> sequence)
{
    if (!view.camera.automatic) return view;
    View chosen = view;
    chosen.camera.automatic = false;
    const auto usual = find_named_view("three-quarter").value();
    chosen.camera.yaw = usual.yaw;
    chosen.camera.pitch = usual.pitch;
    if (moment.clip != scene::none && moment.clip >= scene.clips.size()) return chosen;
    const auto origin = scene::rendering_origin(scene);
    const bool joints = view.overlays.skeleton;
    auto shown = points_at(scene, {&moment, 1}, origin, exact_points, joints);
    if (shown.empty()) return chosen;
    scene::Pose pose{.origin = origin};
    scene::sample_pose(scene, moment.clip, moment.time, pose);
    const auto choice = choices_for(box_of(shown.front()).size(), front_yaw(scene, pose));
    const auto angles = choose_angles(scene, pose, choice);
    chosen.camera.yaw = angles.yaw;
    chosen.camera.pitch = angles.pitch;
    if (view.camera.target || view.framing) return chosen;
    if (!sequence.empty()) shown = points_at(scene, sequence, origin, exact_points, joints);
    chosen.origin = origin;
    const bool is_still = sequence.empty() && moment.clip == scene::none;
    if (is_still && fit_elongated(scene, shown.front(), chosen)) return chosen;
    fit(shown, sequence.empty() ? points_of_clip(scene, moment, origin, joints) : std::vector<Points>(),
        chosen);
    return chosen;
}

View with_best_orbit(const scene::Scene& scene, const View& view, const Moment& moment)
{
    auto chosen = with_best_view(scene, view, moment);
    const bool is_fitted = view.camera.automatic && !view.camera.target && !view.framing && chosen.framing;
    if (is_fitted)
        fit_orbit(points_at(scene, {&moment, 1}, chosen.origin, exact_points, view.overlays.skeleton),
                  chosen);
    return chosen;
}

} // namespace vitrine::render
