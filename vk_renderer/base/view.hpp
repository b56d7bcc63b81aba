#pragma once
// How a scene is looked at. Angles in degrees, distances in metres, colors sRGB as a person names them.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <glm/glm.hpp>

#include "loaders/scene/bounds/bounds.hpp"

namespace vitrine::render {

// The camera stands at target + distance * (sin yaw cos pitch, sin pitch, cos yaw cos pitch) and looks at the
// target.
struct Camera {
    float yaw = 0.0f;
    float pitch = 0.0f;
    std::optional<float> distance{};   // empty: the bounding sphere fits with 5 % to spare
    std::optional<glm::vec3> target{}; // empty: the centre of the framing bounds
    float vertical_fov = 45.0f;
    bool orthographic = false;
    // yaw, pitch, distance and target are still to be chosen for what is drawn: see best_view.hpp.
    bool automatic = false;
};

enum class LightingPreset : std::uint8_t {
    studio,    // key light, soft environment, ground shadow
    reference, // ambient 0.3 + 0.7 max(0, n . toward camera), no ground, no tone mapping; for comparing
               // renderers
};

// What the surfaces show instead of their materials.
enum class DebugView : std::uint8_t {
    material,
    uv,      // a checker of 8 x 8 to the unit square; red grows with u, green with v
    weights, // what the joints weigh, see Overlays::joint
    xray,    // glass: the nearest surface alone, its rims brighter than its faces
};

struct Overlays {
    bool wireframe = false;
    bool skeleton = false;
    bool names = false; // of the joints, beside them
    bool normals = false;
    bool tangents = false; // of each triangle: tangent red, bitangent green, normal blue
    bool bounds = false;
    DebugView surface = DebugView::material;
    // DebugView::weights: the joint by number of its node or by name, from blue (0) to red (1). Empty: each
    // joint in a color of its own, mixed as it weighs.
    std::string joint{};

    bool operator==(const Overlays&) const = default;
};

struct LodScene; // vk_renderer/mesh/lod.hpp

struct View {
    std::uint32_t width = 512;
    std::uint32_t height = 512;
    Camera camera{};
    LightingPreset light = LightingPreset::studio;
    Overlays overlays{};
    // Straight alpha, sRGB. Empty: the studio backdrop (LightingPreset::studio) or opaque white
    // (LightingPreset::reference).
    std::optional<glm::vec4> background{};
    // What is framed; empty: the exact bounds over the clip that is drawn, without outliers
    // (scene/outliers.hpp), and where the skeleton is shown its joints too (with_joints() in framing.hpp).
    std::optional<scene::Aabb> framing{};
    // In scene space: what `framing` and Camera::target are measured from.
    glm::dvec3 origin{0.0};
    // Of the scene that is drawn: fewer triangles, for a picture that moves. Empty: all of them.
    std::shared_ptr<const LodScene> lod{};
};

// Boxes: of the model, which stands on the floor, and of all that the camera takes in where the view does not
// say from how far or at what it looks; where it says one of them, the other is reckoned from the model's.
struct Framing {
    scene::Aabb model{};
    scene::Aabb seen{};

    bool operator==(const Framing& other) const
    {
        return model.min == other.model.min && model.max == other.model.max && seen.min == other.seen.min &&
               seen.max == other.seen.max;
    }
};

} // namespace vitrine::render
