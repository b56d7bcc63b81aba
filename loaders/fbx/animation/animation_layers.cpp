#include "loaders/fbx/animation/animation_layers.hpp"

#include <algorithm>
#include <cmath>

namespace vitrine::fbx {
namespace {

// Preserves the sign, so that mirrored axes stay mirrored.
double power(double value, double exponent)
{
    if (exponent <= 0.0) return 1.0;
    if (exponent >= 1.0) return value;
    return std::copysign(std::pow(std::abs(value), exponent), value);
}

glm::dvec3 power(const glm::dvec3& value, double exponent)
{
    return {power(value.x, exponent), power(value.y, exponent), power(value.z, exponent)};
}

bool scales_multiply(const AnimationLayer& layer, PropertyKind kind)
{
    return kind == PropertyKind::scaling && layer.scales_multiply;
}

void mix_scales(Vec3Sample& below, const Vec3Sample& layer, const AnimationLayer& how, double weight)
{
    const glm::dvec3 base = how.mode == BlendMode::additive      ? below.value
                            : how.mode == BlendMode::passthrough ? power(below.value, 1.0 - weight)
                                                                 : glm::dvec3(1.0);
    below.value = base * power(layer.value, weight);
}

void mix(Vec3Sample& below, const Vec3Sample& layer, const AnimationLayer& how, double weight)
{
    const double keep = how.mode == BlendMode::additive      ? 1.0
                        : how.mode == BlendMode::passthrough ? 1.0 - weight
                                                             : 0.0;
    below.value = below.value * keep + layer.value * weight;
    below.rate = below.rate * keep + layer.rate * weight;
}

glm::dquat mix(const glm::dquat& below, const glm::dquat& layer, BlendMode mode, double weight)
{
    const glm::dquat identity(1.0, 0.0, 0.0, 0.0);
    if (mode == BlendMode::override_below) return layer; // rotations per layer have no weight in this mode
    if (mode == BlendMode::additive) return below * glm::slerp(identity, layer, weight);
    return glm::slerp(below, layer, weight);
}

// Step of the second-order one-sided difference; small compared with any motion keyed by an artist.
constexpr double difference_ticks = 20'000.0;

template <class T, class Function>
T one_sided_rate(Function f, const T& at, double time, TimeSide side)
{
    const double h = side == TimeSide::after ? difference_ticks : -difference_ticks;
    return (f(time + h) * 4.0 - at * 3.0 - f(time + 2.0 * h)) / (2.0 * h);
}

} // namespace

AnimatedProperty::AnimatedProperty(PropertyKind kind, const glm::dvec3& static_value,
                                   std::vector<LayerCurves> layers, RotationOrder order)
    : kind_(kind), order_(order), static_value_(static_value), layers_(std::move(layers)),
      hints_(layers_.size())
{
    for (const LayerCurves& on : layers_) {
        const AnimationLayer& layer = on.layer;
        mixes_linearly_ = mixes_linearly_ && !layer.weight_curve &&
                          (layer.replaces_layers_below() || !scales_multiply(layer, kind_));
        blends_quaternions_ =
            blends_quaternions_ || (!layer.replaces_layers_below() && layer.rotations_by_layer);
    }
}

bool AnimatedProperty::has_curves() const
{
    return std::ranges::any_of(layers_, [](const LayerCurves& on) {
        return std::ranges::any_of(on.curves, [](const Curve& curve) { return !curve.keys.empty(); });
    });
}

std::vector<const Curve*> AnimatedProperty::curves() const
{
    std::vector<const Curve*> all;
    for (const LayerCurves& on : layers_) {
        for (const Curve& curve : on.curves)
            if (!curve.keys.empty()) all.push_back(&curve);
        if (on.layer.weight_curve) all.push_back(on.layer.weight_curve.get());
    }
    return all;
}

bool AnimatedProperty::is_constant() const
{
    return std::ranges::all_of(curves(), [](const Curve* curve) { return fbx::is_constant(*curve); });
}

bool AnimatedProperty::is_single_layer() const
{
    return layers_.size() == 1 && layers_[0].layer.replaces_layers_below();
}

bool AnimatedProperty::is_uniform() const
{
    const auto same = [](const glm::dvec3& v) { return v.x == v.y && v.y == v.z; };
    if (is_constant()) return same(sample(0.0, TimeSide::after).value);
    const auto same_key = [](const CurveKey& a, const CurveKey& b) {
        return a.time == b.time && a.value == b.value && a.right_slope == b.right_slope &&
               a.next_left_slope == b.next_left_slope && a.right_weight == b.right_weight &&
               a.next_left_weight == b.next_left_weight && a.interpolation == b.interpolation;
    };
    const auto same_curve = [&](const Curve& a, const Curve& b) {
        return std::ranges::equal(a.keys, b.keys, same_key) && a.before.mode == b.before.mode &&
               a.before.count == b.before.count && a.after.mode == b.after.mode &&
               a.after.count == b.after.count;
    };
    return same(static_value_) && std::ranges::all_of(layers_, [&](const LayerCurves& on) {
               return same(on.defaults) && same_curve(on.curves[0], on.curves[1]) &&
                      same_curve(on.curves[1], on.curves[2]);
           });
}

double AnimatedProperty::weight(const LayerCurves& on, double time, TimeSide side) const
{
    if (!on.layer.weight_curve) return on.layer.weight;
    return std::clamp(fbx::sample(*on.layer.weight_curve, time, side).value / 100.0, 0.0, 1.0);
}

Vec3Sample AnimatedProperty::sample_layer(std::size_t index, double time, TimeSide side) const
{
    const LayerCurves& on = layers_[index];
    Vec3Sample out{.value = on.defaults};
    for (int axis = 0; axis < 3; ++axis) {
        const Curve& curve = on.curves[static_cast<std::size_t>(axis)];
        if (curve.keys.empty()) continue;
        const CurveSample found =
            fbx::sample(curve, time, side, hints_[index][static_cast<std::size_t>(axis)]);
        out.value[axis] = found.value;
        out.rate[axis] = found.rate;
    }
    return out;
}

// Combines values by the layers' rules; rates only where blending is linear and weights are constant.
Vec3Sample AnimatedProperty::combine(double time, TimeSide side) const
{
    Vec3Sample result{.value = static_value_};
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        const AnimationLayer& layer = layers_[i].layer;
        const Vec3Sample own = sample_layer(i, time, side);
        if (layer.replaces_layers_below())
            result = own;
        else if (scales_multiply(layer, kind_))
            mix_scales(result, own, layer, weight(layers_[i], time, side));
        else
            mix(result, own, layer, weight(layers_[i], time, side));
    }
    return result;
}

Vec3Sample AnimatedProperty::sample(double time, TimeSide side, Rates rates) const
{
    Vec3Sample result = combine(time, side);
    if (mixes_linearly_ || rates == Rates::no) return result;
    const auto value = [&](double t) { return combine(t, side).value; };
    result.rate = one_sided_rate(value, result.value, time, side);
    return result;
}

glm::dquat AnimatedProperty::combine_rotations(double time, TimeSide side) const
{
    glm::dvec3 degrees = static_value_;
    glm::dquat rotation = quat_from_euler(degrees, order_);
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        const AnimationLayer& layer = layers_[i].layer;
        Vec3Sample own = sample_layer(i, time, side);
        const double layer_weight = weight(layers_[i], time, side);
        if (layer.replaces_layers_below()) {
            rotation = quat_from_euler(own.value, order_);
            degrees = own.value;
        } else if (layer.rotations_by_layer) {
            rotation = mix(rotation, quat_from_euler(own.value, order_), layer.mode, layer_weight);
            degrees = euler_from_quat(rotation, order_);
        } else {
            Vec3Sample below{.value = degrees};
            mix(below, own, layer, layer_weight);
            degrees = below.value;
            rotation = quat_from_euler(degrees, order_);
        }
    }
    return rotation;
}

RotationSample AnimatedProperty::sample_rotation(double time, TimeSide side, Rates rates) const
{
    if (!blends_quaternions_) return {.degrees = sample(time, side, rates)};
    RotationSample result{.is_quaternion = true, .rotation = combine_rotations(time, side)};
    if (rates == Rates::no) return result;
    const auto value = [&](double t) {
        const glm::dquat q = combine_rotations(t, side);
        return glm::dot(q, result.rotation) < 0.0 ? -q : q;
    };
    result.rate = one_sided_rate(value, result.rotation, time, side);
    return result;
}

} // namespace vitrine::fbx
