#pragma once
// The transform of one scene node under one stack, with its rate, at any time.

#include <memory>
#include <vector>

#include "loaders/fbx/animation/animation.hpp"
#include "loaders/fbx/transforms/transform.hpp"

namespace vitrine::fbx {

struct QuatSample {
    glm::dquat value{1.0, 0.0, 0.0, 0.0};
    glm::dquat rate{0.0, 0.0, 0.0, 0.0}; // per tick
};

Vec3Sample operator*(const Vec3Sample& a, const Vec3Sample& b);

// A model's properties under a stack. Constant ones are kept as numbers.
class ModelMotion {
public:
    static LoadResult<ModelMotion> read(const Document& document, const Animation& animation,
                                        const AnimationStack& stack, std::uint32_t model);

    // Which of the three parts of the transform the stack has curves for, and which of them move.
    struct Parts {
        bool translation = false, rotation = false, scale = false;
        bool any() const { return translation || rotation || scale; }
    };
    Parts keyed() const;
    Parts moving() const;

    Vec3Sample translation(double time, Side side) const;
    QuatSample rotation(double time, Side side, Rates rates = Rates::yes) const;
    Vec3Sample scale(double time, Side side) const;

    // Those that make the given part move.
    std::vector<const Curve*> translation_curves() const;
    std::vector<const Curve*> rotation_curves() const;
    std::vector<const Curve*> scale_curves() const;
    // Neither pivots nor several layers: each component is one curve, or none.
    bool is_plain_translation() const;
    bool is_plain_scale() const;
    // The rotation turns about one axis for all time.
    bool is_plain_rotation() const;

private:
    bool moves(TransformProperty p) const { return properties_[static_cast<std::size_t>(p)] != nullptr; }
    Vec3Sample get(TransformProperty p, double time, Side side, Rates rates = Rates::yes) const;
    bool has_pivots() const;
    QuatSample turn(const Vec3Sample& degrees, RotationOrder order, Rates rates) const;
    void append(std::vector<const Curve*>& to, std::initializer_list<TransformProperty> properties) const;

    NodeTransform constant_; // values of properties that stand still
    glm::dquat pre_{1.0, 0.0, 0.0, 0.0}, post_inverse_{1.0, 0.0, 0.0, 0.0};
    // The last turns about x, y, z: an axis that stands still, and both sides of a key, need no sines again.
    struct AxisTurn {
        double degrees = 0.0;
        glm::dquat turn{1.0, 0.0, 0.0, 0.0};
    };
    mutable std::array<AxisTurn, 3> turns_;
    std::array<bool, transform_property_count> keyed_{};
    std::array<std::unique_ptr<AnimatedProperty>, transform_property_count> properties_; // null: constant
};

} // namespace vitrine::fbx
