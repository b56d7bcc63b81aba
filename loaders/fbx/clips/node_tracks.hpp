#pragma once
// The tracks of one scene node under one stack, from its model's motion and, under a split parent, from the
// inherited scales (node_tree.hpp).

#include <memory>
#include <unordered_map>
#include <vector>

#include "loaders/fbx/animation/animation.hpp"
#include "loaders/fbx/curves/track.hpp"
#include "loaders/fbx/nodes/node_tree.hpp"
#include "loaders/fbx/transforms/transform.hpp"

namespace vitrine::fbx {

struct QuatSample {
    glm::dquat value{1.0, 0.0, 0.0, 0.0};
    glm::dquat rate{0.0, 0.0, 0.0, 0.0}; // per tick
};

Vec3Sample operator*(const Vec3Sample& a, const Vec3Sample& b);

// The transform of a model under a stack and its rate, at any time. Constant properties are stored as
// numbers.
class ModelMotion {
public:
    static LoadResult<ModelMotion> read(const Document& document, const AnimationStacks& animation,
                                        const AnimationStack& stack, std::uint32_t model);

    // Which of translation, rotation and scale the stack has curves for, and which of them change.
    struct Parts {
        bool translation = false, rotation = false, scale = false;
        bool any() const { return translation || rotation || scale; }
    };
    Parts keyed() const;
    Parts moving() const;

    Vec3Sample translation(double time, TimeSide side) const;
    QuatSample rotation(double time, TimeSide side, Rates rates = Rates::yes) const;
    Vec3Sample scale(double time, TimeSide side) const;

    // Return the curves that change the given part.
    std::vector<const Curve*> translation_curves() const;
    std::vector<const Curve*> rotation_curves() const;
    std::vector<const Curve*> scale_curves() const;
    // Returns whether there are no pivots and one layer only, so each component is one curve or constant.
    bool is_plain_translation() const;
    bool is_plain_scale() const;
    // Returns whether the rotation axis is constant.
    bool is_plain_rotation() const;

private:
    bool moves(TransformProperty p) const { return properties_[static_cast<std::size_t>(p)] != nullptr; }
    Vec3Sample get(TransformProperty p, double time, TimeSide side, Rates rates = Rates::yes) const;
    bool has_pivots() const;
    QuatSample turn(const Vec3Sample& degrees, RotationOrder order, Rates rates) const;
    void append(std::vector<const Curve*>& to, std::initializer_list<TransformProperty> properties) const;

    NodeTransform constant_; // values of constant properties
    glm::dquat pre_{1.0, 0.0, 0.0, 0.0}, post_inverse_{1.0, 0.0, 0.0, 0.0};
    // Cached quaternions of the last rotations about x, y, z: constant axes and both sides of a key need no
    // new sine and cosine.
    struct AxisTurn {
        double degrees = 0.0;
        glm::dquat turn{1.0, 0.0, 0.0, 0.0};
    };
    mutable std::array<AxisTurn, 3> turns_;
    std::array<bool, transform_property_count> keyed_{};
    std::array<std::unique_ptr<AnimatedProperty>, transform_property_count> properties_; // null: constant
};

// Motions of models under one stack. Motions that other models depend on are cached.
class MotionSource {
public:
    MotionSource(const Document& document, const AnimationStacks& animation, const AnimationStack& stack,
                 const NodeTree& tree)
        : document_(document), animation_(animation), stack_(stack), tree_(tree)
    {
    }

    LoadResult<std::shared_ptr<const ModelMotion>> find_or_build(std::uint32_t model);

    // The animated scales of the links, in order, and the product of the constant ones.
    struct Scales {
        std::vector<std::shared_ptr<const ModelMotion>> links;
        double factor = 1.0;

        Vec3Sample sample(double time, TimeSide side) const;
        void append_curves(std::vector<const Curve*>& to) const;
        bool is_keyed() const;
    };
    // Returns the scales a model inherits; with `whole`, its own scale too.
    LoadResult<Scales> scales(std::uint32_t model, bool whole);

private:
    const Document& document_;
    const AnimationStacks& animation_;
    const AnimationStack& stack_;
    const NodeTree& tree_;
    std::unordered_map<std::uint32_t, std::shared_ptr<const ModelMotion>> cache_;
};

struct NodeTrack {
    scene::Path path = scene::Path::translation;
    std::unique_ptr<Track> track;
};

// Returns tracks for those parts of the node's transform that the stack has keys for.
LoadResult<std::vector<NodeTrack>> bake_tracks(MotionSource& motions, const NodeTree& tree,
                                               std::uint32_t node);

} // namespace vitrine::fbx
