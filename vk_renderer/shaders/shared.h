// Structures that C++ writes and GLSL reads, declared once. std430 and std140 agree with C++ because every
// vec3 is followed by one 32-bit member, every vec4 and mat4 stands at a multiple of 16, and every struct of a
// uniform block holds only vec4 and mat4.
#ifndef VITRINE_SHADERS_SHARED_H
#define VITRINE_SHADERS_SHARED_H

#ifdef __cplusplus
#include <cstdint>

#include <glm/glm.hpp>

namespace vitrine::render::shared {
using uint = std::uint32_t;
using glm::mat4;
using glm::uvec2;
using glm::uvec4;
using glm::vec2;
using glm::vec3;
using glm::vec4;
#endif

// Bind pose, node or model space. normal: octahedral, two 16-bit snorm.
struct BindVertex {
    vec3 position;
    uint normal;
};

// What the surface needs beside position and normal. color: four 16-bit floats, linear.
struct VertexAttributes {
    vec2 uv0;
    vec2 uv1;
    uvec2 color;
};

// Four influences; unused ones have weight 0. joints index the frame's whole palette.
struct InfluenceBlock {
    uvec4 joints;
    vec4 weights;
};

// One target's delta of one vertex. weight: which of the instance's morph weights.
struct MorphDelta {
    vec3 position;
    uint weight;
    vec3 normal;
    uint padding;
};

// A vertex of the general path: runs in the arrays of blocks and deltas.
struct SkinNVertex {
    uint instance;
    uint first_block;
    uint block_count;
    uint first_delta;
    uint delta_count;
    float dqs_weight; // of dual quaternions, 0 linear .. 1
    uint padding0, padding1;
};

// What the vertices of one instance on the general path share. Indices into a frame's values are absolute.
struct SkinNInstance {
    uint first_weight;  // value: weight of morph target 0
    uint frame_value;   // values: from, to and fraction of the vertex frames
    uint frame_count;   // 0: no vertex frames
    uint first_frame;   // frame vertex of frame 0, vertex 0
    uint frame_stride;  // vertices of a frame
    uint first_vertex;  // of the instance
    uint first_block;   // of the instance
    uint positions;     // first of its influence positions (four a block), or 0xFFFFFFFF
};

struct SkinPushConstants {
    uint first_vertex;  // of this kind
    uint vertex_count;  // of this kind
    uint vertex_total;  // of a frame in the output
    uint frame_count;
    uint frames_per_invocation;
    uint palette_count; // entries of a frame
    uint value_count;   // values of a frame
    uint first_input;   // of this kind in the arrays of joints and weights or of general vertices
};

struct BoundsPushConstants {
    uint vertex_total;
    uint has_unused; // the mask says which vertices count
};

struct UvTransform {
    vec4 u; // u' = u.x * s + u.y * t + u.z; w: UV set
    vec4 v;
};

// The order of the textures of scene::Layers in their bindings and here.
const uint layer_count = 7u;
struct LayerParams {
    vec4 specular;      // reflectance of a dielectric head-on; w: specular
    vec4 sheen;         // w: its roughness
    vec4 coat;          // how much of it, its roughness, transmission
    vec4 absorption;    // by the volume, of a metre; w: its thickness, in the mesh's units
    UvTransform uv[layer_count];
};

struct MaterialParams {
    vec4 base_color;
    vec4 emissive; // w: alpha cutoff
    vec4 surface;  // metallic, roughness, normal scale, occlusion strength
    UvTransform base_uv;
    UvTransform surface_uv;
    UvTransform normal_uv;
    UvTransform occlusion_uv;
    UvTransform emissive_uv;
    LayerParams layers;
    vec4 padding[1]; // to a multiple of every device's uniform offset alignment
};

// The studio's lights: degrees of yaw from the camera's and of pitch, and how strong each is.
const vec2 key_angles = vec2(-42.0, 50.0);
const vec2 fill_angles = vec2(62.0, 18.0);
const vec2 rim_angles = vec2(158.0, 38.0);
const float key_strength = 0.66f;
const float fill_strength = 0.18f;
const float rim_strength = 0.20f;

// Texels of the shadow map along a side: it is blurred anyway.
const uint shadow_map_size = 128u;

// One frame's camera and light. Positions are relative to `centre`, so that models far from the origin stay
// sharp; directions are unit length in scene space.
struct FrameParams {
    mat4 clip_from_centred;
    vec4 centre;      // w: radius of the framing sphere
    vec4 eye;         // w: 1 perspective, 0 orthographic
    vec4 ray;         // view direction through the middle; w: samples per pixel along an axis
    // What one unit of clip x adds to the ray (perspective) or to its origin (orthographic); w: the width of points in
    // pixels, 0 where there are none.
    vec4 ray_x;
    vec4 ray_y;       // the same of y
    vec4 turn;        // cosine and sine of the camera's yaw, and of how far it looks up from below
    vec4 key;         // toward the key light
    vec4 ground;      // height, shadow strength, 1 / fade distance, 1 when there is a ground
    vec4 shadow;      // xz of the shadow map's centre, 1 / its width, 1 / the height it covers
    vec4 background;  // linear, premultiplied
    vec4 backdrop;    // 1: draw the studio backdrop instead of `background`
    vec4 viewport;    // width and height in samples, and their inverses
};

// A line, or a dot when both ends are equal. width in pixels to each side. color: RGBA, 8 bits, linear, R lowest.
struct Segment {
    vec3 from;
    uint color;
    vec3 to;
    float width;
};

struct DrawPushConstants {
    uint first_vertex; // overlays: the frame's first vertex, segment or box
    float normal_length;
    uint first_index; // tangents: of the draw
    uint first_attribute;
    float mesh_scale; // layered: metres of the scene in one of the mesh
    uint decimation_shift;    // normals, tangents: of 2 ^ decimation_shift neighbours one is shown
};

struct ResolvePushConstants {
    vec2 clip_per_pixel; // 2 / the picture's size
    vec2 texel;          // a pixel's samples, as a share of their image
    uint box;            // that holds all that is drawn, of the frames' boxes
};

// Something may be drawn outside of the model's box.
const uint no_box = 0xFFFFFFFFu;

// A run of what casts a shadow. first_vertex: of the frame and the run in the skinned vertices.
struct CastPushConstants {
    uint first_index; // thin casters: the first of them
    uint count;   // triangles, lines, points or vertices
    uint corners; // 3, 2 or 1 of an index buffer
    uint first_vertex;
    uint size; // texels of the map along a side
    // Where triangles that turn their backs to the eye cast nothing: 1 where counter-clockwise ones show their fronts, -1
    // where clockwise ones do; 0: all cast.
    float front;
};

// A triangle that stops a part of the light: its vertices in a frame (all one: a point), and the first word of its
// mask, four texels a word.
struct TranslucentCaster {
    uvec4 corners;
    vec4 uv01; // of the first two corners
    vec2 uv2;
    uint wraps; // of s and t, two bits each: 0 repeat, 1 clamp, 2 mirror
    float opacity;
};

// Texels of a mask along a side. The map is twice as wide, and a model's shadow fills half of it.
const uint opacity_mask_size = 64;

// The texel of the map of heights onto which nothing was thrown.
const uint no_caster = 0xFFFFFFFFu;

struct BlurPushConstants {
    uint size; // of the map, a multiple of 8 * blur_texels_per_invocation
};

// Texels that an invocation of the blur makes, one after the other along it.
const uint blur_texels_per_invocation = 2u;

#ifdef __cplusplus
static_assert(sizeof(BindVertex) == 16);
static_assert(sizeof(VertexAttributes) == 24);
static_assert(sizeof(InfluenceBlock) == 32);
static_assert(sizeof(MorphDelta) == 32);
static_assert(sizeof(SkinNVertex) == 32);
static_assert(sizeof(SkinNInstance) == 32);
static_assert(sizeof(MaterialParams) == 512);
static_assert(sizeof(FrameParams) == 64 + 12 * 16);
static_assert(sizeof(Segment) == 32);
static_assert(sizeof(TranslucentCaster) == 48);
} // namespace vitrine::render::shared
#endif
#endif
