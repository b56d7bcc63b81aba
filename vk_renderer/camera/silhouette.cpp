#include "vk_renderer/camera/silhouette.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "loaders/scene/geometry/backface_culling.hpp"

namespace vitrine::render {
namespace {

constexpr float empty_depth = -std::numeric_limits<float>::infinity();

} // namespace

ViewAxes view_axes(float yaw_degrees, float pitch_degrees)
{
    const float yaw = glm::radians(yaw_degrees), pitch = glm::radians(pitch_degrees);
    ViewAxes axes;
    axes.toward = {std::sin(yaw) * std::cos(pitch), std::sin(pitch), std::cos(yaw) * std::cos(pitch)};
    axes.right = {std::cos(yaw), 0.0f, -std::sin(yaw)};
    axes.up = glm::cross(axes.toward, axes.right);
    return axes;
}

Silhouette SilhouettePainter::paint(const scene::Scene& scene, std::span<const scene::Instance> instances,
                                    std::span<const scene::PaletteEntry> palette,
                                    std::span<const scene::SkinnedMesh> meshes, const ViewAxes& axes,
                                    glm::vec3 center, float radius)
{
    pixels_.assign(std::size_t{side} * side, {empty_depth, false});
    culled_ = 0.0f;
    const float scale = 0.5f * static_cast<float>(side) / radius;
    std::vector<glm::vec3> projected; // pixel x, pixel y, depth
    for (std::size_t i = 0; i < instances.size(); ++i) {
        const auto& mesh = scene.meshes[instances[i].mesh];
        projected.clear();
        for (const auto& position : meshes[i].positions) {
            const glm::vec3 p = scale * (position - center);
            projected.emplace_back(glm::dot(p, axes.right) + 0.5f * side, 0.5f * side - glm::dot(p, axes.up),
                                   glm::dot(p, axes.toward));
        }
        for (const auto& primitive : mesh.primitives) {
            const auto indices = std::span(mesh.indices).subspan(primitive.first, primitive.count);
            if (primitive.topology != scene::Topology::triangles) {
                for (const auto index : indices)
                    mark(projected[index].x, projected[index].y, projected[index].z, false);
                continue;
            }
            if (indices.empty()) continue;
            const bool culled = culls_back_faces(scene, primitive.material);
            const bool mirrored = mirrors(palette[first_influence_entry(instances[i], mesh, indices[0])]);
            for (std::size_t t = 0; t + 2 < indices.size(); t += 3)
                paint_triangle({projected[indices[t]], projected[indices[t + 1]], projected[indices[t + 2]]},
                               culled, mirrored);
        }
    }
    Silhouette result;
    for (const auto& pixel : pixels_)
        if (pixel.depth > empty_depth) (pixel.back ? result.back : result.front) += 1.0f;
    result.front /= static_cast<float>(side * side);
    result.back /= static_cast<float>(side * side);
    result.culled = culled_ / static_cast<float>(side * side);
    return result;
}

void SilhouettePainter::mark(float x, float y, float depth, bool back)
{
    if (!(x >= 0.0f && y >= 0.0f && x < side && y < side)) return;
    auto& pixel = pixels_[static_cast<std::size_t>(y) * side + static_cast<std::size_t>(x)];
    if (depth > pixel.depth) pixel = {depth, back};
}

// Covers at least the pixel at the triangle's center, so that small triangles count.
void SilhouettePainter::paint_triangle(const glm::vec3 (&corners)[3], bool culled, bool mirrored)
{
    const auto& [a, b, c] = corners;
    const float area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
    const bool back = mirrored ? area < 0.0f : area > 0.0f; // y points down: front faces have negative area
    if (!std::isfinite(area)) return;
    if (back && culled) {
        culled_ += 0.5f * std::abs(area);
        return;
    }
    const glm::vec3 center = (a + b + c) / 3.0f;
    mark(center.x, center.y, center.z, back);
    if (area == 0.0f) return;
    const auto clamped = [](float v) { return static_cast<int>(std::clamp(v, 0.0f, side - 1.0f)); };
    const int left = clamped(std::min({a.x, b.x, c.x})), right = clamped(std::max({a.x, b.x, c.x}));
    const int top = clamped(std::min({a.y, b.y, c.y})), bottom = clamped(std::max({a.y, b.y, c.y}));
    for (int y = top; y <= bottom; ++y)
        for (int x = left; x <= right; ++x) {
            const glm::vec2 p(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
            const float u = ((b.x - p.x) * (c.y - p.y) - (c.x - p.x) * (b.y - p.y)) / area;
            const float v = ((c.x - p.x) * (a.y - p.y) - (a.x - p.x) * (c.y - p.y)) / area;
            if (u < 0.0f || v < 0.0f || u + v > 1.0f) continue;
            mark(p.x, p.y, u * a.z + v * b.z + (1.0f - u - v) * c.z, back);
        }
}

} // namespace vitrine::render
