#pragma once
// One property of one object under the layers of a stack: its curves, how the layers mix, its value and rate
// at any time.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "loaders/fbx/curves/curve.hpp"
#include "loaders/fbx/transforms/transform.hpp"

namespace vitrine::fbx {

// Values as in the property BlendMode.
enum class BlendMode : std::uint8_t {
    additive,
    override_below, // nothing is left of the layers below, whatever its weight, which is of its own values
    passthrough,    // mixed with the layers below by its weight
};

struct AnimationLayer {
    BlendMode mode = BlendMode::additive;
    bool rotations_by_layer = true; // as quaternions; false: angle by angle (RotationAccumulationMode)
    bool scales_multiply = true;    // weighted as exponents; false: added (ScaleAccumulationMode)
    double weight = 1.0;
    std::shared_ptr<const Curve> weight_curve{}; // percent; null where the weight stands still
    bool is_base = false;                        // nothing below: its values count as they are

    // Its values are the result, whatever is below.
    bool replaces_layers_below() const
    {
        return is_base || (mode == BlendMode::override_below && weight == 1.0 && !weight_curve);
    }
};

// What the layers of a property do to each other.
enum class PropertyKind : std::uint8_t { plain, rotation, scaling };

struct Vec3Sample {
    glm::dvec3 value{0.0};
    glm::dvec3 rate{0.0}; // per tick
};

// Whether the rates of a sample are wanted.
enum class Rates : std::uint8_t { no, yes };

// An Lcl Rotation: angles as long as they are added angle by angle, else the rotation itself.
struct RotationSample {
    Vec3Sample degrees{};
    bool is_quaternion = false;
    glm::dquat rotation{1.0, 0.0, 0.0, 0.0};
    glm::dquat rate{0.0, 0.0, 0.0, 0.0};
};

// A property's curves on one layer.
struct LayerCurves {
    AnimationLayer layer;
    std::array<Curve, 3> curves; // without keys: the component keeps its default
    glm::dvec3 defaults{0.0};
};

class AnimatedProperty {
public:
    AnimatedProperty() = default;
    // `resting` is the property's own value; `order` counts for rotations.
    AnimatedProperty(PropertyKind kind, const glm::dvec3& resting, std::vector<LayerCurves> layers,
                     RotationOrder order = RotationOrder::xyz);

    bool has_curves() const;
    bool is_constant() const;
    // One layer whose values count as they are.
    bool is_single_layer() const;
    // The three components are the same at all times.
    bool is_uniform() const;
    Vec3Sample sample(double time, Side side, Rates rates = Rates::yes) const;
    RotationSample sample_rotation(double time, Side side, Rates rates = Rates::yes) const;

    // All curves, those of the layers' weights too.
    std::vector<const Curve*> curves() const;

private:
    double weight(const LayerCurves& on, double time, Side side) const;
    Vec3Sample sample_layer(std::size_t index, double time, Side side) const;
    Vec3Sample combine(double time, Side side) const;
    glm::dquat combine_rotations(double time, Side side) const;

    PropertyKind kind_ = PropertyKind::plain;
    RotationOrder order_ = RotationOrder::xyz;
    glm::dvec3 resting_{0.0};
    std::vector<LayerCurves> layers_;
    bool mixes_linearly_ = true; // so that rates mix as values do
    bool blends_quaternions_ = false;
    mutable std::vector<std::array<std::size_t, 4>> hints_; // by layer: of its curves and its weight
};

} // namespace vitrine::fbx
