// Polygons with holes: triangles cover the outline without its holes exactly once.

#include <cmath>
#include <numbers>
#include <random>

#include <gmock/gmock.h>

#include "loaders/dae/geometry/triangulate_with_holes.hpp"
#include "tests/unit/dae/document.hpp"

namespace vitrine::dae::test {
namespace {

using Outline = std::vector<glm::dvec2>;

struct Polygon {
    std::vector<glm::vec3> points;
    std::vector<std::uint32_t> starts;

    explicit Polygon(const Outline& outer) { put(outer); }
    void put(const Outline& outline)
    {
        for (const glm::dvec2& p : outline)
            points.emplace_back(p.x, p.y, 0.0);
    }
    void cut(const Outline& hole)
    {
        starts.push_back(static_cast<std::uint32_t>(points.size()));
        put(hole);
    }
};

double area_of(const Outline& outline)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < outline.size(); ++i) {
        const glm::dvec2 &p = outline[i], &q = outline[(i + 1) % outline.size()];
        sum += p.x * q.y - p.y * q.x;
    }
    return std::abs(sum) / 2.0;
}

Outline box(double x, double y, double width, double height)
{
    return {{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}};
}

Outline turned(Outline outline)
{
    std::ranges::reverse(outline);
    return outline;
}

// Area of triangles with the outline's orientation; fails the test for any with the opposite one.
double covered(const Polygon& polygon, const glm::vec3& normal = {0, 0, 1})
{
    std::vector<std::uint32_t> triangles;
    if (!triangulate_with_holes(polygon.points, polygon.starts, triangles)) return -1.0;
    double sum = 0.0;
    for (std::size_t i = 0; i + 2 < triangles.size(); i += 3) {
        const glm::dvec3 a(polygon.points[triangles[i]]), b(polygon.points[triangles[i + 1]]),
            c(polygon.points[triangles[i + 2]]);
        const double area = glm::dot(glm::cross(b - a, c - a), glm::dvec3(normal)) / 2.0;
        EXPECT_GE(area, -1e-9);
        sum += area;
    }
    return sum;
}

TEST(DaeHoles, OneWindowAnywhereInAWall)
{
    const Outline wall = box(0, 0, 9, 9);
    for (int x = 0; x < 9; ++x)
        for (int y = 0; y < 9; ++y)
            for (int width = 1; x + width <= 9; ++width)
                for (int height = 1; y + height <= 9; ++height) {
                    if (width == 9 && height == 9) continue; // nothing is left
                    for (const bool same : {false, true}) {
                        Polygon polygon(wall);
                        const Outline window = box(x, y, width, height);
                        polygon.cut(same ? window : turned(window));
                        ASSERT_NEAR(covered(polygon), 81.0 - width * height, 1e-9)
                            << x << ' ' << y << ' ' << width << ' ' << height;
                    }
                }
}

TEST(DaeHoles, GridsOfAnyCount)
{
    for (const int count : {1, 2, 3, 7, 20, 100}) {
        Polygon squares(box(-5, -5, count * 10 + 7, count * 10 + 7)), corners(box(0, 0, count, count));
        for (int i = 0; i < count * count; ++i) {
            const int x = i % count, y = i / count;
            squares.cut(box(x * 10, y * 10, 3, 3));
            if ((x + y) % 2 == 0 && count > 1) corners.cut(box(x, y, 1, 1)); // a chessboard
        }
        const double side = count * 10 + 7;
        EXPECT_NEAR(covered(squares), side * side - 9.0 * count * count, 1e-6 * side * side) << count;
        const int left = count * count / 2;
        if (count > 1) EXPECT_NEAR(covered(corners), left, 1e-6) << count;
    }
}

TEST(DaeHoles, ManyHolesGiveTwoTrianglesForEachBridge)
{
    Polygon polygon(box(-1, -1, 500, 400));
    for (int i = 0; i < 15'000; ++i)
        polygon.cut(
            {{i % 150 * 3, i / 150 * 3}, {i % 150 * 3 + 1, i / 150 * 3}, {i % 150 * 3, i / 150 * 3 + 1}});
    std::vector<std::uint32_t> triangles;
    ASSERT_TRUE(triangulate_with_holes(polygon.points, polygon.starts, triangles));
    EXPECT_EQ(triangles.size() / 3, 75'002u);
    EXPECT_NEAR(covered(polygon), 500.0 * 400.0 - 7'500.0, 1e-6);
}

// All holes start on one vertical or nearly vertical line, each directly above or below the previous one.
TEST(DaeHoles, ColumnsOfHoles)
{
    constexpr int count = 30'000;
    for (const double slant : {0.0, 1e-5, -1e-5}) {
        Polygon polygon(box(-10, -10, 40, count + 20));
        for (int i = 0; i < count; ++i) {
            const double x = slant * i;
            polygon.cut({{x, i}, {x + 20, i + 0.25}, {x, i + 0.5}});
        }
        EXPECT_NEAR(covered(polygon), 40.0 * (count + 20) - 5.0 * count, 1.0) << slant;
    }
}

TEST(DaeHoles, RandomStarsInAnyDirectionOfSpace)
{
    std::mt19937 random(7);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    for (int round = 0; round < 200; ++round) {
        const auto star = [&](double x, double y, double radius) {
            Outline outline;
            const int corners = 3 + static_cast<int>(unit(random) * 12.0);
            for (int i = 0; i < corners; ++i) {
                const double angle = 2.0 * std::numbers::pi * i / corners,
                             r = radius * (0.3 + 0.7 * unit(random));
                outline.push_back({x + r * std::cos(angle), y + r * std::sin(angle)});
            }
            return unit(random) < 0.5 ? outline : turned(outline);
        };
        Polygon polygon(turned(box(-1, -1, 12, 12)));
        double expected = 144.0;
        for (int i = 0; i < 36; ++i)
            if (unit(random) < 0.7) {
                const int column = i % 6, row = i / 6;
                const Outline hole = star(2 * column, 2 * row, 0.9);
                expected -= area_of(hole);
                polygon.cut(hole);
            }
        const glm::dmat3 basis(glm::normalize(glm::dvec3(1, round % 7, 2)), glm::dvec3(0), glm::dvec3(0));
        const glm::dvec3 u = basis[0], w = glm::normalize(glm::cross(u, glm::dvec3(3, -1, round % 5)));
        const glm::dvec3 v = glm::cross(w, u);
        for (glm::vec3& p : polygon.points)
            p = glm::vec3(u * double{p.x} + v * double{p.y});
        ASSERT_NEAR(covered(polygon, glm::vec3(-w)), expected, 1e-3) << round;
    }
}

TEST(DaeHoles, MayTouchTheOutlineAndEachOther)
{
    Polygon door(box(0, 0, 4, 3)), slanted({{0, 0}, {3, 1}, {4, 4}, {0, 3}}), twice(box(0, 0, 4, 4)),
        island(box(0, 0, 8, 8));
    door.cut(box(1, 0, 1, 2));                 // touches the bottom edge
    door.cut(box(2, 0, 1, 2));                 // and shares a side with the first
    slanted.cut({{1.5, 0.5}, {2, 2}, {1, 2}}); // a corner on a side
    twice.cut(box(1, 1, 1, 1));
    twice.cut(box(1, 1, 1, 1));
    island.cut({{1, 1}, {4, 2}, {7, 1}, {6, 4}, {7, 7}, {4, 6}, {1, 7}, {2, 4}});
    EXPECT_NEAR(covered(door), 12.0 - 4.0, 1e-9);
    EXPECT_NEAR(covered(slanted), area_of({{0, 0}, {3, 1}, {4, 4}, {0, 3}}) - 0.75, 1e-6);
    EXPECT_NEAR(covered(twice), 15.0, 1e-9);
    EXPECT_NEAR(covered(island),
                64.0 - area_of({{1, 1}, {4, 2}, {7, 1}, {6, 4}, {7, 7}, {4, 6}, {1, 7}, {2, 4}}), 1e-9);
}

TEST(DaeHoles, CrossingOutlinesAreNotTriangulated)
{
    Polygon over(box(0, 0, 4, 4)), each_other(box(0, 0, 9, 9)), line({{0, 0}, {1, 1}, {2, 2}});
    over.cut(box(3, 1, 3, 1));
    each_other.cut(box(1, 1, 4, 2));
    each_other.cut(box(2, 0.5, 1, 4));
    line.cut(box(3, 1, 3, 1));
    for (const Polygon* polygon : {&over, &each_other, &line}) {
        std::vector<std::uint32_t> triangles;
        EXPECT_FALSE(triangulate_with_holes(polygon->points, polygon->starts, triangles));
        EXPECT_TRUE(triangles.empty());
    }
}

TEST(DaeHoles, NoiseEnds)
{
    std::mt19937 random(3);
    std::uniform_int_distribution<int> place(0, 40);
    for (int round = 0; round < 300; ++round) {
        Polygon polygon(box(0, 0, 40, 40));
        for (int h = 0; h < 30; ++h) {
            Outline hole;
            for (int i = 0; i < 8; ++i)
                hole.push_back({place(random) * (round % 2 == 0 ? 1.0 : 0.1), place(random)});
            polygon.cut(hole);
        }
        std::vector<std::uint32_t> triangles;
        triangulate_with_holes(polygon.points, polygon.starts, triangles);
        for (const std::uint32_t corner : triangles)
            ASSERT_LT(corner, polygon.points.size());
    }
}

TEST(DaeHoles, IgnoredHoleIsReported)
{
    const std::string points = "0 0 0 4 0 0 4 4 0 0 4 0  3 1 0 6 1 0 6 2 0 3 2 0";
    const scene::Scene scene = loaded(Document{
        .libraries = library(
            "geometries",
            geometry("g",
                     "<polygons count='1'><input semantic='VERTEX' source='#g-v' offset='0'/><ph><p>0 "
                     "1 2 3</p><h>4 5 6 7</h></ph></polygons>",
                     "", points, 8)),
        .nodes = "<node><instance_geometry url='#g'/></node>"}
                                          .text());
    EXPECT_TRUE(warns(scene, "invalid_hole"));
    EXPECT_EQ(scene.meshes.at(0).indices.size(), 6u);
}

} // namespace
} // namespace vitrine::dae::test
