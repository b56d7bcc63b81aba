#include "vk_renderer/fit_view.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "loaders/scene/skinner.hpp"
#include "loaders/scene/thin.hpp"
#include "vk_renderer/silhouette.hpp"

namespace vitrine::render {
namespace {

constexpr float margin = 1.12f;           // of the picture around the model
constexpr float much_more = 1.4f;         // times as large
constexpr double least_perspective = 0.8; // the nearest point's distance to the depth behind it

bool is_usable(const scene::Aabb& box)
{
    const glm::vec3 size = box.size();
    return !box.empty() && std::isfinite(size.x + size.y + size.z) &&
           std::max({size.x, size.y, size.z}) < scene::farthest;
}

std::size_t vertex_count(const scene::Scene& scene, std::span<const scene::Instance> instances)
{
    std::size_t count = 0;
    for (const auto& instance : instances)
        count += scene.meshes[instance.mesh].positions.size();
    return count;
}

// By mesh, the vertices that a triangle, line or point uses, ascending; files hold others too.
std::vector<std::vector<std::uint32_t>> used_vertices(const scene::Scene& scene)
{
    std::vector<std::vector<std::uint32_t>> all(scene.meshes.size());
    for (std::size_t m = 0; m < all.size(); ++m) {
        const auto& mesh = scene.meshes[m];
        std::vector<bool> used(mesh.positions.size(), false);
        for (const auto index : mesh.indices)
            used[index] = true;
        for (std::uint32_t vertex = 0; vertex < used.size(); ++vertex)
            if (used[vertex]) all[m].push_back(vertex);
    }
    return all;
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

void add_boxes(std::span<const Points> shown, Fit& fit)
{
    for (const auto& points : shown) {
        const auto box = box_of(points);
        Points corners;
        for (int corner = 0; corner < 8; ++corner)
            corners.emplace_back(corner & 1 ? box.max.x : box.min.x, corner & 2 ? box.max.y : box.min.y,
                                 corner & 4 ? box.max.z : box.min.z);
        fit.add(corners);
    }
}

} // namespace

scene::Aabb box_of(const Points& points)
{
    scene::Aabb box;
    for (const auto& point : points)
        box.add(point);
    return box;
}

std::vector<Points> points_at(const scene::Scene& scene, std::span<const Moment> moments, glm::dvec3 origin,
                              std::size_t most)
{
    std::optional<scene::Scene> thin;
    const auto vertices = vertex_count(scene, scene::find_instances(scene));
    if (vertices * moments.size() > most) thin = scene::thinned(scene, most / moments.size() / 3);
    const auto& drawn = thin ? *thin : scene;
    const auto used = used_vertices(drawn);
    scene::Skinner skinner(drawn);
    scene::Pose pose{.origin = origin};
    std::vector<Points> all;
    for (const auto& moment : moments) {
        scene::sample_pose(scene, moment.clip, moment.time, pose);
        const auto meshes = skinner.skin_positions(pose);
        Points points;
        for (std::size_t i = 0; i < meshes.size(); ++i)
            for (const auto vertex : used[skinner.instances()[i].mesh])
                points.push_back(meshes[i].positions[vertex]);
        if (is_usable(box_of(points))) all.push_back(std::move(points));
    }
    return all;
}

void fit(std::span<const Points> shown, std::span<const Points> more, View& view)
{
    if (shown.empty()) return;
    scene::Aabb box;
    for (const auto& points : shown)
        box.add(box_of(points));
    Fit near(view_axes(view.camera.yaw, view.camera.pitch), box.centre(), view);
    for (const auto& points : shown)
        near.add(points);
    if (view.overlays.bounds) add_boxes(shown, near);
    Fit far = near;
    scene::Aabb all = box;
    for (const auto& points : more) {
        far.add(points);
        all.add(box_of(points));
    }
    const bool alone = far.distance() > much_more * near.distance();
    const auto& chosen = alone ? near : far;
    view.framing = alone ? box : all;
    if (!(chosen.distance() > 0.0)) return; // a point: by the sphere
    view.camera.distance = static_cast<float>(chosen.distance());
    view.camera.target = chosen.target();
}

} // namespace vitrine::render
