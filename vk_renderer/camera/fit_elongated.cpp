#include "vk_renderer/camera/fit_view.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "vk_renderer/camera/silhouette.hpp"

namespace vitrine::render {
namespace {

constexpr float max_thickness_ratio = 1.0f / 400.0f; // of the length: a third of a pixel in a thumbnail
constexpr float axis_offset_degrees = 11.0f;         // degrees between the view direction and long_axis
constexpr float max_raised_pitch = 60.0f;            // degrees; steeper views are lowered by the offset

struct LongAxis {
    glm::vec3 near_end{}, far_end{};
    float thickness = 0.0f;
};

glm::vec3 farthest_from(glm::vec3 place, const Points& points)
{
    return *std::ranges::max_element(points, {},
                                     [&](glm::vec3 point) { return glm::distance(point, place); });
}

std::optional<LongAxis> find_long_axis(const Points& points)
{
    if (points.empty()) return {};
    LongAxis long_axis;
    long_axis.near_end = farthest_from(points.front(), points);
    long_axis.far_end = farthest_from(long_axis.near_end, points);
    const float length = glm::distance(long_axis.near_end, long_axis.far_end);
    if (!(length > 0.0f) || !std::isfinite(length)) return {};
    const glm::vec3 axis = (long_axis.far_end - long_axis.near_end) / length;
    for (const auto& point : points) {
        const glm::vec3 off = point - long_axis.near_end;
        long_axis.thickness =
            std::max(long_axis.thickness, 2.0f * glm::length(off - glm::dot(off, axis) * axis));
    }
    const bool is_elongated =
        long_axis.thickness > 0.0f && long_axis.thickness < max_thickness_ratio * length;
    return is_elongated ? std::optional(long_axis) : std::nullopt;
}

bool has_lines(const scene::Scene& scene)
{
    return std::ranges::any_of(scene.meshes, [](const scene::Mesh& mesh) {
        return std::ranges::any_of(mesh.primitives, [](const scene::Primitive& primitive) {
            return primitive.topology != scene::Topology::triangles;
        });
    });
}

} // namespace

bool fit_elongated(const scene::Scene& scene, const Points& points, View& view)
{
    if (view.camera.orthographic || has_lines(scene)) return false;
    auto long_axis = find_long_axis(points);
    if (!long_axis) return false;
    glm::vec3 toward = glm::normalize(long_axis->near_end - long_axis->far_end);
    if (glm::dot(toward, view_axes(view.camera.yaw, view.camera.pitch).toward) < 0.0f) {
        std::swap(long_axis->near_end, long_axis->far_end);
        toward = -toward;
    }
    const float pitch = glm::degrees(std::asin(std::clamp(toward.y, -1.0f, 1.0f)));
    view.camera.yaw = glm::degrees(std::atan2(toward.x, toward.z)) + axis_offset_degrees;
    view.camera.pitch = pitch > max_raised_pitch ? pitch - axis_offset_degrees : pitch + axis_offset_degrees;
    Points end;
    for (const auto& point : points)
        if (glm::dot(long_axis->near_end - point, toward) < 4.0f * long_axis->thickness) end.push_back(point);
    fit_along(points, end, view);
    return true;
}

} // namespace vitrine::render
