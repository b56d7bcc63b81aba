#include <cmath>

#include <gtest/gtest.h>

#include "loaders/fbx/animation/animation_layers.hpp"

namespace vitrine::fbx {
namespace {

Curve line(double from, double to)
{
    return {.keys = {{.time = 0.0, .value = from, .interpolation = KeyInterpolation::linear},
                     {.time = 1e9, .value = to, .interpolation = KeyInterpolation::linear}}};
}

LayerCurves on(AnimationLayer layer, Curve x, double y = 0.0, double z = 0.0)
{
    return {.layer = std::move(layer), .curves = {std::move(x), Curve{}, Curve{}}, .defaults = {0.0, y, z}};
}

AnimationLayer base()
{
    return {.is_base = true};
}

AnimatedProperty animated_property(PropertyKind kind, std::vector<LayerCurves> layers)
{
    return {kind, glm::dvec3(7.0), std::move(layers)};
}

double x_at(const AnimatedProperty& animated, double time = 5e8)
{
    return animated.sample(time, TimeSide::after).value.x;
}

TEST(FbxLayers, WithoutCurvesThePropertyRests)
{
    EXPECT_EQ(x_at(animated_property(PropertyKind::plain, {})), 7.0);
    EXPECT_FALSE(animated_property(PropertyKind::plain, {}).has_curves());
}

TEST(FbxLayers, AdditiveLayersAddTheirShare)
{
    const auto animated = animated_property(
        PropertyKind::plain, {on(base(), line(0, 10)), on({.weight = 0.5}, line(4, 4)), on({}, line(0, 2))});
    EXPECT_DOUBLE_EQ(x_at(animated), 5.0 + 2.0 + 1.0);
    EXPECT_NEAR(animated.sample(5e8, TimeSide::after).rate.x * 1e9, 10.0 + 2.0, 1e-9);
}

TEST(FbxLayers, OverridingLayersHideWhatIsBelow)
{
    const AnimationLayer override{.mode = BlendMode::override_below, .weight = 0.25};
    EXPECT_DOUBLE_EQ(
        x_at(animated_property(PropertyKind::plain, {on(base(), line(0, 10)), on(override, line(3, 3))})),
        0.25 * 3)
        << "nothing of the layer below, for all that is missing of its own";
    const AnimationLayer whole{.mode = BlendMode::override_below};
    EXPECT_DOUBLE_EQ(
        x_at(animated_property(PropertyKind::plain, {on(base(), line(0, 10)), on(whole, line(3, 3))})), 3);
    const AnimationLayer passes{.mode = BlendMode::passthrough, .weight = 0.25};
    EXPECT_DOUBLE_EQ(
        x_at(animated_property(PropertyKind::plain, {on(base(), line(0, 10)), on(passes, line(3, 3))})),
        0.75 * 5 + 0.25 * 3);
}

TEST(FbxLayers, OverrideWeightFollowsTheAccumulationMode)
{
    AnimationLayer override{.mode = BlendMode::override_below, .weight = 0.5};
    EXPECT_DOUBLE_EQ(
        x_at(animated_property(PropertyKind::scaling, {on(base(), line(4, 4)), on(override, line(9, 9))})),
        3.0);
    const auto turned = [&] {
        const RotationSample found =
            animated_property(PropertyKind::rotation, {on(base(), line(10, 10)), on(override, line(80, 80))})
                .sample_rotation(5e8, TimeSide::after);
        return found.is_quaternion ? glm::degrees(glm::angle(found.rotation)) : found.degrees.value.x;
    };
    EXPECT_NEAR(turned(), 80, 1e-9) << "by layer";
    override.rotations_by_layer = false;
    EXPECT_NEAR(turned(), 40, 1e-9) << "by channel";
}

TEST(FbxLayers, WeightsMayMove)
{
    AnimationLayer passes{.mode = BlendMode::passthrough};
    passes.weight_curve = std::make_shared<const Curve>(line(0, 100));
    const auto animated =
        animated_property(PropertyKind::plain, {on(base(), line(0, 0)), on(passes, line(10, 10))});
    EXPECT_DOUBLE_EQ(x_at(animated, 2.5e8), 2.5);
    EXPECT_NEAR(animated.sample(2.5e8, TimeSide::after).rate.x * 1e9, 10.0, 1e-6);
    EXPECT_NEAR(animated.sample(2.5e8, TimeSide::before).rate.x * 1e9, 10.0, 1e-6);
    EXPECT_FALSE(animated.is_constant());
}

TEST(FbxLayers, ScalesMultiplyByExponentOrAdd)
{
    const AnimationLayer half{.weight = 0.5};
    EXPECT_DOUBLE_EQ(
        x_at(animated_property(PropertyKind::scaling, {on(base(), line(2, 2)), on(half, line(9, 9))})), 6.0);
    EXPECT_DOUBLE_EQ(
        x_at(animated_property(PropertyKind::scaling, {on(base(), line(2, 2)), on(half, line(-9, -9))})),
        -6.0);
    const AnimationLayer adds{.scales_multiply = false, .weight = 0.5};
    EXPECT_DOUBLE_EQ(
        x_at(animated_property(PropertyKind::scaling, {on(base(), line(2, 2)), on(adds, line(9, 9))})), 6.5);
    const AnimationLayer passes{.mode = BlendMode::passthrough, .weight = 0.5};
    EXPECT_DOUBLE_EQ(
        x_at(animated_property(PropertyKind::scaling, {on(base(), line(4, 4)), on(passes, line(9, 9))})),
        6.0);
}

TEST(FbxLayers, RotationsByLayerAreQuaternions)
{
    const auto animated = animated_property(
        PropertyKind::rotation, {on(base(), line(0, 0), 90.0), on({.weight = 0.5}, line(0, 180))});
    const RotationSample turned = animated.sample_rotation(5e8, TimeSide::after);
    ASSERT_TRUE(turned.is_quaternion);
    const glm::dquat wanted =
        quat_from_euler({0, 90, 0}, RotationOrder::xyz) * quat_from_euler({45, 0, 0}, RotationOrder::xyz);
    EXPECT_NEAR(std::abs(glm::dot(turned.rotation, wanted)), 1.0, 1e-12);
    // Half of 180 degrees per second: the half angle of a quarter turn.
    EXPECT_NEAR(glm::length(turned.rate) * 1e9, glm::radians(45.0), 1e-5);
}

TEST(FbxLayers, RotationsByChannelAddTheirAngles)
{
    const AnimationLayer by_channel{.rotations_by_layer = false};
    const auto animated = animated_property(
        PropertyKind::rotation, {on(base(), line(0, 0), 90.0), on(by_channel, line(0, 180), 10.0)});
    const RotationSample turned = animated.sample_rotation(5e8, TimeSide::after);
    ASSERT_FALSE(turned.is_quaternion);
    EXPECT_EQ(turned.degrees.value, glm::dvec3(90.0, 100.0, 0.0));
}

TEST(FbxLayers, KnowUniformScales)
{
    LayerCurves same{
        .layer = base(), .curves = {line(1, 2), line(1, 2), line(1, 2)}, .defaults = glm::dvec3(1)};
    EXPECT_TRUE(animated_property(PropertyKind::scaling, {same}).is_uniform());
    same.curves[1] = line(1, 3);
    EXPECT_FALSE(animated_property(PropertyKind::scaling, {same}).is_uniform());
}

} // namespace
} // namespace vitrine::fbx
