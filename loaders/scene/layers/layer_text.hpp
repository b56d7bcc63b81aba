#pragma once
// The texts that describe layers and adjusted joints, in URLs, on the command line and in preview messages:
//
//   layer   CLIP[@SECONDS | @xSPEED][*WEIGHT][~JOINT...][!add[=REFERENCE[@SECONDS]]]
//           walk@0.4   shoot*0.8~spine   nod*0.5~head!add   run@x0.5~-arm.L~-arm.R   aim@0.2!add=idle@1
//   turn    JOINT:x,y,z   degrees about the joint's own axes: x, then y, then z
//   move    JOINT:x,y,z   meters along the axes of the joint's parent
//   scale   JOINT:x,y,z   factors
//   reach   JOINT:x,y,z[~x,y,z]   a point in scene space, meters; and one to whose side the limb bends
//
// ~JOINT limits the layer to the joint and all below it, several to all of them; ~-JOINT excludes them. !add
// adds the change from the clip's start, !add=REFERENCE from another clip's start or its pose at a time. A
// clip or joint whose name contains @ * ~ or ! is addressed by its index, id or node number. Errors are
// sentences that quote the text.

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/scene/layers/animation_layers.hpp"

namespace vitrine::scene {

struct LayerText {
    std::string clip;
    std::optional<double> time{}; // seconds
    std::optional<double> speed{};
    float weight = 1.0f;
    std::vector<std::string> joints{}; // as written, with the '-' of excluded ones
    LayerMode mode = LayerMode::override;
    std::string reference{};     // a clip; empty: the layer's own
    double reference_time = 0.0; // seconds
};
std::expected<LayerText, std::string> parse_layer(std::string_view text);

// JOINT:x,y,z. The joint's name may contain ':'.
struct JointText {
    std::string joint;
    glm::dvec3 values{0.0};
};
std::expected<JointText, std::string> parse_joint_values(std::string_view text);

// JOINT:x,y,z[~x,y,z]
struct ReachText {
    std::string joint;
    glm::dvec3 target{0.0};
    std::optional<glm::dvec3> pole{};
};
std::expected<ReachText, std::string> parse_reach(std::string_view text);

// Texts of one request. All but `clip` may be repeated and are applied in the order of these members.
struct AnimationTexts {
    std::vector<std::string> layers{};
    std::vector<std::string> turns{};
    std::vector<std::string> moves{};
    std::vector<std::string> scales{};
    std::vector<std::string> reaches{};

    bool empty() const { return *this == AnimationTexts{}; }
    bool operator==(const AnimationTexts&) const = default;
};

// A clip that a text addresses.
struct FoundClip {
    std::uint32_t clip = none; // of the scene
    std::shared_ptr<const Clip> bound_clip{};
    std::string key{}; // identifies bound_clip: equal for equal clips
};
using FindClip = std::function<std::expected<FoundClip, std::string>(std::string_view)>;

// Which of the texts an error is about: "layer", "turn", "move", "scale" or "reach".
struct AnimationTextError {
    std::string_view parameter;
    std::string message;
};

// "x,y,z" of the shortest texts that read back exactly.
std::string triple_text(const glm::dvec3& values);

// Makes the animation of `base`, if it is a clip, with the layers and adjustments of the texts; clips are
// found by `find_clip`, joints as scene::find_joint() does.
std::expected<SharedLayers, AnimationTextError> make_layers(const Scene& scene, const FoundClip& base,
                                                            const AnimationTexts& texts,
                                                            const FindClip& find_clip);

// Marks, by node, the joints and all nodes below them, without those of `excluded` and below; all nodes if
// `joints` is empty. Helpers (helper_nodes.hpp) belong to their node.
std::vector<std::uint8_t> mask_of(const Scene& scene, const std::vector<std::uint32_t>& joints,
                                  const std::vector<std::uint32_t>& excluded);

} // namespace vitrine::scene
