#include "vk_renderer/camera/fit_view.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "loaders/base/stop.hpp"
#include "loaders/scene/preview/bone_geometry.hpp"
#include "loaders/scene/preview/decimate.hpp"
#include "loaders/scene/preview/outliers.hpp"
#include "loaders/scene/skinning/skinner.hpp"
#include "vk_renderer/camera/silhouette.hpp"

namespace vitrine::render {
namespace {

constexpr float fit_margin = 1.12f;    // size of the image relative to the model
constexpr float max_zoom_ratio = 1.4f; // how much larger `visible` may be than with `optional`
constexpr double min_near_ratio = 0.8; // minimum ratio of the nearest point's distance to the depth behind it

bool is_usable(const scene::Aabb& box)
{
    const glm::vec3 size = box.size();
    return !box.empty() && std::isfinite(size.x + size.y + size.z) &&
           std::max({size.x, size.y, size.z}) < scene::max_coordinate;
}

std::size_t vertex_count(const scene::Scene& scene, std::span<const scene::Instance> instances)
{
    std::size_t count = 0;
    for (const auto& instance : instances)
        count += scene.meshes[instance.mesh].positions.size();
    return count;
}

// For each mesh, the vertices used by a triangle, line or point, ascending; files may contain unused ones.
std::vector<std::vector<std::uint32_t>> used_vertices(const scene::Scene& scene)
{
    std::vector<std::vector<std::uint32_t>> all(scene.meshes.size());
    for (std::size_t m = 0; m < all.size(); ++m) {
        check_stop();
        const auto& mesh = scene.meshes[m];
        std::vector<bool> used(mesh.positions.size(), false);
        for (const auto index : mesh.indices)
            used[index] = true;
        for (std::uint32_t vertex = 0; vertex < used.size(); ++vertex)
            if (used[vertex]) all[m].push_back(vertex);
    }
    return all;
}

// Slopes of the outermost lines of sight on which a point may be.
glm::dvec2 slope_of(const View& view)
{
    const double up =
        std::tan(glm::radians(0.5 * std::clamp(double{view.camera.vertical_fov}, 1.0, 170.0))) / fit_margin;
    return {up * view.width / view.height, up};
}

// Computes the extent of points in a view from the lines of sight that touch them.
class ViewFitter {
public:
    ViewFitter(const ViewAxes& axes, glm::vec3 origin, const View& view)
        : axes_(axes), origin_(origin), orthographic_(view.camera.orthographic), slope_(slope_of(view))
    {
    }

    void add(const Points& points)
    {
        for (const auto& point : points) {
            const glm::dvec3 p(point - origin_);
            const glm::dvec2 at(glm::dot(p, glm::dvec3(axes_.right)), glm::dot(p, glm::dvec3(axes_.up)));
            const double depth = glm::dot(p, glm::dvec3(axes_.toward));
            const glm::dvec2 depth_offset = orthographic_ ? glm::dvec2(0.0) : slope_ * depth;
            max_offset_ = glm::max(max_offset_, at + depth_offset);
            min_offset_ = glm::min(min_offset_, at - depth_offset);
            near_ = std::max(near_, depth);
            far_ = std::min(far_, depth);
        }
    }

    // From the middle of the points' depth range.
    double distance() const
    {
        if (orthographic_) return intersection_depth();
        return std::max(intersection_depth(), near_ + min_near_ratio * (near_ - far_)) - middle();
    }
    glm::vec3 target() const { return target_at(middle()); }

    // From the depth of the nearest point, regardless of the strength of the perspective.
    double close_distance() const { return intersection_depth() - near_; }
    glm::vec3 close_target() const { return target_at(near_); }

private:
    // The depth at which the outermost lines of sight meet.
    double intersection_depth() const
    {
        const glm::dvec2 eye = 0.5 * (max_offset_ - min_offset_) / slope_;
        return std::max(eye.x, eye.y);
    }
    glm::vec3 target_at(double depth) const
    {
        const glm::dvec2 at = 0.5 * (max_offset_ + min_offset_);
        return origin_ + glm::vec3(at.x * glm::dvec3(axes_.right) + at.y * glm::dvec3(axes_.up) +
                                   depth * glm::dvec3(axes_.toward));
    }
    double middle() const { return 0.5 * (near_ + far_); }

    ViewAxes axes_;
    glm::vec3 origin_;
    bool orthographic_;
    glm::dvec2 slope_;
    glm::dvec2 max_offset_{-std::numeric_limits<double>::infinity()};
    glm::dvec2 min_offset_{std::numeric_limits<double>::infinity()};
    double near_ = -std::numeric_limits<double>::infinity();
    double far_ = std::numeric_limits<double>::infinity();
};

// Computes the extent of points in a view that orbits the vertical axis through `origin`: over all yaws, a
// point at radius r and height y is between y sin(pitch) - r cos(pitch) and y sin(pitch) + r cos(pitch)
// toward the camera.
class OrbitFitter {
public:
    OrbitFitter(glm::vec3 origin, const View& view)
        : origin_(origin), slope_(slope_of(view)),
          depth_slope_(view.camera.orthographic ? glm::dvec2(0.0) : slope_),
          cos_(std::cos(glm::radians(double{view.camera.pitch}))),
          sin_(std::sin(glm::radians(double{view.camera.pitch})))
    {
    }

    void add(const Points& points)
    {
        for (const auto& point : points) {
            const glm::dvec3 p(point - origin_);
            const double r = glm::length(glm::dvec2(p.x, p.z));
            above_ = std::max(above_, p.y * (cos_ + depth_slope_.y * sin_) +
                                          r * std::abs(depth_slope_.y * cos_ - sin_));
            below_ = std::max(below_, p.y * (depth_slope_.y * sin_ - cos_) +
                                          r * std::abs(depth_slope_.y * cos_ + sin_));
            beside_ =
                std::max(beside_, p.y * depth_slope_.x * sin_ + r * std::hypot(1.0, depth_slope_.x * cos_));
            near_ = std::max(near_, p.y * sin_ + r * cos_);
            far_ = std::min(far_, p.y * sin_ - r * cos_);
        }
    }

    double distance() const
    {
        const double up = height();
        const double fit = std::max((above_ - up * (cos_ + depth_slope_.y * sin_)) / slope_.y,
                                    (beside_ - up * depth_slope_.x * sin_) / slope_.x);
        if (depth_slope_.y == 0.0) return fit;
        return std::max(fit, near_ + min_near_ratio * (near_ - far_) - up * sin_);
    }

    glm::vec3 target() const { return origin_ + glm::vec3(0.0f, height(), 0.0f); }

private:
    // At the middle of the box if the sides leave room for it, else as near to it as they allow; if height is
    // the limit, the margins above and below are equal.
    double height() const
    {
        if (!(cos_ > 0.05)) return 0.0;
        const double margin_height = beside_ * slope_.y / slope_.x;
        const double low = (above_ - margin_height) / cos_, high = (margin_height - below_) / cos_;
        return low < high ? std::clamp(0.0, low, high) : 0.5 * (low + high);
    }

    glm::vec3 origin_;
    glm::dvec2 slope_, depth_slope_;
    double cos_, sin_;
    double above_ = -std::numeric_limits<double>::infinity(), below_ = above_, beside_ = above_,
           near_ = above_, far_ = -above_;
};

template <class Fitting>
void add_boxes(std::span<const Points> visible, Fitting& fit)
{
    for (const auto& points : visible) {
        const auto box = bounds_of_points(points);
        Points corners;
        for (int corner = 0; corner < 8; ++corner)
            corners.emplace_back(corner & 1 ? box.max.x : box.min.x, corner & 2 ? box.max.y : box.min.y,
                                 corner & 4 ? box.max.z : box.min.z);
        fit.add(corners);
    }
}

template <class Fitting>
void place(const Fitting& fit, View& view)
{
    if (!(fit.distance() > 0.0)) return; // a single point: the bounding sphere decides
    view.camera.distance = static_cast<float>(fit.distance());
    view.camera.target = fit.target();
}

} // namespace

scene::Aabb bounds_of_points(const Points& points)
{
    scene::Aabb box;
    for (const auto& point : points)
        box.add(point);
    return box;
}

std::vector<Points> visible_vertex_positions(const scene::Scene& scene, std::span<const ClipTime> clip_times,
                                             glm::dvec3 origin, std::size_t max_points, bool joints)
{
    std::optional<scene::Scene> decimated;
    const auto vertices = vertex_count(scene, scene::find_instances(scene));
    if (vertices * clip_times.size() > max_points)
        decimated = scene::decimated(scene, max_points / clip_times.size() / 3);
    const auto& drawn = decimated ? *decimated : scene;
    const auto used = used_vertices(drawn);
    const auto outliers = scene::find_outliers(drawn);
    scene::Skinner skinner(drawn);
    scene::Pose pose{.origin = origin};
    std::vector<bool> skeleton;
    if (joints) scene::mark_skeleton_joints(scene, skeleton);
    std::vector<Points> all;
    for (const auto& clip_time : clip_times) {
        check_stop();
        sample_pose(scene, clip_time, pose);
        const auto meshes = skinner.skin_positions(pose);
        Points points;
        for (std::size_t i = 0; i < meshes.size(); ++i)
            for (const auto vertex : used[skinner.instances()[i].mesh])
                if (!outliers || !outliers->has(i, vertex)) points.push_back(meshes[i].positions[vertex]);
        for (std::size_t node = 0; node < skeleton.size(); ++node)
            if (skeleton[node]) points.emplace_back(pose.model[node][3]);
        if (is_usable(bounds_of_points(points))) all.push_back(std::move(points));
    }
    return all;
}

void fit(std::span<const Points> visible, std::span<const Points> optional, View& view)
{
    if (visible.empty()) return;
    scene::Aabb box;
    for (const auto& points : visible)
        box.add(bounds_of_points(points));
    ViewFitter near(view_axes(view.camera.yaw, view.camera.pitch), box.center(), view);
    for (const auto& points : visible)
        near.add(points);
    if (view.overlays.bounds) add_boxes(visible, near);
    ViewFitter far = near;
    scene::Aabb all = box;
    for (const auto& points : optional) {
        far.add(points);
        all.add(bounds_of_points(points));
    }
    const bool only_visible = far.distance() > max_zoom_ratio * near.distance();
    view.framing = only_visible ? box : all;
    place(only_visible ? near : far, view);
}

void fit_along(const Points& points, const Points& end, View& view)
{
    const auto box = bounds_of_points(end);
    if (box.empty()) return;
    ViewFitter fit(view_axes(view.camera.yaw, view.camera.pitch), box.center(), view);
    fit.add(points);
    if (!(fit.close_distance() > 0.0)) return;
    view.framing = box;
    view.camera.distance = static_cast<float>(fit.close_distance());
    view.camera.target = fit.close_target();
}

void fit_orbit(std::span<const Points> visible, View& view)
{
    if (visible.empty()) return;
    scene::Aabb box;
    for (const auto& points : visible)
        box.add(bounds_of_points(points));
    OrbitFitter fit(box.center(), view);
    for (const auto& points : visible)
        fit.add(points);
    if (view.overlays.bounds) add_boxes(visible, fit);
    view.framing = box;
    place(fit, view);
}

} // namespace vitrine::render
