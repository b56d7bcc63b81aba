#include "vk_renderer/best_view.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "loaders/scene/point_clouds.hpp"
#include "loaders/scene/thin.hpp"
#include "vk_renderer/silhouette.hpp"
#include "vk_renderer/view_words.hpp"

namespace vitrine::render {
namespace {

constexpr std::size_t silhouette_elements = 2500;
constexpr std::size_t framing_elements = 600;
constexpr std::size_t most_moments = 12;          // of a clip
constexpr std::size_t node_evaluations = 200'000; // for all of them
constexpr float margin = 1.12f;                   // of the picture around the model
constexpr float much_more = 1.4f;                 // times as large: the moment alone is framed
constexpr float worth_of_backs = 0.5f;

// Yaws from where the model looks, and what one is worth when all show as much.
struct Candidate {
    float yaw;
    float worth;
};
constexpr std::array around{Candidate{30.0f, 1.0f},   Candidate{-30.0f, 0.97f}, Candidate{55.0f, 0.87f},
                            Candidate{-55.0f, 0.84f}, Candidate{78.0f, 0.72f},  Candidate{-78.0f, 0.70f}};
// Of what is as good as flat: nearly straight on, the back last.
constexpr std::array straight{Candidate{15.0f, 1.0f}, Candidate{-15.0f, 0.97f}, Candidate{165.0f, 0.8f}};

constexpr float usual_pitch = 15.0f;
constexpr float from_above = 48.0f;
constexpr float flat = 0.12f;             // thickness to the smaller of the other sides
constexpr float cos_of_much = 0.8f;       // 37 degrees
constexpr double least_perspective = 0.8; // the nearest point's distance to the depth behind it

using Points = std::vector<glm::vec3>;

scene::Aabb box_of(const Points& points)
{
    scene::Aabb box;
    for (const auto& point : points)
        box.add(point);
    return box;
}

bool is_usable(const scene::Aabb& box)
{
    const glm::vec3 size = box.size();
    return !box.empty() && std::isfinite(size.x + size.y + size.z) &&
           std::max({size.x, size.y, size.z}) < scene::farthest;
}

void pose_at(const scene::Scene& scene, const Moment& moment, scene::Pose& pose)
{
    if (moment.clip == scene::none)
        scene::rest_pose(scene, pose);
    else
        scene::sample_pose(scene, moment.clip, moment.time, pose);
}

float yaw_of(glm::vec2 way)
{
    return glm::length(way) > 0.0f ? glm::degrees(std::atan2(way.x, way.y)) : 0.0f;
}

bool is_toe(std::string name)
{
    for (char& c : name)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return name.contains("toe");
}

// The way a model looks: what its format says, unless its toes agree on quite another way.
float front_yaw(const scene::Scene& scene, const scene::Pose& pose)
{
    glm::vec2 sum(0.0f);
    float all = 0.0f;
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        const auto& node = scene.nodes[i];
        if (node.parent == scene::none || !is_toe(node.name)) continue;
        const glm::vec3 way = glm::vec3(pose.model[i][3]) - glm::vec3(pose.model[node.parent][3]);
        const glm::vec2 across(way.x, way.z);
        if (!std::isfinite(across.x + across.y) || !(glm::length(across) > 0.3f * glm::length(way))) continue;
        sum += across;
        all += glm::length(across);
    }
    const glm::vec2 front(scene.file_space.front.x, scene.file_space.front.z);
    const bool agree = all > 0.0f && glm::length(sum) > 0.7f * all;
    const bool elsewhere = glm::dot(sum, front) < cos_of_much * glm::length(sum) * glm::length(front);
    return yaw_of(agree && elsewhere ? sum : front);
}

// Which way to look at it from.
struct Choice {
    std::span<const Candidate> candidates;
    float yaw = 0.0f; // that of the candidates is added
    float pitch = usual_pitch;
};

Choice choice_for(glm::vec3 size, float front)
{
    if (size.z < flat * std::min(size.x, size.y)) return {straight, 0.0f, 5.0f};
    if (size.x < flat * std::min(size.y, size.z)) return {straight, 90.0f, 5.0f};
    const float lowness = size.y / std::sqrt(std::max(size.x * size.z, 1e-30f));
    const float low = std::clamp((0.4f - lowness) / (0.4f - flat), 0.0f, 1.0f);
    if (lowness < flat) return {around, front, from_above};
    return {around, front, usual_pitch + 20.0f * low};
}

float choose_yaw(const scene::Scene& scene, const scene::Pose& pose, const Choice& choice)
{
    const auto thin = scene::thinned(scene, silhouette_elements);
    scene::PointClouds clouds(thin);
    const auto& meshes = clouds.meshes_at(pose);
    scene::Aabb box;
    for (const auto& mesh : meshes)
        for (const auto& point : mesh.positions)
            box.add(point);
    SilhouettePainter painter;
    float best = -1.0f, yaw = 0.0f;
    for (const auto& candidate : choice.candidates) {
        const auto shown = painter.paint(thin, clouds.instances(), meshes,
                                         view_axes(choice.yaw + candidate.yaw, choice.pitch), box.centre(),
                                         0.5f * glm::length(box.size()));
        const float worth = candidate.worth * (shown.front + worth_of_backs * shown.back);
        if (worth <= best) continue;
        best = worth;
        yaw = choice.yaw + candidate.yaw;
    }
    return yaw;
}

// How far the points reach in a view: by the lines of sight that touch them.
class Fit {
public:
    Fit(const ViewAxes& axes, glm::vec3 origin, const View& view)
        : axes_(axes), origin_(origin), orthographic_(view.camera.orthographic)
    {
        slope_.y =
            std::tan(glm::radians(0.5 * std::clamp(double{view.camera.vertical_fov}, 1.0, 170.0))) / margin;
        slope_.x = slope_.y * view.width / view.height;
    }

    void add(const Points& points)
    {
        for (const auto& point : points) {
            const glm::dvec3 p(point - origin_);
            const glm::dvec2 at(glm::dot(p, glm::dvec3(axes_.right)), glm::dot(p, glm::dvec3(axes_.up)));
            const double depth = glm::dot(p, glm::dvec3(axes_.toward));
            const glm::dvec2 lean = orthographic_ ? glm::dvec2(0.0) : slope_ * depth;
            most_ = glm::max(most_, at + lean);
            least_ = glm::min(least_, at - lean);
            near_ = std::max(near_, depth);
            far_ = std::min(far_, depth);
        }
    }

    // From the middle of the points' depth.
    double distance() const
    {
        const glm::dvec2 eye = 0.5 * (most_ - least_) / slope_; // where the lines of sight meet
        const double fit = std::max(eye.x, eye.y);
        if (orthographic_) return fit;
        return std::max(fit, near_ + least_perspective * (near_ - far_)) - middle();
    }

    glm::vec3 target() const
    {
        const glm::dvec2 at = 0.5 * (most_ + least_);
        return origin_ + glm::vec3(at.x * glm::dvec3(axes_.right) + at.y * glm::dvec3(axes_.up) +
                                   middle() * glm::dvec3(axes_.toward));
    }

private:
    double middle() const { return 0.5 * (near_ + far_); }

    ViewAxes axes_;
    glm::vec3 origin_;
    bool orthographic_;
    glm::dvec2 slope_{1.0}; // of the outermost line of sight
    glm::dvec2 most_{-std::numeric_limits<double>::infinity()};
    glm::dvec2 least_{std::numeric_limits<double>::infinity()};
    double near_ = -std::numeric_limits<double>::infinity();
    double far_ = std::numeric_limits<double>::infinity();
};

// The points of the moment first, then those of others of the clip.
std::vector<Points> points_of(const scene::Scene& scene, const Moment& moment)
{
    const auto thin = scene::thinned(scene, framing_elements);
    scene::PointClouds clouds(thin);
    scene::Pose pose;
    pose_at(scene, moment, pose);
    std::vector<Points> all{clouds.points_at(pose)};
    if (moment.clip == scene::none) return all;
    const auto count = std::clamp<std::size_t>(
        node_evaluations / std::max<std::size_t>(scene.nodes.size(), 1), 3, most_moments);
    for (std::size_t i = 0; i < count; ++i) {
        const double share = static_cast<double>(i) / static_cast<double>(count - 1);
        pose_at(scene, {moment.clip, share * scene.clips[moment.clip].duration}, pose);
        auto points = clouds.points_at(pose);
        if (is_usable(box_of(points))) all.push_back(std::move(points));
    }
    return all;
}

// Distance, target and what is framed.
void fit(const std::vector<Points>& points, Reach reach, View& view)
{
    const auto axes = view_axes(view.camera.yaw, view.camera.pitch);
    scene::Aabb box = box_of(points.front());
    Fit moment(axes, box.centre(), view);
    moment.add(points.front());
    Fit clip = moment;
    scene::Aabb all = box;
    for (const auto& more : points) {
        clip.add(more);
        all.add(box_of(more));
    }
    const bool alone = reach == Reach::moment && clip.distance() > much_more * moment.distance();
    const auto& chosen = alone ? moment : clip;
    view.framing = alone ? box : all;
    if (!(chosen.distance() > 0.0)) return; // a point: by the sphere
    view.camera.distance = static_cast<float>(chosen.distance());
    view.camera.target = chosen.target();
}

} // namespace

View with_best_view(const scene::Scene& scene, const View& view, const Moment& moment, Reach reach)
{
    if (!view.camera.automatic) return view;
    View chosen = view;
    chosen.camera.automatic = false;
    const auto usual = find_named_view("three-quarter").value();
    chosen.camera.yaw = usual.yaw;
    chosen.camera.pitch = usual.pitch;
    if (moment.clip != scene::none && moment.clip >= scene.clips.size()) return chosen;
    const auto points = points_of(scene, moment);
    const auto box = box_of(points.front());
    if (!is_usable(box)) return chosen;
    scene::Pose pose;
    pose_at(scene, moment, pose);
    const auto choice = choice_for(box.size(), front_yaw(scene, pose));
    chosen.camera.yaw = choose_yaw(scene, pose, choice);
    chosen.camera.pitch = choice.pitch;
    if (!view.camera.target && !view.framing) fit(points, reach, chosen);
    return chosen;
}

} // namespace vitrine::render
