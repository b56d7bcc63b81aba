#include <gmock/gmock.h>

#include "tests/unit/obj/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;

namespace {

void expect_at(const glm::dvec3& place, const glm::dvec3& wanted, double tolerance)
{
    for (glm::length_t axis = 0; axis < 3; ++axis)
        EXPECT_NEAR(place[axis], wanted[axis], tolerance) << "axis " << axis;
}

const std::string face_line = "f 1 2 3\n";

} // namespace

// UTM: kilometers from the origin with relevant millimeters.
TEST(ObjFar, MapsKeepTheirMillimeters)
{
    const auto scene = load_text("v 500000.123 4649776.10 100.5\nv 500003.377 4649776.35 101\n"
                                 "v 500000.123 4649779.10 100.25\n" +
                                 face_line);
    expect_at(place(scene, 0), {500000.123, 4649776.10, 100.5}, 1e-6);
    expect_at(place(scene, 1), {500003.377, 4649776.35, 101.0}, 1e-6);
    expect_at(place(scene, 2), {500000.123, 4649779.10, 100.25}, 1e-6);
    EXPECT_EQ(scene.nodes[0].local.translation, glm::vec3(500000, 4649776, 0));
    EXPECT_FLOAT_EQ(scene.meshes[0].positions[2].z, 100.25f);
}

TEST(ObjFar, EveryObjectHasTheOrigin)
{
    const auto scene = load_text("f 4 5 6\nv -7e7 0 0\nv -69999999 0 0\nv -7e7 1 0\no b\nv -7e7 0 0.5\n"
                                 "v -69999998.75 0 0\nv -7e7 1 0\nf 1 2 3\n");
    ASSERT_EQ(scene.nodes.size(), 2u);
    expect_at(place(scene, 1, 0), {-69999998.75, 0, 0}, 1e-6);
    expect_at(place(scene, 1, 1), {-69999999, 0, 0}, 1e-6);
}

TEST(ObjFar, NearPositionsAreUnchanged)
{
    const auto scene = load_text("v 9999.5 0 -3\nv 20000.25 0 0\nv 0.125 1 0\n" + face_line);
    EXPECT_EQ(scene.nodes[0].local.translation, glm::vec3(0));
    EXPECT_THAT(
        triangles(scene.meshes[0]),
        testing::ElementsAre(glm::vec3(9999.5, 0, -3), glm::vec3(20000.25, 0, 0), glm::vec3(0.125, 1, 0)));
}

// A stray first vertex, or a model so large that it includes zero.
TEST(ObjFar, AxisWithScatteredVerticesKeepsOriginZero)
{
    const auto scene =
        load_text("v 1e6 20000.7 0\nv 1000001.25 20000 0\nv 0.001 20000.01 0\nv 0.002 20000 1\nf 1 2 3 4\n");
    EXPECT_EQ(scene.nodes[0].local.translation, glm::vec3(0, 20001, 0));
    EXPECT_EQ(place(scene, 1).x, 1000001.25);
    EXPECT_EQ(scene.meshes[0].positions[2].x, 0.001f);
    expect_at(place(scene, 2), {0.001, 20000.01, 0}, 1e-6);
}

TEST(ObjFar, UnreachableOriginIsRejected)
{
    const auto scene = load_text("v 1e30 0 0\nv 0 1e30 0\nv nan 0 1\n" + face_line);
    EXPECT_EQ(scene.nodes[0].local.translation, glm::vec3(0));
    EXPECT_EQ(scene.meshes[0].positions[0].x, 1e30f);
}
