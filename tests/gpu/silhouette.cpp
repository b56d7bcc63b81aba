#include "tests/gpu/silhouette.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/skinning/skinner.hpp"

namespace vitrine::test {
namespace {

// The default view of the API: 45 degrees, the bounding sphere with a margin of 5 %.
struct Eye {
    glm::dvec3 place, toward, right, up;
    double edge;

    // Pixels from the upper left corner. All points are in front of the camera, because the sphere fits.
    glm::dvec2 see(glm::dvec3 p) const
    {
        const auto d = p - place;
        const double scale = 0.5 * edge / (std::tan(glm::radians(22.5)) * -glm::dot(d, toward));
        return {0.5 * edge + glm::dot(d, right) * scale, 0.5 * edge - glm::dot(d, up) * scale};
    }
};

Eye eye_of(const scene::Scene& scene, double yaw, double pitch, std::uint32_t edge)
{
    const auto box = scene::static_bounds(scene);
    const glm::dvec3 low(box.min), high(box.max);
    const double y = glm::radians(yaw), p = glm::radians(pitch);
    Eye eye{};
    eye.toward = {std::sin(y) * std::cos(p), std::sin(p), std::cos(y) * std::cos(p)};
    eye.right = {std::cos(y), 0.0, -std::sin(y)};
    eye.up = glm::cross(eye.toward, eye.right);
    const double distance = 1.05 * 0.5 * glm::distance(low, high) / std::sin(glm::radians(22.5));
    eye.place = 0.5 * (low + high) + std::max(distance, 1e-9) * eye.toward;
    eye.edge = edge;
    return eye;
}

class Canvas {
public:
    explicit Canvas(std::uint32_t edge) : edge_(static_cast<int>(edge)), on_(std::size_t{edge} * edge) {}

    // Sets the pixels whose center is in the triangle.
    void fill(const std::array<glm::dvec2, 3>& t)
    {
        const double area = cross(t[1] - t[0], t[2] - t[0]);
        if (!(std::abs(area) > 1e-9)) return;
        const auto low = glm::min(glm::min(t[0], t[1]), t[2]), high = glm::max(glm::max(t[0], t[1]), t[2]);
        for (int y = clamp(low.y); y <= clamp(high.y); ++y)
            for (int x = clamp(low.x); x <= clamp(high.x); ++x) {
                const glm::dvec2 p(x + 0.5, y + 0.5);
                const double a = cross(t[1] - t[0], p - t[0]) / area, b = cross(t[2] - t[1], p - t[1]) / area,
                             c = cross(t[0] - t[2], p - t[2]) / area;
                if (a >= 0.0 && b >= 0.0 && c >= 0.0) set(x, y);
            }
    }
    // Sets every pixel within `reach` of the line.
    void stroke(glm::dvec2 from, glm::dvec2 to, int reach)
    {
        const int steps =
            static_cast<int>(std::clamp(std::ceil(2.0 * glm::distance(from, to)), 1.0, 4.0 * edge_));
        for (int i = 0; i <= steps; ++i) {
            const auto p = glm::mix(from, to, static_cast<double>(i) / steps);
            for (int y = -reach; y <= reach; ++y)
                for (int x = -reach; x <= reach; ++x)
                    set(static_cast<int>(p.x) + x, static_cast<int>(p.y) + y);
        }
    }
    // Removes pixels with an unset neighbor.
    std::vector<bool> eroded() const
    {
        std::vector<bool> out(on_.size());
        for (int y = 1; y + 1 < edge_; ++y)
            for (int x = 1; x + 1 < edge_; ++x) {
                bool all = true;
                for (int i = 0; i < 9; ++i)
                    all = all && on_[index(x + i % 3 - 1, y + i / 3 - 1)];
                out[index(x, y)] = all;
            }
        return out;
    }
    const std::vector<bool>& all() const { return on_; }

private:
    static double cross(glm::dvec2 a, glm::dvec2 b) { return a.x * b.y - a.y * b.x; }
    int clamp(double v) const { return static_cast<int>(std::clamp(v, 0.0, edge_ - 1.0)); }
    std::size_t index(int x, int y) const
    {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(edge_) + static_cast<std::size_t>(x);
    }
    void set(int x, int y)
    {
        if (x >= 0 && y >= 0 && x < edge_ && y < edge_) on_[index(x, y)] = true;
    }

    int edge_;
    std::vector<bool> on_;
};

// Which sides of its triangles a primitive shows: both, the counter-clockwise one, or unknown.
enum class Shown : std::uint8_t { nothing_surely, both, counter_clockwise };

Shown shown_of(const scene::Scene& scene, const scene::Primitive& primitive, bool mirrored)
{
    const bool gltf = scene.format == "gltf" || scene.format == "glb";
    const auto material =
        primitive.material == scene::none ? scene::Material{} : scene.materials[primitive.material];
    if (material.alpha_mode != scene::AlphaMode::opaque) return Shown::nothing_surely;
    if (!gltf || material.double_sided) return Shown::both;
    return mirrored ? Shown::nothing_surely : Shown::counter_clockwise;
}

bool turns_over(const scene::PaletteEntry& e)
{
    return glm::dot(glm::vec3(e.row[0]), glm::cross(glm::vec3(e.row[1]), glm::vec3(e.row[2]))) < 0.0f;
}

struct Canvases {
    Eye eye;
    Canvas must, may;
    void draw(const scene::Mesh& mesh, const scene::Primitive& primitive,
              std::span<const glm::vec3> positions, Shown shown);
};

void Canvases::draw(const scene::Mesh& mesh, const scene::Primitive& primitive,
                    std::span<const glm::vec3> positions, Shown shown)
{
    const std::uint32_t corners = primitive.topology == scene::Topology::triangles ? 3
                                  : primitive.topology == scene::Topology::lines   ? 2
                                                                                   : 1;
    for (std::uint32_t i = 0; i + corners <= primitive.count; i += corners) {
        std::array<glm::dvec3, 3> p;
        std::array<glm::dvec2, 3> s;
        for (std::uint32_t c = 0; c < 3; ++c) {
            p[c] = glm::dvec3(positions[mesh.indices[primitive.first + i + c % corners]]);
            s[c] = eye.see(p[c]);
        }
        for (std::uint32_t c = 0; c < 3; ++c)
            may.stroke(s[c], s[(c + 1) % 3], corners == 3 ? 1 : 4);
        if (corners < 3) continue;
        may.fill(s);
        const bool faces = glm::dot(glm::cross(p[1] - p[0], p[2] - p[0]), eye.place - p[0]) > 0.0;
        if (shown == Shown::both || (shown == Shown::counter_clockwise && faces)) must.fill(s);
    }
}

} // namespace

Silhouette silhouette_of(const scene::Scene& scene, float yaw, float pitch, std::uint32_t edge)
{
    Canvases canvases{.eye = eye_of(scene, yaw, pitch, edge), .must = Canvas(edge), .may = Canvas(edge)};
    scene::Pose pose;
    scene::static_pose(scene, pose);
    scene::Skinner skinner(scene);
    const auto meshes = skinner.skin_positions(pose);
    for (std::size_t i = 0; i < meshes.size(); ++i) {
        const auto& instance = skinner.instances()[i];
        const auto& mesh = scene.meshes[instance.mesh];
        for (const auto& primitive : mesh.primitives)
            canvases.draw(mesh, primitive, meshes[i].positions,
                          shown_of(scene, primitive, turns_over(skinner.palette()[instance.first_palette])));
    }
    return {edge, canvases.must.eroded(), canvases.may.all()};
}

} // namespace vitrine::test
