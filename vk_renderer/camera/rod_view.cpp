#include "vk_renderer/camera/rod_view.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "vk_renderer/camera/silhouette.hpp"

namespace vitrine::render {
namespace {

constexpr float thinnest = 1.0f / 400.0f; // of its length: a third of a pixel in a thumbnail
constexpr float aside = 11.0f;            // degrees off the rod
constexpr float steep = 60.0f;

struct Rod {
    glm::vec3 near_end{}, far_end{};
    float thickness = 0.0f;
};

glm::vec3 farthest_from(glm::vec3 place, const Points& points)
{
    return *std::ranges::max_element(points, {},
                                     [&](glm::vec3 point) { return glm::distance(point, place); });
}

std::optional<Rod> find_rod(const Points& points)
{
    if (points.empty()) return {};
    Rod rod;
    rod.near_end = farthest_from(points.front(), points);
    rod.far_end = farthest_from(rod.near_end, points);
    const float length = glm::distance(rod.near_end, rod.far_end);
    if (!(length > 0.0f) || !std::isfinite(length)) return {};
    const glm::vec3 axis = (rod.far_end - rod.near_end) / length;
    for (const auto& point : points) {
        const glm::vec3 off = point - rod.near_end;
        rod.thickness = std::max(rod.thickness, 2.0f * glm::length(off - glm::dot(off, axis) * axis));
    }
    const bool is_rod = rod.thickness > 0.0f && rod.thickness < thinnest * length;
    return is_rod ? std::optional(rod) : std::nullopt;
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

bool look_along_rod(const scene::Scene& scene, const Points& points, View& view)
{
    if (view.camera.orthographic || has_lines(scene)) return false;
    auto rod = find_rod(points);
    if (!rod) return false;
    glm::vec3 toward = glm::normalize(rod->near_end - rod->far_end);
    if (glm::dot(toward, view_axes(view.camera.yaw, view.camera.pitch).toward) < 0.0f) {
        std::swap(rod->near_end, rod->far_end);
        toward = -toward;
    }
    const float pitch = glm::degrees(std::asin(std::clamp(toward.y, -1.0f, 1.0f)));
    view.camera.yaw = glm::degrees(std::atan2(toward.x, toward.z)) + aside;
    view.camera.pitch = pitch > steep ? pitch - aside : pitch + aside;
    Points end;
    for (const auto& point : points)
        if (glm::dot(rod->near_end - point, toward) < 4.0f * rod->thickness) end.push_back(point);
    fit_along(points, end, view);
    return true;
}

} // namespace vitrine::render
