#include <array>
#include <cmath>

#include <glm/gtc/matrix_transform.hpp>
#include <gtest/gtest.h>

#include "loaders/fbx/transforms/transform.hpp"

using namespace vitrine::fbx;

namespace {

constexpr std::array orders{RotationOrder::xyz, RotationOrder::xzy, RotationOrder::yzx,    RotationOrder::yxz,
                            RotationOrder::zxy, RotationOrder::zyx, RotationOrder::spheric};

glm::dmat4 turn(int axis, double degrees)
{
    glm::dvec3 about(0.0);
    about[axis] = 1.0;
    return glm::rotate(glm::dmat4(1.0), glm::radians(degrees), about);
}

glm::dmat4 euler_matrix(const glm::dvec3& degrees, const char* order)
{
    glm::dmat4 m(1.0);
    for (int i = 0; i < 3; ++i)
        m = turn(order[i] - 'x', degrees[order[i] - 'x']) * m;
    return m;
}

glm::dmat4 move(const glm::dvec3& by)
{
    return glm::translate(glm::dmat4(1.0), by);
}

void expect_equal(const glm::dmat4& found, const glm::dmat4& wanted)
{
    for (int c = 0; c < 4; ++c)
        for (int r = 0; r < 4; ++r)
            EXPECT_NEAR(found[c][r], wanted[c][r], 1e-12) << "column " << c << " row " << r;
}

TEST(FbxTransform, RotationOrdersApplyTheFirstLetterFirst)
{
    constexpr std::array names{"xyz", "xzy", "yzx", "yxz", "zxy", "zyx", "xyz"};
    for (std::size_t i = 0; i < orders.size(); ++i) {
        const glm::dvec3 degrees(20.0, -50.0, 110.0);
        expect_equal(glm::mat4_cast(quat_from_euler(degrees, orders[i])), euler_matrix(degrees, names[i]));
    }
}

TEST(FbxTransform, EulerAnglesComeBackFromAQuaternion)
{
    for (const RotationOrder order : orders) {
        for (const glm::dvec3& degrees :
             {glm::dvec3(20.0, -50.0, 110.0), glm::dvec3(-170.0, 30.0, 5.0), glm::dvec3(0.0, 0.0, 0.0),
              glm::dvec3(90.0, 0.0, 0.0), glm::dvec3(10.0, 90.0, 20.0), glm::dvec3(10.0, 20.0, -90.0)}) {
            const glm::dquat q = quat_from_euler(degrees, order);
            const glm::dquat again = quat_from_euler(euler_from_quat(q, order), order);
            EXPECT_NEAR(std::abs(glm::dot(q, again)), 1.0, 1e-9) << static_cast<int>(order);
        }
    }
}

TEST(FbxTransform, FollowsTheFormulaWithAllItsParts)
{
    NodeTransform t;
    t.order = RotationOrder::zxy;
    t[TransformProperty::translation] = {1, 2, 3};
    t[TransformProperty::rotation] = {10, 20, 30};
    t[TransformProperty::scaling] = {2, 0.5, -3};
    t[TransformProperty::rotation_offset] = {4, 5, 6};
    t[TransformProperty::rotation_pivot] = {-1, 7, 2};
    t[TransformProperty::pre_rotation] = {40, 0, -15};
    t[TransformProperty::post_rotation] = {5, 60, 25};
    t[TransformProperty::scaling_offset] = {0.5, -2, 1};
    t[TransformProperty::scaling_pivot] = {3, 3, -4};
    const glm::dmat4 scale = glm::scale(glm::dmat4(1.0), glm::dvec3(2, 0.5, -3));
    const glm::dmat4 wanted = move({1, 2, 3}) * move({4, 5, 6}) * move({-1, 7, 2}) *
                              euler_matrix({40, 0, -15}, "xyz") * euler_matrix({10, 20, 30}, "zxy") *
                              glm::inverse(euler_matrix({5, 60, 25}, "xyz")) * move({1, -7, -2}) *
                              move({0.5, -2, 1}) * move({3, 3, -4}) * scale * move({-3, -3, 4});
    expect_equal(to_matrix(local_trs(t)), wanted);
}

TEST(FbxTransform, WithoutRotationSpaceOnlyThePlainRotationCounts)
{
    NodeTransform t;
    t.order = RotationOrder::zyx;
    t.rotation_space = false;
    t[TransformProperty::rotation] = {10, 20, 30};
    t[TransformProperty::pre_rotation] = {90, 0, 0};
    t[TransformProperty::post_rotation] = {0, 45, 0};
    t[TransformProperty::rotation_pivot] = {1, 0, 0};
    const glm::dmat4 wanted = move({1, 0, 0}) * euler_matrix({10, 20, 30}, "xyz") * move({-1, 0, 0});
    expect_equal(to_matrix(local_trs(t)), wanted);
}

} // namespace
