// From where a part of a surface shows its backs alone.

#include <gtest/gtest.h>

#include "vk_renderer/scene/facing.hpp"

namespace vitrine::render {
namespace {

// Two triangles that face +Z, bent along the diagonal by `bend`.
scene::Mesh sheet(float bend)
{
    scene::Mesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, bend}};
    mesh.indices = {0, 1, 2, 1, 3, 2};
    return mesh;
}

scene::PaletteEntry moved(glm::vec3 scale, glm::vec3 place)
{
    return {{{scale.x, 0, 0, place.x}, {0, scale.y, 0, place.y}, {0, 0, scale.z, place.z}}};
}

bool hidden(const scene::Mesh& mesh, glm::dvec3 eye, const scene::PaletteEntry& by = moved({1, 1, 1}, {}))
{
    const auto facing = facing_of(mesh, mesh.indices);
    return facing && shows_backs_alone(*facing, by, {.place = eye});
}

TEST(Facing, AFlatSheetIsHiddenFromBehindItsPlane)
{
    EXPECT_TRUE(hidden(sheet(0.0f), {0.5, 0.5, -2.0}));
    EXPECT_TRUE(hidden(sheet(0.0f), {40.0, 0.5, -0.5}));
    EXPECT_FALSE(hidden(sheet(0.0f), {0.5, 0.5, 2.0}));
    EXPECT_FALSE(hidden(sheet(0.0f), {40.0, 0.5, 0.5}));
}

TEST(Facing, ABentSheetIsHiddenOnlyBehindBothPlanes)
{
    EXPECT_TRUE(hidden(sheet(0.4f), {0.5, 0.5, -2.0}));
    EXPECT_FALSE(hidden(sheet(0.4f), {-9.0, -9.0, -0.5})); // behind the first triangle alone
    EXPECT_FALSE(hidden(sheet(0.4f), {0.5, 0.5, 2.0}));
}

TEST(Facing, ABodyFacesAllWays)
{
    scene::Mesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    mesh.indices = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    EXPECT_FALSE(facing_of(mesh, mesh.indices));
}

TEST(Facing, MovesWithTheMesh)
{
    EXPECT_TRUE(hidden(sheet(0.0f), {5.0, 5.0, 9.0}, moved({2, 2, 2}, {0, 0, 10})));
    EXPECT_FALSE(hidden(sheet(0.0f), {5.0, 5.0, 11.0}, moved({2, 2, 2}, {0, 0, 10})));
    // Turned inside out: the winding that is seen turns with it.
    EXPECT_TRUE(hidden(sheet(0.0f), {0.5, 0.5, 2.0}, moved({1, 1, -1}, {})));
    EXPECT_FALSE(hidden(sheet(0.0f), {0.5, 0.5, 2.0}, moved({1, 1, 0}, {}))) << "no way back";
}

TEST(Facing, WithoutPerspectiveTheDirectionCounts)
{
    const auto mesh = sheet(0.0f);
    const auto facing = facing_of(mesh, mesh.indices).value();
    const auto by = moved({1, 1, 1}, {});
    EXPECT_TRUE(shows_backs_alone(facing, by, {.direction = {0, 0.6, 0.8}, .from_one_point = false}));
    EXPECT_FALSE(shows_backs_alone(facing, by, {.direction = {0, 0.6, -0.8}, .from_one_point = false}));
}

} // namespace
} // namespace vitrine::render
