#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "loaders/scene/geometry/geometry.hpp"
#include "tests/support/crossing_outline.hpp"
#include "tests/support/work_count.hpp"

namespace vitrine::scene {
namespace {

using CornerList = std::vector<std::uint32_t>;

double area_in_plane(const glm::dvec3& a, const glm::dvec3& b, const glm::dvec3& c, const glm::dvec3& normal)
{
    return 0.5 * glm::dot(glm::cross(b - a, c - a), normal);
}

glm::dvec3 area_vector(const std::vector<glm::vec3>& polygon)
{
    glm::dvec3 sum(0.0);
    for (std::size_t i = 0; i < polygon.size(); ++i)
        sum += 0.5 * glm::cross(glm::dvec3(polygon[i]), glm::dvec3(polygon[(i + 1) % polygon.size()]));
    return sum;
}

struct Triangulated {
    CornerList triangles;
    double area = 0.0;     // of the polygon
    double signed_sum = 0; // of the triangles
    double negative = 0.0; // absolute area of triangles facing away
};

Triangulated triangulated(const std::vector<glm::vec3>& polygon)
{
    CornerList corners(polygon.size());
    std::iota(corners.begin(), corners.end(), 0u);
    Triangulated out;
    triangulate(polygon, corners, out.triangles);
    const glm::dvec3 vector = area_vector(polygon);
    out.area = glm::length(vector);
    const glm::dvec3 normal = out.area > 0.0 ? vector / out.area : glm::dvec3(0, 0, 1);
    for (std::size_t i = 0; i + 2 < out.triangles.size(); i += 3) {
        const double area =
            area_in_plane(glm::dvec3(polygon[out.triangles[i]]), glm::dvec3(polygon[out.triangles[i + 1]]),
                          glm::dvec3(polygon[out.triangles[i + 2]]), normal);
        out.signed_sum += area;
        out.negative += std::min(area, 0.0);
    }
    return out;
}

// No triangle faces away and the areas sum to the polygon's: so there are no overlaps and no gaps.
void expect_exact_cover(const std::vector<glm::vec3>& polygon)
{
    const Triangulated result = triangulated(polygon);
    ASSERT_EQ(result.triangles.size(), 3 * (polygon.size() - 2));
    EXPECT_NEAR(result.signed_sum, result.area, 1e-5 * result.area);
    EXPECT_NEAR(result.negative, 0.0, 1e-6 * result.area);
    EXPECT_TRUE(std::ranges::all_of(result.triangles, [&](std::uint32_t c) { return c < polygon.size(); }));
}

std::vector<glm::vec3> rotated(std::vector<glm::vec3> polygon, const glm::quat& by)
{
    for (glm::vec3& p : polygon)
        p = by * p + glm::vec3(3, -2, 5);
    return polygon;
}

// A star-shaped outline around the origin: simple for any radii.
std::vector<glm::vec3> random_star(std::mt19937& random, std::size_t corners)
{
    std::uniform_real_distribution<float> radius(0.1f, 1.0f);
    std::vector<glm::vec3> out;
    for (std::size_t i = 0; i < corners; ++i) {
        const double angle = 2.0 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(corners);
        const double r = double{radius(random)};
        out.emplace_back(r * std::cos(angle), r * std::sin(angle), 0.0);
    }
    return out;
}

// A comb whose teeth are as long as the comb is wide, so that most corners are concave and ears are thin.
std::vector<glm::vec3> comb(std::size_t teeth)
{
    std::vector<glm::vec3> out;
    const auto width = static_cast<float>(teeth);
    for (std::size_t i = 0; i < teeth; ++i) {
        const auto x = static_cast<float>(i);
        out.insert(out.end(), {{x, 0, 0}, {x + 0.5f, 0, 0}, {x + 0.5f, width, 0}, {x + 0.9f, width, 0}});
    }
    out.insert(out.end(), {{width, 0, 0}, {width, -1, 0}, {0, -1, 0}});
    std::ranges::reverse(out);
    return out;
}

// Along one curve and back along another: the only ears are at the two ends.
std::vector<glm::vec3> band(std::size_t steps, auto lower, auto upper)
{
    std::vector<glm::vec3> out;
    for (std::size_t i = 0; i < steps; ++i)
        out.push_back(lower(static_cast<float>(i)));
    for (std::size_t i = steps; i-- > 0;)
        out.push_back(upper(static_cast<float>(i)));
    return out;
}

glm::vec3 on_circle(float radius, float angle)
{
    return {radius * std::cos(angle), radius * std::sin(angle), 0.0f};
}

// A star that starts at the origin and extends along `along`.
std::vector<glm::vec3> star_from_origin(std::mt19937& random, std::size_t corners, const glm::vec3& along)
{
    auto star = random_star(random, corners);
    const glm::vec3 first = star[0]; // on the positive x axis; no part of the star is beyond it
    const float turn = std::atan2(along.y, along.x) + std::numbers::pi_v<float>;
    for (glm::vec3& p : star)
        p = glm::angleAxis(turn, glm::vec3(0, 0, 1)) * (p - (p == first ? first : glm::vec3(1.5f, 0, 0)));
    return star;
}

TEST(Triangulate, FewerThanThreeCornersHaveNoTriangle)
{
    CornerList out;
    const std::vector<glm::vec3> points(2);
    const CornerList corners{0, 1};
    triangulate(points, corners, out);
    EXPECT_TRUE(out.empty());
}

TEST(Triangulate, ConvexPolygonsAreFans)
{
    EXPECT_EQ(triangulated({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}).triangles,
              (CornerList{0, 1, 2, 0, 2, 3}));
    EXPECT_EQ(triangulated({{0, 0, 0}, {1, 0, 0}, {2, 1, 0}, {1, 2, 0}, {0, 1, 0}}).triangles,
              (CornerList{0, 1, 2, 0, 2, 3, 0, 3, 4}));
}

TEST(Triangulate, ConcaveQuadsAreCutAtTheConcaveCorner)
{
    std::vector<glm::vec3> dart{{0, 0, 0}, {2, -1, 0}, {0.5f, 0, 0}, {2, 1, 0}};
    for (int turn = 0; turn < 4; ++turn) {
        expect_exact_cover(dart);
        std::ranges::rotate(dart, dart.begin() + 1);
    }
}

TEST(Triangulate, CoversRandomStarsInAnyPlaneAndDirection)
{
    std::mt19937 random(1);
    std::uniform_real_distribution<float> any(-1.0f, 1.0f);
    for (std::size_t corners = 4; corners < 200; ++corners) {
        std::vector<glm::vec3> star = random_star(random, corners);
        if (corners % 2) std::ranges::reverse(star);
        const glm::quat turn = glm::normalize(glm::quat(any(random), any(random), any(random), any(random)));
        expect_exact_cover(rotated(star, turn));
    }
}

TEST(Triangulate, CoversCombs)
{
    for (const std::size_t teeth : {1u, 2u, 5u, 40u, 500u, 20'000u})
        expect_exact_cover(comb(teeth));
}

TEST(Triangulate, CoversLongBands)
{
    for (const std::size_t steps : {60u, 70u, 400u, 20'000u}) {
        SCOPED_TRACE(steps);
        const auto zigzag = [](float lift) {
            return [lift](float i) { return glm::vec3(i, std::fmod(i, 2.0f) * 4.0f + lift, 0); };
        };
        expect_exact_cover(band(steps, zigzag(0.0f), zigzag(1.0f)));
        const auto wave = [](float lift) {
            return [lift](float i) { return glm::vec3(i, 10.0f * std::sin(0.3f * i) + lift, 0); };
        };
        expect_exact_cover(band(steps, wave(0.0f), wave(1.0f)));
    }
    const auto spiral = [](float width) {
        return [width](float i) { return on_circle(1.0f + 0.01f * i + width, 0.1f * i); };
    };
    expect_exact_cover(band(2'000, spiral(0.0f), spiral(0.3f)));
    // A ring with one bridge.
    const auto circle = [](float radius) {
        return [radius](float i) { return on_circle(radius, std::fmod(i, 2'000.0f) * 0.00314159265f); };
    };
    expect_exact_cover(band(2'001, circle(1.1f), circle(1.0f)));
}

TEST(Triangulate, CoversOutlinesThatTouchThemselvesInACorner)
{
    const glm::vec3 middle(2, 2, 0);
    expect_exact_cover({{0, 0, 0}, {2, 0, 0}, middle, {4, 2, 0}, {4, 4, 0}, {2, 4, 0}, middle, {0, 2, 0}});
    expect_exact_cover({{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {6, 6, 0}, {4, 4, 0}, {0, 4, 0}}); // a spike
    expect_exact_cover({{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {3, 3, 0}, {4, 4, 0}, {0, 4, 0}}); // inwards
    expect_exact_cover({{6, 0, 0}, {7, 9, 0}, {11, 1, 0}, {6, 0, 0}, {0, 2, 0}, {1, 3, 0}});
    std::mt19937 random(4);
    for (std::size_t corners = 4; corners < 60; ++corners)
        for (const bool turned : {false, true}) {
            auto polygon = star_from_origin(random, corners, {1, 0, 0});
            const auto other = star_from_origin(random, corners + 3, {-1, 0.1f, 0});
            polygon.insert(polygon.end(), other.begin(), other.end());
            std::ranges::rotate(polygon, polygon.begin() + static_cast<std::ptrdiff_t>(corners / 2));
            if (turned) std::ranges::reverse(polygon);
            SCOPED_TRACE(corners);
            expect_exact_cover(polygon);
        }
}

// The hole touches the outline's first corner: no bridge is needed.
TEST(Triangulate, CoversHolesThatTouchTheOutline)
{
    std::mt19937 random(5);
    for (std::size_t corners = 4; corners < 60; ++corners) {
        auto hole = star_from_origin(random, corners, {1, 1, 0});
        std::vector<glm::vec3> polygon{{0, 0, 0}, {9, -9, 0}, {9, 9, 0}, {-9, 9, 0}};
        polygon.push_back(hole[0]);
        polygon.insert(polygon.end(), hole.rbegin(), hole.rend() - 1);
        SCOPED_TRACE(corners);
        expect_exact_cover(polygon);
    }
}

TEST(Triangulate, HandlesCollinearAndRepeatedCorners)
{
    expect_exact_cover(
        {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 1, 0}, {2, 2, 0}, {1, 2, 0}, {0, 2, 0}, {0, 1, 0}});
    expect_exact_cover({{0, 0, 0}, {2, 0, 0}, {2, 0, 0}, {2, 2, 0}, {1, 0.5f, 0}, {0, 2, 0}, {0, 2, 0}});
}

TEST(Triangulate, CoversAHoleBridgedToItsOutline)
{
    // A square with a square hole: outline, bridge (0,0)-(1,1), hole clockwise, bridge back.
    expect_exact_cover({{0, 0, 0},
                        {3, 0, 0},
                        {3, 3, 0},
                        {0, 3, 0},
                        {0, 0, 0},
                        {1, 1, 0},
                        {1, 2, 0},
                        {2, 2, 0},
                        {2, 1, 0},
                        {1, 1, 0}});
}

TEST(Triangulate, DegenerateAndCrossingOutlinesGiveAllTriangles)
{
    const std::vector<glm::vec3> line{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {1.5f, 0, 0}};
    const std::vector<glm::vec3> bow_tie{{0, 0, 0}, {2, 2, 0}, {2, 0, 0}, {0, 1, 0}, {-1, 0.5f, 0}};
    const std::vector<glm::vec3> point(7, glm::vec3(1.0f));
    for (const auto& polygon : {line, bow_tie, point})
        EXPECT_EQ(triangulated(polygon).triangles.size(), 3 * (polygon.size() - 2));
}

TEST(Triangulate, HugePolygonsAreNearlyLinear)
{
    // Its thin ears contain many corners: about n^1.4.
    test::expect_nearly_linear(
        "corners of a star", 500,
        [](int corners) {
            std::mt19937 random(2);
            expect_exact_cover(random_star(random, static_cast<std::size_t>(corners)));
        },
        7.5);
}

// All concave corners lie on one line.
TEST(Triangulate, CombsAreNearlyLinear)
{
    test::expect_nearly_linear(
        "teeth of a comb", 125, [](int teeth) { expect_exact_cover(comb(static_cast<std::size_t>(teeth))); },
        5.5);
}

TEST(Triangulate, HostileOutlinesAreBounded)
{
    const std::vector<glm::vec3> outline = test::crossing_outline();
    CornerList corners(outline.size()), out;
    std::iota(corners.begin(), corners.end(), 0u);
    test::expect_work_below("triangles of a crossing outline", 120'000'000, [&] {
        EXPECT_FALSE(triangulate(outline, corners, out)) << "the bound is reached";
    });
    EXPECT_EQ(out.size(), 3 * (outline.size() - 2)) << "the rest is a fan";
}

} // namespace
} // namespace vitrine::scene
