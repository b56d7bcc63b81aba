// The signature of a surface from its moments and from distances of points on it.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "loaders/scene/similarity/similarity.hpp"
#include "loaders/scene/similarity/surface_moments.hpp"

namespace vitrine::scene {
namespace {

constexpr std::size_t point_count = 1024;
constexpr std::size_t pair_step = 4; // all pairs take four times as long and tell no more
constexpr double max_radius = 2.5;   // by the size: the end of the limits of `radii`
constexpr double max_distance = 3.0; // of those of `distances`

struct PrincipalAxes {
    glm::dvec3 variance{0.0}; // descending
    glm::dmat3 axes{1.0};     // columns, a right-handed frame
};

// Jacobi's rotations.
PrincipalAxes find_axes(glm::dmat3 m)
{
    glm::dmat3 axes(1.0);
    for (int sweep = 0; sweep < 24; ++sweep) {
        for (const auto& [p, q] : {std::pair{0, 1}, std::pair{0, 2}, std::pair{1, 2}}) {
            if (std::abs(m[q][p]) < 1e-300) continue;
            const double angle = 0.5 * std::atan2(2.0 * m[q][p], m[q][q] - m[p][p]);
            glm::dmat3 turn(1.0);
            turn[p][p] = turn[q][q] = std::cos(angle);
            turn[q][p] = std::sin(angle);
            turn[p][q] = -turn[q][p];
            m = glm::transpose(turn) * m * turn;
            axes = axes * turn;
        }
    }
    std::array<int, 3> order{0, 1, 2};
    std::ranges::sort(order, [&](int a, int b) { return m[a][a] > m[b][b]; });
    PrincipalAxes found;
    for (int i = 0; i < 3; ++i) {
        found.variance[i] =
            std::max(m[order[static_cast<std::size_t>(i)]][order[static_cast<std::size_t>(i)]], 0.0);
        found.axes[i] = axes[order[static_cast<std::size_t>(i)]];
    }
    if (glm::determinant(found.axes) < 0.0) found.axes[2] = -found.axes[2];
    return found;
}

// Mean of (x . direction)^3.
double third_along(const std::array<double, 10>& m, const glm::dvec3& d)
{
    return m[0] * d.x * d.x * d.x + m[6] * d.y * d.y * d.y + m[9] * d.z * d.z * d.z +
           3.0 * (m[1] * d.x * d.x * d.y + m[2] * d.x * d.x * d.z + m[3] * d.x * d.y * d.y +
                  m[5] * d.x * d.z * d.z + m[7] * d.y * d.y * d.z + m[8] * d.y * d.z * d.z) +
           6.0 * m[4] * d.x * d.y * d.z;
}

// The handedness of the principal axes after each is turned to where the surface reaches farther.
int handedness_of(const SurfaceMoments& moments, const PrincipalAxes& principal)
{
    constexpr double min_skew = 0.05, min_gap = 0.05;
    const glm::dvec3& v = principal.variance;
    if (v[2] < 1e-6 * v[0] || v[1] > (1.0 - min_gap) * v[0] || v[2] > (1.0 - min_gap) * v[1]) return 0;
    int sign = 1;
    for (int i = 0; i < 3; ++i) {
        const double skew = third_along(moments.third, principal.axes[i]) / std::pow(v[i], 1.5);
        if (std::abs(skew) < min_skew) return 0;
        if (skew < 0.0) sign = -sign;
    }
    return sign;
}

template <std::size_t N>
class Histogram {
public:
    explicit Histogram(double end) : step_(end / N) {}
    void add(double value) { ++counts_[std::min(static_cast<std::size_t>(value / step_), N - 1)]; }
    std::array<std::uint8_t, N> shares() const
    {
        const auto all = std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
        std::array<std::uint8_t, N> shares{};
        std::uint64_t below = 0;
        for (std::size_t i = 0; i < N; ++i) {
            below += counts_[i];
            shares[i] = static_cast<std::uint8_t>((below * 255 + all / 2) / std::max<std::uint64_t>(all, 1));
        }
        return shares;
    }

private:
    double step_;
    std::array<std::uint64_t, N> counts_{};
};

void measure_distances(StaticTriangles& triangles, const SurfaceMoments& moments, SurfaceSignature& found)
{
    const auto points = spread_points(triangles, moments, point_count);
    Histogram<24> radii(max_radius);
    Histogram<32> distances(max_distance);
    for (std::size_t i = 0; i < points.size(); ++i) {
        radii.add(glm::length(points[i]) / found.size);
        for (std::size_t j = i + 1; j < points.size(); j += pair_step)
            distances.add(glm::distance(points[i], points[j]) / found.size);
    }
    found.radii = radii.shares();
    found.distances = distances.shares();
}

std::uint64_t corners_of(const Mesh& mesh)
{
    std::uint64_t corners = 0;
    for (const auto& primitive : mesh.primitives)
        if (primitive.topology == Topology::triangles) corners += primitive.count;
    return std::max<std::uint64_t>(corners, mesh.positions.size());
}

bool exceeds(const Scene& scene, std::uint64_t max_corners)
{
    std::vector<std::uint64_t> by_mesh;
    for (const auto& mesh : scene.meshes)
        by_mesh.push_back(corners_of(mesh));
    std::uint64_t corners = 0;
    for (const auto& instance : find_instances(scene)) {
        corners += by_mesh[instance.mesh];
        if (corners > max_corners) return true;
    }
    return false;
}

} // namespace

std::optional<SurfaceSignature> surface_signature(const Scene& scene, std::uint64_t max_corners)
{
    if (exceeds(scene, max_corners)) return std::nullopt;
    StaticTriangles triangles(scene);
    const auto moments = measure_surface(triangles);
    const double size2 = moments.second[0][0] + moments.second[1][1] + moments.second[2][2];
    if (!(moments.area > 0.0) || !(size2 > 0.0) || !std::isfinite(moments.fourth)) return std::nullopt;
    const auto principal = find_axes(moments.second);
    const auto& t = moments.third;
    SurfaceSignature found;
    found.triangles = static_cast<std::uint32_t>(std::min<std::size_t>(moments.triangles, UINT32_MAX));
    found.directions = static_cast<std::uint32_t>(moments.directions);
    found.size = std::sqrt(size2);
    const double size3 = size2 * found.size;
    const glm::dvec3 pull(t[0] + t[3] + t[5], t[1] + t[6] + t[8], t[2] + t[7] + t[9]);
    const double squares =
        t[0] * t[0] + t[6] * t[6] + t[9] * t[9] +
        3.0 * (t[1] * t[1] + t[2] * t[2] + t[3] * t[3] + t[5] * t[5] + t[7] * t[7] + t[8] * t[8]) +
        6.0 * t[4] * t[4];
    found.values = {std::sqrt(principal.variance[1] / principal.variance[0]),
                    std::sqrt(principal.variance[2] / principal.variance[0]),
                    std::log(moments.area / size2),
                    std::log(moments.fourth / (size2 * size2)),
                    glm::length(pull) / size3,
                    std::sqrt(squares) / size3,
                    std::abs(moments.volume) / std::pow(moments.area, 1.5)};
    if (!std::ranges::all_of(found.values, [](double v) { return std::isfinite(v); })) return std::nullopt;
    found.handedness = handedness_of(moments, principal);
    measure_distances(triangles, moments, found);
    return found;
}

} // namespace vitrine::scene
