#pragma once
// A parsed 3DS file as plain data, in the file's axes and unit. Texts are bytes in the encoding of the
// author's system and point into the file, as do the arrays of a mesh.

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/base/error.hpp"
#include "loaders/io/input.hpp"
#include "loaders/io/text/warning_log.hpp"

namespace vitrine::threeds {

struct FaceEntry {
    std::array<std::uint16_t, 3> corners{};
    std::uint16_t flags = 0; // visible edges, texture wrapping
};
static_assert(sizeof(FaceEntry) == 8);

struct FaceMaterial {
    std::string_view name;
    Bytes faces;             // 16-bit indices
    std::size_t missing = 0; // faces fewer than declared
    std::uint64_t at = 0;
};

struct NamedObject {
    std::string_view name;
    std::uint64_t at = 0;
    bool is_mesh = false; // otherwise a camera or light
    bool is_camera = false, is_light = false;
    bool hidden = false;
    std::uint16_t point_count = 0;
    std::uint16_t texture_point_count = 0;
    std::uint16_t face_count = 0;
    Bytes points;         // three floats each, world space
    Bytes texture_points; // two floats each, one per point
    Bytes faces;
    Bytes smoothing; // 32 bits per face: its smoothing groups; may be too short
    std::vector<FaceMaterial> materials;
    std::optional<glm::dmat4> matrix; // mesh space -> world
};

struct Map {
    std::string_view file;
    std::uint64_t at = 0;
    float amount = 1.0f; // 0 to 1
    bool mirror = false, negative = false, tile = true;
    glm::vec2 scale{1.0f};
    glm::vec2 offset{0.0f};
    float angle = 0.0f; // degrees
};

struct MaterialEntry {
    std::string_view name;
    std::uint64_t at = 0;
    std::optional<glm::vec3> diffuse, specular; // linear
    float shininess = 0.0f, shininess_strength = 0.0f;
    float transparency = 0.0f;
    float self_illumination = 0.0f;
    bool two_sided = false;
    bool metal = false;
    std::optional<Map> texture, opacity, bump, self_illumination_map;
};

// Frame, spline parameters and value of a key. Tension, continuity and bias are -1 to 1, eases 0 to 1.
template <class Value>
struct SplineKey {
    std::int32_t frame = 0;
    float tension = 0.0f, continuity = 0.0f, bias = 0.0f, ease_to = 0.0f, ease_from = 0.0f;
    Value value{};
};

// Keys by frame, ascending. The extrapolation after the last key:
enum class Repeat : std::uint8_t {
    none,   // holds the last value
    repeat, // repeats
    loop,   // repeats, with a smooth spline across the ends
};

template <class Value>
struct SplineTrack {
    Repeat repeat = Repeat::none;
    std::vector<SplineKey<Value>> keys;
};

// A rotation by `angle` about `axis`, clockwise when looking along it, relative to the previous key.
struct AxisAngle {
    float angle = 0.0f; // radians
    glm::vec3 axis{0.0f};
};
struct Toggle {};

enum class NodeKind : std::uint8_t { object, camera, camera_target, light, light_target, other };

inline constexpr std::int32_t no_node = -1;

struct KeyframerNode {
    NodeKind kind = NodeKind::object;
    std::uint64_t at = 0;
    std::string_view name;     // of the object it shows; "$$$DUMMY": no object
    std::string_view instance; // distinguishes nodes of one object; the name of a dummy
    std::int32_t id = no_node;
    std::int32_t parent = no_node; // an id
    bool hidden = false;
    bool changes_color = false; // of a light, including the ambient light
    glm::dvec3 pivot{0.0};
    SplineTrack<glm::vec3> position;
    SplineTrack<AxisAngle> rotation;
    SplineTrack<glm::vec3> scale;
    SplineTrack<float> roll;  // of a camera, degrees
    SplineTrack<Toggle> hide; // each key toggles visibility
};

struct Document {
    std::vector<NamedObject> objects;
    std::vector<MaterialEntry> materials;
    std::vector<KeyframerNode> nodes;
    std::optional<float> master_scale;
    std::optional<std::array<std::int32_t, 2>> segment; // first and last frame to play
    std::int32_t length = 0;                            // frames, from the keyframer's header
    std::string_view generator;
    std::uint64_t points = 0, faces = 0; // of all meshes
};

// Errors: malformed (not a 3DS file), truncated (missing points or faces), limit_exceeded.
LoadResult<Document> parse(Bytes file, const Limits& limits, io::WarningLog& warnings);

} // namespace vitrine::threeds
