#pragma once
// The common model that every loader produces and every other module reads.
//
// Space:     right-handed, Y up, metres; counter-clockwise front faces; UV origin top left.
// Matrices:  glm column vectors (p' = M * p); quaternions are unit length.
// Times:     seconds. Key times count from the start of their clip; Clip::start_time places the clip on the
//            file's own time line.
// Indices:   32 bit, `none` where absent. A node's parent stands before it, so that one forward loop takes
//            local transforms to model space.
// Ownership: a Scene is a plain value. Once validate() has accepted it, it is shared as a pointer to const
// and
//            never written again, from any thread.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

namespace vitrine::scene {

inline constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

// Translation, then rotation, then scale, as applied to a column vector: T * R * S.
struct Trs {
    glm::vec3 translation{0.0f};
    glm::quat rotation{1.0f, 0.0f, 0.0f, 0.0f};
    glm::vec3 scale{1.0f};
};

struct Node {
    std::string name;
    std::uint32_t parent = none;
    Trs local; // rest transform, relative to the parent
    // Instead of `local` where T * R * S cannot say it (skew); never animated.
    std::optional<glm::mat4> matrix;
    std::uint32_t mesh = none;
    std::uint32_t skin = none;        // only beside a mesh
    std::vector<float> morph_weights; // one per morph target of the mesh; empty: the mesh's own weights
    bool visible = true;              // false: evaluated (it may be a joint) but not drawn
    glm::vec4 color{1.0f};            // linear RGBA; multiplies the colors of the mesh
    // A helper that a loader added: the node of the file that it is a part of. none: a node of the file.
    // Users see nodes of the file alone (file_nodes.hpp).
    std::uint32_t helper_of = none;
};

enum class Topology : std::uint8_t { triangles, lines, points };

// The material that one of Scene::variants draws a primitive with.
struct VariantMaterial {
    std::uint32_t variant = 0;
    std::uint32_t material = 0;

    bool operator==(const VariantMaterial&) const = default;
};

// A run of Mesh::indices drawn with one material. `first` and `count` count indices; whole triangles or
// lines.
struct Primitive {
    Topology topology = Topology::triangles;
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    std::uint32_t material = none; // without a variant, and of variants that `variants` does not list
    // Of lines and points: the file gives their vertices normals, by which they are lit. Triangles always
    // are.
    bool has_normals = false;
    std::vector<VariantMaterial> variants{}; // by ascending variant, each at most once
};

// Skin weights, compressed by vertex: vertex v has the influences first[v] .. first[v + 1].
// Any number each; a vertex with none follows the node that draws it. Weights are used as they are: a loader
// normalises them where its format says so.
struct Influences {
    std::vector<std::uint32_t> first;  // vertices + 1 entries, or empty: no skin weights
    std::vector<std::uint16_t> joints; // index into Skin::joints
    std::vector<float> weights;
    // Bind-pose position of the vertex as this influence sees it, model space. Empty in all formats but MD5,
    // whose weights carry a position each that need not agree; then: v' = sum w * M * inverse_bind *
    // position.
    std::vector<glm::vec3> positions;
    // By vertex, 0 .. 1: the share of dual quaternions under a skin whose method is `blended`. Empty: 0.
    std::vector<float> dual_quaternion_weights{};
};

// Sparse deltas: vertex vertices[i] moves by weight * position_deltas[i]. normal_deltas and tangent_deltas
// are empty or as long as `vertices`. Applied before the skin.
struct MorphTarget {
    std::string name;
    std::vector<std::uint32_t> vertices;
    std::vector<glm::vec3> position_deltas;
    std::vector<glm::vec3> normal_deltas;
    std::vector<glm::vec3> tangent_deltas;
};

// Whole-mesh key frames (MD2, MD3): frame f holds positions[f * vertex_count ...]. Channels with
// Path::vertex_frame say which frame shows; linear ones blend the frames of two neighbouring keys.
struct VertexFrames {
    std::uint32_t count = 0;
    std::vector<glm::vec3> positions;
    std::vector<glm::vec3> normals;
};

// Streams of equal length, one entry a vertex; an absent attribute is an empty vector. positions and normals
// are always there (a loader computes missing normals). tangents: xyz and the bitangent's sign in w.
struct Mesh {
    std::string name;
    std::vector<glm::vec3> positions;
    std::vector<glm::vec3> normals;
    std::vector<glm::vec4> tangents;
    std::vector<glm::vec2> uv0;
    std::vector<glm::vec2> uv1;
    std::vector<glm::vec4> colors; // linear RGBA
    Influences influences;
    std::vector<std::uint32_t> indices;
    std::vector<Primitive> primitives;
    std::vector<MorphTarget> morph_targets;
    std::vector<float> morph_weights; // default, one per target
    VertexFrames frames;
    // The geometry of an earlier mesh, with other materials or another skin: counted there.
    bool shares_geometry = false;
};

// How a skin mixes its joints' matrices M_i = model(joint_i) * inverse_bind_i. skinning.hpp has the formulas.
//   linear           sum w_i * M_i
//   dual_quaternion  the rotations and translations as dual quaternions, which keeps the volume of twisted
//                    and bent limbs; what is not rigid in M_i (scale, skew) is mixed linearly before it
//   blended          linear to dual quaternion by Influences::dual_quaternion_weights
// Influences with positions of their own can only be mixed linearly.
enum class SkinningMethod : std::uint8_t { linear, dual_quaternion, blended };

// A mesh with a skin is placed by its joints alone: v' = mix(w_i, model(joint_i) * inverse_bind_i) * v, model
// space of the scene; the transform of the node that draws it does not count (as in glTF 2.0, 3.7.3.3).
struct Skin {
    std::string name;
    std::vector<std::uint32_t> joints;   // nodes
    std::vector<glm::mat4> inverse_bind; // one per joint
    SkinningMethod method = SkinningMethod::linear;
};

enum class Path : std::uint8_t { translation, rotation, scale, weights, vertex_frame };
enum class Interpolation : std::uint8_t { step, linear, cubic };

// What a channel is before its first or after its last key.
//   hold           the value of that key
//   repeat         all keys over and over, a period being last - first
//   repeat_offset  the same, each time moved on by the way from the first to the last value (for rotations:
//                  turned on, in the parent's space)
//   mirror         to and fro
//   slope          on in a straight line, or at a constant angular velocity, as the curve arrives there: by
//                  the tangent on the side of the keys if cubic, by the last segment if linear, held if step
enum class ExtrapolationMode : std::uint8_t { hold, repeat, repeat_offset, mirror, slope };

struct Extrapolation {
    ExtrapolationMode mode = ExtrapolationMode::hold;
    std::uint32_t repeats = none; // so often, then its last value holds; none: without end
};

// Keys of one property of one node. `values` holds, per key, components(path) floats (3, 4 as x y z w, 3, one
// per morph target, 1); cubic keys hold three such groups: in-tangent, value, out-tangent, tangents per
// second. Rotations are interpolated by slerp along the shortest arc when linear, normalised when cubic.
// The value of a vertex_frame key is a frame number, rounded and clamped to the mesh's frames; keys blend two
// frames, so that a last key may run into the first frame.
// Where two channels of a clip name the same property the later one wins.
// times ascend strictly and may lie outside the clip.
struct Channel {
    std::uint32_t node = none;
    Path path = Path::translation;
    Interpolation interpolation = Interpolation::linear;
    std::vector<float> times;
    std::vector<float> values;
    Extrapolation before{};
    Extrapolation after{};
};

// The model's box in one frame, in scene space, as a file states it: a claim, nothing computes with it.
struct DeclaredBox {
    glm::vec3 min{0.0f};
    glm::vec3 max{0.0f};
};

// A window [0, duration] on curves that may go on outside it.
struct Clip {
    std::string name;
    double start_time = 0.0; // on the file's time line
    double duration = 0.0;
    double frame_rate = 0.0;  // 0: not known
    std::uint32_t frames = 0; // as the file counts them, or as its loader says it guesses; 0: not known
    std::vector<Channel> channels;
    std::vector<DeclaredBox> declared_boxes{}; // one for each of `frames`, or empty (all formats but MD5)
};

enum class Wrap : std::uint8_t { repeat, clamp, mirror };

// An image as a material uses it. UV' = offset + rotate(rotation) * (scale * UV), as KHR_texture_transform
// defines.
struct Texture {
    std::uint32_t image = none;
    std::uint8_t uv_set = 0;
    Wrap wrap_s = Wrap::repeat;
    Wrap wrap_t = Wrap::repeat;
    bool nearest = false;
    glm::vec2 offset{0.0f};
    glm::vec2 scale{1.0f};
    float rotation = 0.0f; // radians, counter-clockwise

    bool operator==(const Texture&) const = default;
};

enum class AlphaMode : std::uint8_t { opaque, mask, blend };

// What lies over a surface, or shines through it, as glTF's extensions KHR_materials_ior, specular,
// clearcoat, sheen, transmission and volume define; colors are linear. Most materials have none of it.
struct MaterialExtensions {
    float ior = 1.5f; // 0: as infinity, so that the specular color is what a head-on look sees
    float specular = 1.0f;
    Texture specular_texture; // linear: A
    glm::vec3 specular_color{1.0f};
    Texture specular_color_texture; // sRGB
    float clearcoat = 0.0f;
    Texture clearcoat_texture; // linear: R
    float clearcoat_roughness = 0.0f;
    Texture clearcoat_roughness_texture; // linear: G
    glm::vec3 sheen{0.0f};
    Texture sheen_texture; // sRGB
    float sheen_roughness = 0.0f;
    Texture sheen_roughness_texture; // linear: A
    float transmission = 0.0f;
    Texture transmission_texture;      // linear: R
    float thickness = 0.0f;            // of the volume below the surface, in the mesh's units; 0: a thin wall
    float attenuation_distance = 0.0f; // metres until white light has the color; 0: it never has
    glm::vec3 attenuation_color{1.0f};

    bool operator==(const MaterialExtensions&) const = default;
};

// Metallic-roughness as in glTF 2.0; colors are linear. Older models are converted by the loader.
struct Material {
    std::string name;
    glm::vec4 base_color{1.0f};
    Texture base_color_texture; // sRGB
    float metallic = 0.0f;
    float roughness = 1.0f;
    Texture metallic_roughness_texture; // linear: G roughness, B metallic
    Texture normal_texture;             // linear, tangent space, Y up
    float normal_scale = 1.0f;
    Texture occlusion_texture; // linear: R
    float occlusion_strength = 1.0f;
    glm::vec3 emissive{0.0f}; // may exceed 1
    Texture emissive_texture; // sRGB
    AlphaMode alpha_mode = AlphaMode::opaque;
    float alpha_cutoff = 0.5f;
    bool double_sided = false;
    bool unlit = false;
    MaterialExtensions extensions{};
};

// Decoded in the loader process: RGBA, 8 bits each, rows top first, no padding, straight alpha, as stored (no
// color conversion). No pixels: the image could not be had, a warning says why, and the color alone is
// used.
struct Image {
    std::string name; // of the file, or of the embedded image
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::vector<std::uint8_t> pixels;
};

// What is understood but not shown as the file means it. Codes are stable; where is a place in the file.
struct Warning {
    std::string code;
    std::string message;
    std::string where;
};

// How the file's own space became the scene's: p_scene = unit_metres * axes * p_file. `axes` is a signed
// permutation; a negative determinant mirrors.
struct FileSpace {
    glm::mat3 axes{1.0f};
    double unit_metres = 1.0;
    glm::vec3 front{0.0f, 0.0f, 1.0f}; // where the format's models look, scene space
};

struct Scene {
    std::string format;    // "obj", "md5", "gltf", "glb", ...
    std::string generator; // the program that wrote the file, where it says so
    FileSpace file_space;
    std::uint64_t source_vertices = 0; // as stored in the file, before vertices are split, distinct meshes
    std::uint64_t source_polygons = 0; // before triangulation
    std::vector<Node> nodes;
    std::vector<Mesh> meshes;
    std::vector<Skin> skins;
    std::vector<Clip> clips;
    std::vector<Material> materials;
    // Names of the alternative sets of materials (KHR_materials_variants); loaders/scene/variants.hpp.
    std::vector<std::string> variants{};
    std::vector<Image> images;
    std::vector<Warning> warnings;
};

} // namespace vitrine::scene
