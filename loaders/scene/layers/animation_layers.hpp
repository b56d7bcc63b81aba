#pragma once
// Poses made of several clips and of joints turned by hand.
//
// Layers are applied in order to the static pose, node by node in local space, before model transforms are
// computed. What a layer's clip has no channel for, and nodes outside its mask, stay as they are. With the
// weight w of a layer, the value v of the pose so far and the value c of the clip:
//
//   override   translation, scale, morph weights: v + w (c - v); rotation: slerp(v, c, w), shortest arc
//   additive   relative to c0, the clip at its start or another reference (LayerReference): translation,
//   morph
//              weights: v + w (c - c0); rotation: v (c0^-1 c)^w; scale: v (c / c0)^w, component by component
//
// Channel::is_placeholder is applied by the first layer only, so that clips of legs and torso combine. Vertex
// frames of both modes are mixed by the weight, up to two blends (FrameBlend). Adjustments of joints follow
// the layers, and then the limbs that reach for a point.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

enum class LayerMode : std::uint8_t { override, additive };

// The pose to which an additive layer is relative: a clip at a time. What the clip has no channel for is as
// in the static pose.
struct LayerReference {
    std::uint32_t clip = none;                // of the scene
    std::shared_ptr<const Clip> bound_clip{}; // as in PoseLayer
    double time = 0.0;                        // seconds from the clip's start, clamped to it
};

struct PoseLayer {
    std::uint32_t clip = none; // of the scene
    // Used instead of `clip`: a clip of another scene whose channels refer to nodes of this one.
    std::shared_ptr<const Clip> bound_clip{};
    // Seconds from the start of the layer's clip, clamped to it. Empty: the time of the pose times `speed`,
    // which repeats the clip from its start when it is beyond the end and `repeats` is set.
    std::optional<double> time{};
    double speed = 1.0;
    bool repeats = true;
    float weight = 1.0f;
    LayerMode mode = LayerMode::override;
    std::vector<std::uint8_t> mask{};          // by node: 1 if the layer applies to it; empty: all nodes
    std::optional<LayerReference> reference{}; // of an additive layer. Empty: the layer's clip at its start
};

// Changes a joint's local transform after all layers. Nodes are those of the file; helpers that belong to the
// joint (helper_nodes.hpp) are taken into account.
struct JointAdjustment {
    std::uint32_t node = none;
    glm::quat rotation{1.0f, 0.0f, 0.0f, 0.0f}; // about the joint's own axes: local rotation * rotation
    glm::vec3 translation{0.0f};                // meters, along the axes of the joint's parent
    glm::vec3 scale{1.0f};                      // factors along the joint's own axes
};

// Turns a limb of two bones so that its end, a hand or a foot, is at a point: the parent of `node` and the
// parent of that in the file. What lies below turns with them. Where the point is out of reach, the limb is
// straight, or as bent as its lengths allow, in its direction. Under uneven scale the end is near the point.
struct JointReach {
    std::uint32_t node = none;
    glm::dvec3 target{0.0}; // scene space, meters
    // A point to whose side the limb bends. Empty: to the side of the pose so far, turned along the shortest
    // arc.
    std::optional<glm::dvec3> pole{};
};

// Immutable after it was made, so that any thread may read it.
struct AnimationLayers {
    std::vector<PoseLayer> layers{};
    std::vector<JointAdjustment> adjustments{};
    std::vector<JointReach> reaches{};
    // The same text for equal animations of one version of a model: part of cache keys and entity tags.
    std::string key{};
};
using SharedLayers = std::shared_ptr<const AnimationLayers>;

// Limits of requests.
inline constexpr std::size_t max_layers = 32;
inline constexpr std::size_t max_adjustments = 256;
inline constexpr std::size_t max_reaches = 32;
inline constexpr float max_additive_weight = 10.0f;

// The rotation by x, then y, then z degrees about the joint's own axes, each as turned by the former ones.
glm::quat rotation_of_degrees(glm::dvec3 degrees);

// Applies adjustments: changes pose.local and pose.matrices; pose.model is not read. Preconditions: those of
// LayerSampler::sample().
void adjust_joints(const Scene& scene, std::span<const JointAdjustment> adjustments, Pose& pose);

// Likewise turns the limbs, in order.
void reach_joints(const Scene& scene, std::span<const JointReach> reaches, Pose& pose);
// Whether the node has the two joints above it that a reach turns.
bool ends_limb(const Scene& scene, std::uint32_t node);

// The clip of a layer or reference.
const Clip& clip_of(const Scene& scene, const PoseLayer& layer);
const Clip& clip_of(const Scene& scene, const LayerReference& reference);

// Seconds from the clip's start at which a layer is evaluated in the pose at `time`.
double layer_time(const Scene& scene, const PoseLayer& layer, double time);

// Returns the seconds after which the animation ends: those of the first layer without a time of its own, at
// its speed; 0 if all have one, so that the pose is constant.
double duration_of(const Scene& scene, const AnimationLayers& layers);

// Evaluates the layers at many times; reuses its memory. One thread at a time.
class LayerSampler {
public:
    // Writes the pose at `time`, relative to pose.origin. Preconditions: clips, nodes, masks and channels fit
    // the scene (layers_fit()).
    void sample(const Scene& scene, const AnimationLayers& layers, double time, Pose& pose);

private:
    // Values of the channels of a clip at a time, only where they are set.
    struct ChannelValues {
        std::vector<Trs> local;
        std::vector<FrameBlend> frames;
        std::vector<float> weights;
    };

    void apply(const Scene& scene, const PoseLayer& layer, double time, Pose& pose, bool is_first);
    void read(const Scene& scene, const PoseLayer& layer, double time, const Pose& pose, bool is_first,
              ChannelValues& values);
    static void read_channel(const Scene& scene, const Channel& channel, double time, const Pose& pose,
                             ChannelValues& values);
    void read_reference(const Scene& scene, const LayerReference& reference, const Pose& pose);
    void mix(const PoseLayer& layer, std::uint32_t node, Pose& pose) const;

    std::vector<std::uint8_t> set_;      // by node: bits of the paths that the clip sets
    std::vector<std::uint32_t> touched_; // nodes with a bit
    ChannelValues values_, start_;
};

// As LayerSampler::sample(), once.
void sample_layers(const Scene& scene, const AnimationLayers& layers, double time, Pose& pose);

// Whether clips exist, numbers are finite and within the limits, and all nodes, masks and channels fit the
// scene: for layers from another process.
bool layers_fit(const Scene& scene, const AnimationLayers& layers);

} // namespace vitrine::scene
