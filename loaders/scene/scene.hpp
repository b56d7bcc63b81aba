#pragma once
// The common scene model that every loader produces and every other module reads.
//
// Space:     right-handed, Y up, meters; counter-clockwise front faces; UV origin top left.
// Matrices:  glm column vectors (p' = M * p); quaternions have unit length.
// Times:     seconds. Key times are relative to the start of their clip; Clip::start_time is the clip's start
//            on the file's timeline.
// Indices:   32 bit, `none` (index.hpp) if absent. Parents precede their children, so one forward loop
//            computes model space transforms.
// Ownership: a Scene is a plain value. After validate() accepted it, it is shared as a pointer to const
//            and is not modified by any thread.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

#include "loaders/scene/array.hpp"
#include "loaders/scene/attribution.hpp"
#include "loaders/scene/human_bone.hpp"
#include "loaders/scene/index.hpp"
#include "loaders/scene/material.hpp"
#include "loaders/scene/vrm_facts.hpp"

namespace vitrine::scene {

// Translation, rotation and scale applied to a column vector as T * R * S.
struct Trs {
    glm::vec3 translation{0.0f};
    glm::quat rotation{1.0f, 0.0f, 0.0f, 0.0f};
    glm::vec3 scale{1.0f};
};

// The levels of detail in which a node is drawn; 0 is the most detailed one.
struct LevelRange {
    std::uint32_t first = 0;
    std::uint32_t last = none; // included; none: and all further ones

    bool operator==(const LevelRange&) const = default;
};

struct Node {
    std::string name;
    std::uint32_t parent = none;
    Trs local; // static transform, relative to the parent
    // Used instead of `local` if T * R * S cannot represent the transform (shear); never animated.
    std::optional<glm::mat4> matrix;
    std::uint32_t mesh = none;
    std::uint32_t skin = none;        // only together with a mesh
    std::vector<float> morph_weights; // one per morph target of the mesh; empty: the mesh's defaults
    bool visible = true;              // false: evaluated (it may be a joint) but not drawn
    glm::vec4 color{1.0f};            // linear RGBA; multiplies the colors of the mesh
    // For a helper that a loader added: the file's node that it belongs to. none: a node of the file. Only
    // nodes of the file are shown to users (helper_nodes.hpp).
    std::uint32_t helper_of = none;
    HumanBone human_bone = HumanBone::none; // as declared by the file (VRM)
    // A node of less detailed levels only is not `visible` until such a level is shown (parts/levels.hpp).
    // Nodes that the file hides are in all levels.
    LevelRange levels{};
};

enum class Topology : std::uint8_t { triangles, lines, points };

// Number of indices per triangle, line or point.
constexpr std::uint32_t corners_of(Topology topology)
{
    return topology == Topology::triangles ? 3 : topology == Topology::lines ? 2 : 1;
}

// The material of a primitive in one of Scene::variants.
struct VariantMaterial {
    std::uint32_t variant = 0;
    std::uint32_t material = 0;

    bool operator==(const VariantMaterial&) const = default;
};

// A range of Mesh::indices drawn with one material. `first` and `count` count indices; only complete
// triangles or lines.
struct Primitive {
    Topology topology = Topology::triangles;
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    std::uint32_t material = none; // if no variant is applied, and for variants not in `variants`
    // For lines and points: whether the file has normals for the vertices, which are then used for lighting.
    // Triangles are always lit.
    bool has_normals = false;
    std::vector<VariantMaterial> variants{}; // in ascending order of `variant`, without duplicates
};

// Skin weights in compressed form: vertex v has the influences first[v] .. first[v + 1]. The number per
// vertex is unlimited; a vertex without influences follows the node that draws the mesh. Weights are used
// unmodified: a loader normalizes them if its format requires it.
struct Influences {
    Array<std::uint32_t> first;  // vertices + 1 entries, or empty: no skin weights
    Array<std::uint16_t> joints; // index into Skin::joints
    Array<float> weights;
    // Bind-pose position of the vertex for this influence, in model space. Empty in all formats except MD5,
    // whose weights each carry a position; these need not agree, so v' = sum w * M * inverse_bind * position.
    Array<glm::vec3> positions;
    // By vertex, 0 .. 1: weight of dual quaternion skinning if the skin's method is `blended`. Empty: 0.
    Array<float> dual_quaternion_weights{};
};

// Sparse deltas: vertex vertices[i] moves by weight * position_deltas[i]. normal_deltas and tangent_deltas
// are empty or have the length of `vertices`. Applied before skinning.
struct MorphTarget {
    std::string name;
    Array<std::uint32_t> vertices;
    Array<glm::vec3> position_deltas;
    Array<glm::vec3> normal_deltas;
    Array<glm::vec3> tangent_deltas;
};

// Vertex animation key frames (MD2, MD3): frame f is positions[f * vertex_count ...]. Channels with
// Path::vertex_frame select the frame; linear channels blend the frames of two neighboring keys.
struct VertexFrames {
    std::uint32_t count = 0;
    Array<glm::vec3> positions;
    Array<glm::vec3> normals;
};

// Streams of equal length, one entry per vertex; an absent attribute is an empty array. positions are always
// present. Without normals the mesh consists of triangles that are shaded flat (flat_meshes.hpp). tangents:
// xyz, and the sign of the bitangent in w.
struct Mesh {
    std::string name;
    Array<glm::vec3> positions;
    Array<glm::vec3> normals;
    Array<glm::vec4> tangents;
    Array<glm::vec2> uv0;
    Array<glm::vec2> uv1;
    // Sets 2 and up, for materials whose textures use three and more (uv_sets.hpp).
    std::vector<Array<glm::vec2>> more_uvs{};
    Array<glm::vec4> colors; // linear RGBA
    Influences influences;
    Array<std::uint32_t> indices;
    std::vector<Primitive> primitives;
    std::vector<MorphTarget> morph_targets;
    std::vector<float> morph_weights; // default, one per target
    VertexFrames frames;
    // Repeats the geometry of an earlier mesh with other materials or another skin, or is a level of detail
    // from another file; not counted.
    bool shares_geometry = false;
};

// How a skin blends its joint matrices M_i = model(joint_i) * inverse_bind_i. Formulas are in skinning.hpp.
//   linear           sum w_i * M_i
//   dual_quaternion  rotations and translations as dual quaternions, which preserves the volume of twisted
//                    and bent limbs; the non-rigid part of M_i (scale, shear) is blended linearly before it
//   blended          interpolates between both by Influences::dual_quaternion_weights
// Influences with individual positions support linear blending only.
enum class SkinningMethod : std::uint8_t { linear, dual_quaternion, blended };

// Joints alone place a skinned mesh: v' = sum w_i * M_i * v (linear), in model space of the scene; the
// transform of the node that draws the mesh is ignored (as in glTF 2.0, 3.7.3.3).
struct Skin {
    std::string name;
    std::vector<std::uint32_t> joints;   // nodes
    std::vector<glm::mat4> inverse_bind; // one per joint
    SkinningMethod method = SkinningMethod::linear;
};

enum class Path : std::uint8_t { translation, rotation, scale, weights, vertex_frame };
enum class Interpolation : std::uint8_t { step, linear, cubic };

// Value of a channel before its first or after its last key.
//   hold           the value of that key
//   repeat         the keys repeated with the period last - first
//   repeat_offset  repeated, each time offset by the difference between the last and the first value (for
//                  rotations: rotated, in the parent's space)
//   mirror         alternating forward and backward
//   slope          linear, or with constant angular velocity, continuing the curve: by the tangent on the
//                  side of the keys if cubic, by the last segment if linear, constant if step
enum class ExtrapolationMode : std::uint8_t { hold, repeat, repeat_offset, mirror, slope };

struct Extrapolation {
    ExtrapolationMode mode = ExtrapolationMode::hold;
    std::uint32_t repeats = none; // number of repetitions before the last value holds; none: unlimited
};

// Keys of one property of one node. `values` holds components(path) floats per key (3, 4 as x y z w, 3, one
// per morph target, 1); cubic keys hold three such groups: in-tangent, value, out-tangent, with tangents per
// second. Linear rotations are interpolated by slerp along the shortest arc; cubic rotations are normalized.
// The value of a vertex_frame key is a frame number, rounded and clamped to the mesh's frames; two adjacent
// keys blend their two frames, so that the last key may blend into the first frame.
// If two channels of a clip animate the same property, the later one is used. times ascend strictly and may
// be outside the clip.
struct Channel {
    std::uint32_t node = none;
    Path path = Path::translation;
    Interpolation interpolation = Interpolation::linear;
    Array<float> times;
    Array<float> values;
    Extrapolation before{};
    Extrapolation after{};
    // Holds a part of the model that the clip does not animate in a frame that suits it (the legs of a clip
    // of the torso). A layer over another clip leaves it out (layers/animation_layers.hpp).
    bool is_placeholder = false;
};

// The model's bounding box in one frame, in scene space, as declared by the file. Not used in computations.
struct DeclaredBox {
    glm::vec3 min{0.0f};
    glm::vec3 max{0.0f};
};

// An interval [0, duration] of curves that may extend beyond it.
struct Clip {
    std::string name;
    double start_time = 0.0; // on the file's timeline
    double duration = 0.0;
    double frame_rate = 0.0;  // 0: unknown
    std::uint32_t frames = 0; // as counted by the file or estimated by the loader; 0: unknown
    std::vector<Channel> channels;
    std::vector<DeclaredBox> declared_boxes{}; // one per frame, or empty (all formats except MD5)
};

// A feature of the file that is shown differently from its specification. Codes are stable; `where` is a
// place in the file.
struct Warning {
    std::string code;
    std::string message;
    std::string where;
};

// Conversion from the file's space to scene space: p_scene = unit_meters * axes * p_file. `axes` is a signed
// permutation; a negative determinant mirrors.
struct FileSpace {
    glm::mat3 axes{1.0f};
    double unit_meters = 1.0;
    glm::vec3 front{0.0f, 0.0f, 1.0f}; // direction that models of this format face, scene space
};

struct Scene {
    std::string format;    // "obj", "md5", "gltf", "glb", ...
    std::string generator; // the program that wrote the file, if declared
    FileSpace file_space;
    // as stored in the file, before vertices are split; shared meshes count once
    std::uint64_t source_vertices = 0;
    std::uint64_t source_polygons = 0; // before triangulation
    std::vector<Node> nodes;
    std::vector<Mesh> meshes;
    std::vector<Skin> skins;
    std::vector<Clip> clips;
    std::vector<Material> materials;
    // Names of alternative sets of materials (KHR_materials_variants; skins of MD2 and MD3); see
    // loaders/scene/variants.hpp.
    std::vector<std::string> variants{};
    std::vector<Image> images;
    std::optional<VrmFacts> vrm{}; // of VRM and VRMA files
    Attribution attribution{};
    std::vector<Warning> warnings;
};

} // namespace vitrine::scene
