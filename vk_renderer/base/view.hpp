#pragma once
// View parameters of a scene. Angles in degrees, distances in meters, colors in sRGB.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/scene/bounds/bounds.hpp"

namespace vitrine::render {

// Limit of distances and coordinates in requests.
inline constexpr double max_meters = 1e9;

// The eye is at target + distance * (sin yaw cos pitch, sin pitch, cos yaw cos pitch) and looks at the
// target.
struct Camera {
    float yaw = 0.0f;
    float pitch = 0.0f;
    std::optional<float> distance{};   // empty: the bounding sphere fits with a margin of 5 %
    std::optional<glm::vec3> target{}; // empty: the center of the framing bounds
    float vertical_fov = 45.0f;
    bool orthographic = false;
    // yaw, pitch, distance and target are chosen for the model; see best_view.hpp.
    bool automatic = false;
};

enum class LightingPreset : std::uint8_t {
    studio,    // key light, soft environment, ground shadow
    reference, // ambient 0.3 + 0.7 max(0, n . toward camera), no ground, no tone mapping; for comparing
               // renderers
};

// The words for lighting in requests.
struct LightingWord {
    std::string_view word;
    LightingPreset light;
};
inline constexpr std::array lighting_words{
    LightingWord{"studio", LightingPreset::studio},
    LightingWord{"reference", LightingPreset::reference},
};

// What surfaces display instead of their materials.
enum class DebugView : std::uint8_t {
    material,
    uv,      // checkerboard of 8 x 8 per unit square; red grows with u, green with v
    weights, // joint weights, see Overlays::joint
    xray,    // glass-like: only the nearest surface, brighter at grazing angles
    ghost,   // one translucent color; drawn for View::ghosts, not a word of requests
};

struct Overlays {
    bool wireframe = false;
    bool skeleton = false;
    bool names = false; // joint names beside the joints
    bool normals = false;
    bool tangents = false; // per triangle: tangent red, bitangent green, normal blue
    bool bounds = false;
    bool trails = false;      // the paths of joints over the motion, from blue at its start to red at its end
    bool joint_boxes = false; // a box along the axes of each joint around the vertices that it moves most
    DebugView debug_view = DebugView::material;
    // For DebugView::weights: a joint, by node number or name, whose weight is shown from blue (0) to red
    // (1). Empty: each joint has its own color, mixed by weight.
    std::string joint{};
    // For `trails`: joints by node number or name. Empty: ends of the skeleton that move far.
    std::vector<std::string> trail_joints{};

    bool operator==(const Overlays&) const = default;
};

inline constexpr std::size_t max_trail_joints = 16; // of an image

// The words for overlays in requests. Parsers, messages and the cache keys of images use these words.
struct OverlayWord {
    std::string_view word;
    bool Overlays::* flag;
};
inline constexpr std::array overlay_words{
    OverlayWord{"wireframe", &Overlays::wireframe}, OverlayWord{"skeleton", &Overlays::skeleton},
    OverlayWord{"names", &Overlays::names},         OverlayWord{"normals", &Overlays::normals},
    OverlayWord{"tangents", &Overlays::tangents},   OverlayWord{"bounds", &Overlays::bounds},
    OverlayWord{"trails", &Overlays::trails},       OverlayWord{"joint_boxes", &Overlays::joint_boxes},
};
struct DebugViewWord {
    std::string_view word;
    DebugView view;
};
inline constexpr std::array debug_view_words{
    DebugViewWord{"uv", DebugView::uv},
    DebugViewWord{"xray", DebugView::xray},
    DebugViewWord{"weights", DebugView::weights},
};

// Translucent copies of the model at neighboring times of its motion; see base/scene_instances.hpp.
struct Ghosts {
    std::uint32_t before = 0; // copies at earlier times
    std::uint32_t after = 0;  // copies at later times
    double step = 0.1;        // seconds from one to the next

    bool operator==(const Ghosts&) const = default;
    std::uint32_t count() const { return before + after; }
};

struct LodIndices; // vk_renderer/mesh/lod.hpp

struct View {
    std::uint32_t width = 512;
    std::uint32_t height = 512;
    Camera camera{};
    LightingPreset light = LightingPreset::studio;
    Overlays overlays{};
    // Straight alpha, sRGB. Empty: the studio backdrop (LightingPreset::studio) or opaque white
    // (LightingPreset::reference).
    std::optional<glm::vec4> background{};
    // Number of copies of the model on a grid, each at its own time of the motion; see
    // base/scene_instances.hpp.
    std::uint32_t crowd = 1;
    Ghosts ghosts{};
    // The framed box; empty: the exact bounds over the rendered clip without outliers
    // (loaders/scene/preview/outliers.hpp), extended by the joints when the skeleton is shown
    // (include_joints() in framing_bounds.hpp).
    std::optional<scene::Aabb> framing{};
    // In scene space; `framing` and Camera::target are relative to it.
    glm::dvec3 origin{0.0};
    // A reduced level of detail of the rendered scene, for moving images. Empty: all triangles.
    std::shared_ptr<const LodIndices> lod{};
};

struct Pixel { // from the top left
    std::uint32_t x = 0;
    std::uint32_t y = 0;
};

// Two boxes: the model's, which rests on the floor, and the box that an unset Camera::distance and
// Camera::target are derived from. If only one of distance and target is set, the other is derived from the
// model's box.
struct Framing {
    scene::Aabb model{};
    scene::Aabb framed{};

    bool operator==(const Framing& other) const
    {
        return model.min == other.model.min && model.max == other.model.max &&
               framed.min == other.framed.min && framed.max == other.framed.max;
    }
};

} // namespace vitrine::render
