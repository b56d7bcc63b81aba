#pragma once
// One property of one object under the layers of a stack: its curves, the layers' blend modes, and its value
// and rate at any time.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "loaders/fbx/curves/curve.hpp"
#include "loaders/fbx/transforms/transform.hpp"

namespace vitrine::fbx {

// Values of the property BlendMode.
enum class BlendMode : std::uint8_t {
    additive,
    override_below, // discards the layers below; the weight scales this layer's own values
    passthrough,    // interpolates between the layers below and this layer by the weight
};

struct AnimationLayer {
    BlendMode mode = BlendMode::additive;
    bool rotations_by_layer =
        true; // blend rotations as quaternions; false: per angle (RotationAccumulationMode)
    bool scales_multiply =
        true; // weights are exponents of scales; false: scales are added (ScaleAccumulationMode)
    double weight = 1.0;
    std::shared_ptr<const Curve> weight_curve{}; // percent; null where the weight is constant
    bool is_base = false;                        // the lowest layer: its values are used unmodified

    // Returns whether this layer's values are the result regardless of the layers below.
    bool replaces_layers_below() const
    {
        return is_base || (mode == BlendMode::override_below && weight == 1.0 && !weight_curve);
    }
};

// Selects how the layers of a property are combined.
enum class PropertyKind : std::uint8_t { plain, rotation, scaling };

struct Vec3Sample {
    glm::dvec3 value{0.0};
    glm::dvec3 rate{0.0}; // per tick
};

// Selects whether a sample includes rates.
enum class Rates : std::uint8_t { no, yes };

// An Lcl Rotation: Euler angles while layers are added per angle, else a quaternion.
struct RotationSample {
    Vec3Sample degrees{};
    bool is_quaternion = false;
    glm::dquat rotation{1.0, 0.0, 0.0, 0.0};
    glm::dquat rate{0.0, 0.0, 0.0, 0.0};
};

// The curves of a property on one layer.
struct LayerCurves {
    AnimationLayer layer;
    std::array<Curve, 3> curves; // one per component; a component without keys keeps its default
    glm::dvec3 defaults{0.0};
};

class AnimatedProperty {
public:
    AnimatedProperty() = default;
    // `static_value` is the static value of the property; `order` is only used for rotations.
    AnimatedProperty(PropertyKind kind, const glm::dvec3& static_value, std::vector<LayerCurves> layers,
                     RotationOrder order = RotationOrder::xyz);

    bool has_curves() const;
    bool is_constant() const;
    // Returns whether there is one layer and its values are used unmodified.
    bool is_single_layer() const;
    // Returns whether the three components are equal at all times.
    bool is_uniform() const;
    Vec3Sample sample(double time, TimeSide side, Rates rates = Rates::yes) const;
    RotationSample sample_rotation(double time, TimeSide side, Rates rates = Rates::yes) const;

    // Returns all curves, including those of the layers' weights.
    std::vector<const Curve*> curves() const;

private:
    double weight(const LayerCurves& on, double time, TimeSide side) const;
    Vec3Sample sample_layer(std::size_t index, double time, TimeSide side) const;
    Vec3Sample combine(double time, TimeSide side) const;
    glm::dquat combine_rotations(double time, TimeSide side) const;

    PropertyKind kind_ = PropertyKind::plain;
    RotationOrder order_ = RotationOrder::xyz;
    glm::dvec3 static_value_{0.0};
    std::vector<LayerCurves> layers_;
    bool mixes_linearly_ = true; // rates combine in the same way as values
    bool blends_quaternions_ = false;
    mutable std::vector<std::array<std::size_t, 4>>
        hints_; // by layer: key hints of its curves and its weight
};

} // namespace vitrine::fbx
