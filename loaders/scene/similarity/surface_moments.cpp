#include "loaders/scene/similarity/surface_moments.hpp"

#include <algorithm>
#include <unordered_set>

#include "loaders/scene/similarity/similarity.hpp"

namespace vitrine::scene {
namespace {

struct QuadraturePoint {
    double weight;
    std::array<double, 3> at; // barycentric
};

constexpr double w1 = 0.223381589678011, a1 = 0.108103018168070, b1 = 0.445948490915965;
constexpr double w2 = 0.109951743655322, a2 = 0.816847572980459, b2 = 0.091576213509771;
// Exact for polynomials of degree 4 (Dunavant 1985).
constexpr std::array<QuadraturePoint, 6> six_points{{{w1, {a1, b1, b1}},
                                                     {w1, {b1, a1, b1}},
                                                     {w1, {b1, b1, a1}},
                                                     {w2, {a2, b2, b2}},
                                                     {w2, {b2, a2, b2}},
                                                     {w2, {b2, b2, a2}}}};
// Of the whole area: a triangle in a square so small is a point to all sums but the volume.
constexpr double max_point_square = 1.0 / 5'000;

void add_point(SurfaceMoments& sums, double weight, const glm::dvec3& p)
{
    const glm::dvec3 square = p * p;
    const double r2 = square.x + square.y + square.z;
    sums.second += weight * glm::outerProduct(p, p);
    const std::array<double, 10> products{square.x * p.x,  square.x * p.y, square.x * p.z, square.y * p.x,
                                          p.x * p.y * p.z, square.z * p.x, square.y * p.y, square.y * p.z,
                                          square.z * p.y,  square.z * p.z};
    for (std::size_t i = 0; i < products.size(); ++i)
        sums.third[i] += weight * products[i];
    sums.fourth += weight * r2 * r2;
}

void add_triangle(SurfaceMoments& sums, const TriangleCorners& t)
{
    const TriangleCorners c{t[0] - sums.centroid, t[1] - sums.centroid, t[2] - sums.centroid};
    const double area = area_of(c);
    if (!(area > 0.0)) return;
    const auto square = [](const glm::dvec3& side) { return glm::dot(side, side); };
    const double longest = std::max({square(c[1] - c[0]), square(c[2] - c[1]), square(c[0] - c[2])});
    if (longest < max_point_square * sums.area) {
        add_point(sums, area, (c[0] + c[1] + c[2]) / 3.0);
    } else {
        for (const auto& [weight, at] : six_points)
            add_point(sums, weight * area, at[0] * c[0] + at[1] * c[1] + at[2] * c[2]);
    }
    sums.volume += glm::dot(c[0], glm::cross(c[1], c[2])) / 6.0;
}

// Counts the directions in which faces look. Triangles of a flat part have one, however it is divided.
class DirectionCounter {
public:
    void add(const glm::dvec3& normal)
    {
        if (cells_.size() >= max_counted_directions) return;
        constexpr double cells_per_unit = 64.0;
        const auto cell = [&](double x) {
            return static_cast<std::uint32_t>(std::lround((x + 1.0) * cells_per_unit));
        };
        cells_.insert(cell(normal.x) << 16 | cell(normal.y) << 8 | cell(normal.z));
    }
    std::size_t count() const { return cells_.size(); }

private:
    std::unordered_set<std::uint32_t> cells_;
};

} // namespace

SurfaceMoments measure_surface(StaticTriangles& triangles)
{
    SurfaceMoments sums;
    DirectionCounter directions;
    triangles.visit([&](const TriangleCorners& t) {
        const double area = area_of(t);
        if (!(area > 0.0)) return;
        ++sums.triangles;
        directions.add(glm::cross(t[1] - t[0], t[2] - t[0]) / (2.0 * area));
        sums.area += area;
        sums.centroid += area / 3.0 * (t[0] + t[1] + t[2]);
    });
    if (!(sums.area > 0.0) || !std::isfinite(sums.area)) return {};
    sums.directions = directions.count();
    sums.centroid /= sums.area;
    triangles.visit([&](const TriangleCorners& t) { add_triangle(sums, t); });
    sums.second /= sums.area;
    for (double& moment : sums.third)
        moment /= sums.area;
    sums.fourth /= sums.area;
    return sums;
}

std::vector<glm::dvec3> spread_points(StaticTriangles& triangles, const SurfaceMoments& moments,
                                      std::size_t count)
{
    // Steps of the R2 sequence (Roberts 2018) for the place in a triangle.
    constexpr double step_u = 0.7548776662466927, step_v = 0.5698402909980532;
    std::vector<glm::dvec3> points;
    points.reserve(count);
    const double each = moments.area / static_cast<double>(count);
    double before = 0.0;
    triangles.visit([&](const TriangleCorners& t) {
        before += area_of(t);
        while (points.size() < count && (static_cast<double>(points.size()) + 0.5) * each < before) {
            const auto i = static_cast<double>(points.size());
            double u = std::fmod(0.5 + i * step_u, 1.0), v = std::fmod(0.5 + i * step_v, 1.0);
            if (u + v > 1.0) {
                u = 1.0 - u;
                v = 1.0 - v;
            }
            points.push_back(t[0] + u * (t[1] - t[0]) + v * (t[2] - t[0]) - moments.centroid);
        }
    });
    return points;
}

} // namespace vitrine::scene
