// Structures written by C++ and read by GLSL, declared once. std430 and std140 agree with C++ because every
// vec3 is followed by one 32-bit member, every vec4 and mat4 has an offset that is a multiple of 16, and
// structs of uniform blocks contain only vec4 and mat4.
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

// In bind pose, node or model space. normal: octahedral, two 16-bit snorm values.
struct BindVertex {
    vec3 position;
    uint normal;
};

// Surface attributes besides position and normal. color: four 16-bit floats, linear.
struct VertexAttributes {
    vec2 uv0;
    vec2 uv1;
    uvec2 color;
};

// Four influences; unused ones have weight 0. joints are indices into the frame's whole palette.
struct InfluenceBlock {
    uvec4 joints;
    vec4 weights;
};

// One target's delta of one vertex. weight: index among the instance's morph weights.
struct MorphDelta {
    vec3 position;
    uint weight;
    vec3 normal;
    uint padding;
};

// A vertex of the skinN path: ranges in the arrays of blocks and deltas.
struct SkinNVertex {
    uint instance;
    uint first_block;
    uint block_count;
    uint first_delta;
    uint delta_count;
    float dqs_weight; // fraction of dual quaternion blending, 0 (linear) .. 1
    uint padding0, padding1;
};

// Data shared by the vertices of one instance on the skinN path. Indices into a pose's values are
// absolute.
struct SkinNInstance {
    uint first_weight;  // value: weight of morph target 0
    uint frame_value;   // values: the members of scene::FrameBlend
    uint frame_count;   // 0: no vertex frames
    uint first_frame;   // frame vertex of frame 0, vertex 0
    uint frame_stride; // vertices per frame
    uint first_vertex;  // of the instance
    uint first_block;   // of the instance
    uint positions; // first of its influence positions (four per block), or 0xFFFFFFFF
};

struct SkinPushConstants {
    uint first_vertex;  // of this kind
    uint vertex_count;  // of this kind
    uint vertex_total; // per pose in the output
    uint pose_count;
    uint poses_per_invocation;
    uint palette_count; // entries per pose
    uint value_count; // values per pose
    uint first_input; // of this kind in the joint and weight arrays or in the skinN vertices
    uint first_output; // vertex at the start of the bound part of the output
};

struct BoundsPushConstants {
    uint vertex_total;
    uint has_unused; // the mask contains the vertices in use
};

struct UvTransform {
    vec4 u; // u' = u.x * s + u.y * t + u.z; w: UV set
    vec4 v;
};

// Order of the textures of scene::MaterialExtensions in their bindings and here.
const uint extension_texture_count = 7u;
struct MaterialExtensionParams {
    vec4 specular; // reflectance of a dielectric at normal incidence; w: specular weight
    vec4 sheen; // w: sheen roughness
    vec4 coat; // coat weight, coat roughness, transmission
    vec4 absorption; // absorption of the volume per meter; w: thickness in the mesh's units
    UvTransform uv[extension_texture_count];
};

struct MaterialParams {
    vec4 base_color;
    vec4 emissive; // w: alpha cutoff
    vec4 metallic_roughness; // metallic, roughness, normal scale, occlusion strength
    UvTransform base_uv;
    UvTransform surface_uv;
    UvTransform normal_uv;
    UvTransform occlusion_uv;
    UvTransform emissive_uv;
    MaterialExtensionParams extensions;
    vec4 padding[1]; // pads to a multiple of every device's uniform offset alignment
};

// The studio's lights: yaw relative to the camera and pitch, in degrees, and strength.
const vec2 key_angles = vec2(-42.0, 50.0);
const vec2 fill_angles = vec2(62.0, 18.0);
const vec2 rim_angles = vec2(158.0, 38.0);
const float key_strength = 0.66f;
const float fill_strength = 0.18f;
const float rim_strength = 0.20f;

// Side of the shadow map in texels; low, because the map is blurred.
const uint shadow_map_size = 128u;

// One image's camera and lighting. Positions are relative to `center`, for precision far from the origin;
// directions are unit vectors in scene space.
struct ImageParams {
    mat4 clip_from_centered; // w: view depth / the power of two below the radius; orthographic: 1
    vec4 center;      // w: radius of the framing sphere
    vec4 eye;         // w: 1 perspective, 0 orthographic
    vec4 center_ray; // view direction through the center; w: samples per pixel along an axis
    // Change of the ray (perspective) or its origin (orthographic) per unit of clip x; w: width of points in
    // pixels, 0 without points.
    vec4 ray_x;
    vec4 ray_y; // the same for y
    vec4 camera_yaw_pitch; // cosine and sine of the camera's yaw, and of its pitch if it looks up from below
    vec4 key_light_dir;         // toward the key light
    vec4 ground;      // height, shadow strength, 1 / fade distance, 1 when there is a ground
    vec4 shadow_map; // xz of the shadow map's center, 1 / its width, 1 / its height range
    vec4 background;  // linear, premultiplied
    vec4 backdrop;    // 1: draw the studio backdrop instead of `background`
    vec4 viewport;    // width and height in samples, and their inverses
};

// Of ImageParams::ground and ImageParams::backdrop.
#ifdef __cplusplus
inline
#endif
bool has_ground(vec4 ground)
{
    return ground.w > 0.5f;
}
#ifdef __cplusplus
inline
#endif
bool has_backdrop(vec4 backdrop)
{
    return backdrop.x > 0.5f;
}

// A line, or a dot if both ends are equal. width in pixels to each side. color: RGBA, 8 bits each, linear, R
// in the lowest byte.
struct LineSegment {
    vec3 from;
    uint color;
    vec3 to;
    float width;
};

struct DrawPushConstants {
    uint first_vertex; // overlays: the frame's first vertex, segment or box
    float normal_length;
    uint first_index; // tangents, normals of flat meshes: of the draw
    uint first_attribute;
    float mesh_scale; // materials with extensions: scene meters per mesh unit
    uint decimation_shift; // normals, tangents: one of 2 ^ decimation_shift neighbors is drawn
    // Normals, tangents: 1 if the corners of front faces are counter-clockwise, -1 if they are clockwise; 0: not
    // flat, the vertices have normals.
    float winding;
    uint more_uv_sets; // materials of more than two UV sets: how many more the vertices have
    vec4 ghost; // ghosts: linear color and opacity
};

struct ResolvePushConstants {
    vec2 clip_per_pixel; // 2 / image size
    vec2 sample_scale; // samples per pixel; BackgroundPass: pixels per sample
    uint box; // index of the frame box that contains everything drawn
    uint first_row; // resolve.comp: of the dispatch
    uvec2 size; // resolve.comp: width and rows of the dispatch, pixels
};

// Something may be drawn outside the model's box.
const uint no_box = 0xFFFFFFFFu;

// A run of shadow casters. first_vertex: of the frame and the run in the skinned vertices.
struct CastPushConstants {
    uint first_index; // translucent casters: index of the first
    uint count;   // triangles, lines, points or vertices
    uint corners; // per element of an index buffer: 3, 2 or 1; without indices: from one vertex to the next
    uint first_vertex;
    uint size; // side of the map in texels
    // For casters of which only front-facing triangles cast: 1 if counter-clockwise triangles are
    // front-facing, -1 if clockwise ones are; 0: all cast.
    float front;
    uint vertex_total; // from one instance to the next, which the workgroups along y cast
    uint stride; // from one element to the next that casts; not for vertices, which `corners` is for
};

// A triangle that blocks part of the light: its vertices in a frame (all equal: a point), and the first word
// of its mask, four texels per word.
struct TranslucentCaster {
    uvec4 corners;
    vec4 uv01; // of the first two corners
    vec2 uv2;
    uint wraps; // of s and t, two bits each: 0 repeat, 1 clamp, 2 mirror
    float opacity;
};

// Side of a mask in texels. The shadow map is twice as wide, and a model's shadow fills at most half of it.
const uint opacity_mask_size = 64;

// The value of height map texels without a caster.
const uint no_caster = 0xFFFFFFFFu;

struct BlurPushConstants {
    uint size; // side of the map in texels, a multiple of 16
};

#ifdef __cplusplus
static_assert(sizeof(BindVertex) == 16);
static_assert(sizeof(VertexAttributes) == 24);
static_assert(sizeof(InfluenceBlock) == 32);
static_assert(sizeof(MorphDelta) == 32);
static_assert(sizeof(SkinNVertex) == 32);
static_assert(sizeof(SkinNInstance) == 32);
static_assert(sizeof(MaterialParams) == 512);
static_assert(sizeof(ImageParams) == 64 + 12 * 16);
static_assert(sizeof(LineSegment) == 32);
static_assert(sizeof(DrawPushConstants) == 48);
static_assert(sizeof(TranslucentCaster) == 48);
} // namespace vitrine::render::shared
#endif
#endif
