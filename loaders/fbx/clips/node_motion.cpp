#include "loaders/fbx/clips/node_tracks.hpp"

#include <algorithm>
#include <utility>

#include "loaders/fbx/transforms/model_transform.hpp"

namespace vitrine::fbx {
namespace {

PropertyKind kind_of(std::size_t property)
{
    if (property == static_cast<std::size_t>(TransformProperty::rotation)) return PropertyKind::rotation;
    if (property == static_cast<std::size_t>(TransformProperty::scaling)) return PropertyKind::scaling;
    return PropertyKind::plain;
}

QuatSample product(const QuatSample& a, const QuatSample& b, Rates rates)
{
    if (rates == Rates::no) return {.value = a.value * b.value};
    return {a.value * b.value, a.rate * b.value + a.value * b.rate};
}

QuatSample conjugate(const QuatSample& q)
{
    return {glm::conjugate(q.value), glm::conjugate(q.rate)};
}

Vec3Sample operator+(const Vec3Sample& a, const Vec3Sample& b)
{
    return {a.value + b.value, a.rate + b.rate};
}
Vec3Sample operator-(const Vec3Sample& a, const Vec3Sample& b)
{
    return {a.value - b.value, a.rate - b.rate};
}
// The rotated vector moves with the angular velocity 2 q' q*.
Vec3Sample rotate(const QuatSample& q, const Vec3Sample& v)
{
    const glm::dvec3 turned = q.value * v.value;
    const glm::dquat spin = q.rate * glm::conjugate(q.value) * 2.0;
    return {turned, glm::cross(glm::dvec3(spin.x, spin.y, spin.z), turned) + q.value * v.rate};
}

} // namespace

Vec3Sample operator*(const Vec3Sample& a, const Vec3Sample& b)
{
    return {a.value * b.value, a.rate * b.value + a.value * b.rate};
}

// The rate of a rotation about a fixed axis is half the angular rate times the axis, a pure quaternion, times
// the rotation.
QuatSample ModelMotion::turn(const Vec3Sample& degrees, RotationOrder order, Rates rates) const
{
    const auto about = [&](int axis) -> QuatSample {
        AxisTurn& last = turns_[static_cast<std::size_t>(axis)];
        const double angle = degrees.value[axis];
        if (last.degrees != angle) last = {angle, turn_about(axis, angle)};
        if (rates == Rates::no) return {.value = last.turn};
        glm::dquat half_rate(0.0, 0.0, 0.0, 0.0);
        half_rate[axis] = glm::radians(degrees.rate[axis]) * 0.5; // x, y, z, w
        return {last.turn, last.turn * half_rate};
    };
    const auto [first, second, third, parity] = axes_of(order);
    return product(product(about(third), about(second), rates), about(first), rates);
}

LoadResult<ModelMotion> ModelMotion::read(const Document& document, const AnimationStacks& animation,
                                          const AnimationStack& stack, std::uint32_t model)
{
    ModelMotion motion;
    motion.constant_ = read_transform(document, model);
    for (std::size_t i = 0; i < transform_property_count; ++i) {
        const std::string_view name = transform_property_names[i];
        if (stack.find(model, name).empty()) continue;
        auto property = animation.property(stack, model, name, kind_of(i), motion.constant_.values[i],
                                           motion.constant_.order);
        if (!property) return std::unexpected(property.error());
        const bool is_constant =
            property->is_constant() && (kind_of(i) != PropertyKind::rotation ||
                                        !property->sample_rotation(0.0, TimeSide::after).is_quaternion);
        const glm::dvec3 static_value =
            std::exchange(motion.constant_.values[i], property->sample(0.0, TimeSide::after).value);
        // A curve node without curves still defines the value under this stack.
        motion.keyed_[i] =
            property->has_curves() || !is_constant || motion.constant_.values[i] != static_value;
        if (!is_constant) motion.properties_[i] = std::make_unique<AnimatedProperty>(*std::move(property));
    }
    motion.pre_ = quat_from_euler(motion.constant_[TransformProperty::pre_rotation], RotationOrder::xyz);
    motion.post_inverse_ = glm::conjugate(
        quat_from_euler(motion.constant_[TransformProperty::post_rotation], RotationOrder::xyz));
    return motion;
}

bool ModelMotion::has_pivots() const
{
    const auto is_zero = [&](TransformProperty p) { return !moves(p) && constant_[p] == glm::dvec3(0.0); };
    return !is_zero(TransformProperty::rotation_pivot) || !is_zero(TransformProperty::scaling_pivot) ||
           !is_zero(TransformProperty::scaling_offset);
}

ModelMotion::Parts ModelMotion::keyed() const
{
    using enum TransformProperty;
    const auto is = [&](TransformProperty p) { return keyed_[static_cast<std::size_t>(p)]; };
    return {.translation = is(translation) || is(rotation_offset) || is(rotation_pivot) ||
                           is(scaling_pivot) || is(scaling_offset) ||
                           (has_pivots() && (is(rotation) || is(scaling))),
            .rotation = is(rotation) || is(pre_rotation) || is(post_rotation),
            .scale = is(scaling)};
}

ModelMotion::Parts ModelMotion::moving() const
{
    using enum TransformProperty;
    const bool rotates = moves(rotation) || moves(pre_rotation) || moves(post_rotation);
    return {.translation = moves(translation) || moves(rotation_offset) || moves(rotation_pivot) ||
                           moves(scaling_pivot) || moves(scaling_offset) ||
                           (has_pivots() && (rotates || moves(scaling))),
            .rotation = rotates,
            .scale = moves(scaling)};
}

Vec3Sample ModelMotion::get(TransformProperty p, double time, TimeSide side, Rates rates) const
{
    if (!moves(p)) return {.value = constant_[p]};
    return properties_[static_cast<std::size_t>(p)]->sample(time, side, rates);
}

QuatSample ModelMotion::rotation(double time, TimeSide side, Rates rates) const
{
    using enum TransformProperty;
    const RotationOrder order = constant_.rotation_space ? constant_.order : RotationOrder::xyz;
    RotationSample lcl{.degrees = {.value = constant_[TransformProperty::rotation]}};
    if (moves(TransformProperty::rotation))
        lcl = properties_[static_cast<std::size_t>(TransformProperty::rotation)]->sample_rotation(time, side,
                                                                                                  rates);
    QuatSample turn =
        lcl.is_quaternion ? QuatSample{lcl.rotation, lcl.rate} : this->turn(lcl.degrees, order, rates);
    if (!constant_.rotation_space) return turn;
    const auto turned_by = [&](TransformProperty p) {
        return this->turn(get(p, time, side, rates), RotationOrder::xyz, rates);
    };
    turn = moves(pre_rotation) ? product(turned_by(pre_rotation), turn, rates)
                               : QuatSample{pre_ * turn.value, pre_ * turn.rate};
    if (!moves(post_rotation)) return {turn.value * post_inverse_, turn.rate * post_inverse_};
    return product(turn, conjugate(turned_by(post_rotation)), rates);
}

Vec3Sample ModelMotion::scale(double time, TimeSide side) const
{
    return get(TransformProperty::scaling, time, side);
}

Vec3Sample ModelMotion::translation(double time, TimeSide side) const
{
    const Vec3Sample moved =
        get(TransformProperty::translation, time, side) + get(TransformProperty::rotation_offset, time, side);
    if (!has_pivots()) return moved;
    const Vec3Sample scaling_at = get(TransformProperty::scaling_pivot, time, side);
    const Vec3Sample turning_at = get(TransformProperty::rotation_pivot, time, side);
    const Vec3Sample inner = get(TransformProperty::scaling_offset, time, side) + scaling_at -
                             scale(time, side) * scaling_at - turning_at;
    return moved + turning_at + rotate(rotation(time, side), inner);
}

void ModelMotion::append(std::vector<const Curve*>& to, std::initializer_list<TransformProperty> list) const
{
    for (const TransformProperty p : list) {
        if (!moves(p)) continue;
        const auto curves = properties_[static_cast<std::size_t>(p)]->curves();
        to.insert(to.end(), curves.begin(), curves.end());
    }
}

std::vector<const Curve*> ModelMotion::translation_curves() const
{
    using enum TransformProperty;
    std::vector<const Curve*> all;
    append(all, {translation, rotation_offset});
    if (has_pivots())
        append(all, {rotation_pivot, scaling_offset, scaling_pivot, rotation, pre_rotation, post_rotation,
                     scaling});
    return all;
}

std::vector<const Curve*> ModelMotion::rotation_curves() const
{
    using enum TransformProperty;
    std::vector<const Curve*> all;
    append(all, {rotation, pre_rotation, post_rotation});
    return all;
}

std::vector<const Curve*> ModelMotion::scale_curves() const
{
    std::vector<const Curve*> all;
    append(all, {TransformProperty::scaling});
    return all;
}

bool ModelMotion::is_plain_translation() const
{
    using enum TransformProperty;
    const auto& property = properties_[static_cast<std::size_t>(TransformProperty::translation)];
    return !has_pivots() && !moves(rotation_offset) && (!property || property->is_single_layer());
}

bool ModelMotion::is_plain_scale() const
{
    const auto& property = properties_[static_cast<std::size_t>(TransformProperty::scaling)];
    return !property || property->is_single_layer();
}

bool ModelMotion::is_plain_rotation() const
{
    using enum TransformProperty;
    if (moves(pre_rotation) || moves(post_rotation)) return false;
    const auto& property = properties_[static_cast<std::size_t>(TransformProperty::rotation)];
    if (!property) return true;
    const auto curves = property->curves();
    return property->is_single_layer() &&
           std::ranges::count_if(curves, [](const Curve* curve) { return !fbx::is_constant(*curve); }) <= 1;
}

} // namespace vitrine::fbx
