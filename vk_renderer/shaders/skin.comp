#version 460
#extension GL_GOOGLE_include_directive : require
// Every (frame, vertex) of a batch, one kind of vertex a dispatch. Built once per kind:
//   KIND 0 rigid    one joint of weight 1
//   KIND 1 four     up to four influences
//   KIND 2 general  any number of influences, with or without own positions; morph targets; vertex frames
//   KIND 3 dual     as general, but by dual quaternions (loaders/scene/dual_quaternion.hpp) in part or wholly;
//                   no own positions
// TEXELS: the palette is read through a texel view (see DeviceTraits::read_through_texels).
#include "shared.h"
#include "octahedral.glsl"

layout(local_size_x = 64) in;

layout(binding = 0, std430) readonly buffer Vertices { BindVertex bind_vertices[]; };
#ifdef TEXELS
layout(binding = 1) uniform samplerBuffer palette;
vec4 palette_row(uint entry, int row) { return texelFetch(palette, int(entry) * 3 + row); }
#else
layout(binding = 1, std430) readonly buffer Palette { vec4 palette[]; };
vec4 palette_row(uint entry, int row) { return palette[entry * 3 + row]; }
#endif
layout(binding = 2, std430) writeonly buffer Skinned { uvec4 skinned[]; };
#if KIND == 0
layout(binding = 3, std430) readonly buffer Joints { uint joint_of[]; };
#elif KIND == 1
layout(binding = 3, std430) readonly buffer Joints { uvec2 joints_of[]; };
layout(binding = 4, std430) readonly buffer Weights { vec4 weights_of[]; };
#else
layout(binding = 3, std430) readonly buffer GeneralVertices { GeneralVertex general_vertices[]; };
layout(binding = 4, std430) readonly buffer Blocks { InfluenceBlock blocks[]; };
layout(binding = 5, std430) readonly buffer Instances { GeneralInstance instances[]; };
layout(binding = 6, std430) readonly buffer Positions { vec4 influence_positions[]; };
layout(binding = 7, std430) readonly buffer Deltas { MorphDelta deltas[]; };
layout(binding = 8, std430) readonly buffer FrameVertices { BindVertex frame_vertices[]; };
layout(binding = 9, std430) readonly buffer Values { float values[]; };
#endif
layout(push_constant) uniform Constants { SkinPush push; };

// Rows of a 3x4 matrix.
struct Rows {
    vec4 x, y, z;
};

void add(inout Rows sum, uint entry, float weight)
{
    sum.x += weight * palette_row(entry, 0);
    sum.y += weight * palette_row(entry, 1);
    sum.z += weight * palette_row(entry, 2);
}

vec3 transform(Rows m, vec3 p) { return vec3(dot(m.x.xyz, p) + m.x.w, dot(m.y.xyz, p) + m.y.w, dot(m.z.xyz, p) + m.z.w); }

// By the inverse transpose: the cofactors, with the determinant's sign.
vec3 transform_normal(Rows m, vec3 n)
{
    vec3 cx = cross(m.y.xyz, m.z.xyz);
    vec3 cy = cross(m.z.xyz, m.x.xyz);
    vec3 cz = cross(m.x.xyz, m.y.xyz);
    vec3 r = vec3(dot(cx, n), dot(cy, n), dot(cz, n));
    return dot(m.x.xyz, cx) < 0.0 ? -r : r;
}

void store(uint frame, uint vertex, vec3 position, vec3 normal)
{
    // Scaled first: the cofactors of a tiny or huge matrix leave the range of a float's square.
    float largest = max(max(abs(normal.x), abs(normal.y)), abs(normal.z));
    normal = largest > 0.0 ? normal / largest : normal;
    skinned[frame * push.vertex_total + vertex] =
        uvec4(floatBitsToUint(position.x), floatBitsToUint(position.y), floatBitsToUint(position.z), encode_octahedral(normal));
}

#if KIND == 3
// Shares of sum |w| below which weights and rotations say no direction.
const float least_weight_share = 0.1;
const float least_rotation_share = 1e-3;

vec4 rotation_of(uint value, uint joint)
{
    uint at = value + push.first_rotation + 4u * joint;
    return vec4(values[at], values[at + 1u], values[at + 2u], values[at + 3u]);
}

// Quaternions are x y z w.
vec4 product(vec4 a, vec4 b)
{
    return vec4(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}

mat3 matrix_of(vec4 q)
{
    vec3 q2 = q.xyz + q.xyz;
    vec3 x = q.x * q2;
    vec2 y = q.y * q2.yz;
    float z = q.z * q2.z;
    vec3 w = q.w * q2;
    return mat3(1.0 - (y.x + z), x.y + w.z, x.z - w.y,
                x.y - w.z, 1.0 - (x.x + z), y.y + w.x,
                x.z + w.y, y.y - w.x, 1.0 - (x.x + y.x));
}

// The rotation that all others of the vertex are brought to the side of: the heaviest influence's.
vec4 pivot_of(GeneralVertex general, uint value)
{
    float heaviest = -3.402823466e38;
    uint joint = 0u;
    for (uint b = 0; b < general.block_count; ++b) {
        InfluenceBlock block = blocks[general.first_block + b];
        for (int i = 0; i < 4; ++i) {
            if (block.weights[i] == 0.0 || block.weights[i] <= heaviest) continue;
            heaviest = block.weights[i];
            joint = block.joints[i];
        }
    }
    return rotation_of(value, joint);
}

// Moves the linear blend `m` by the vertex's share towards the blend of dual quaternions.
void blend_dual(GeneralVertex general, uint base, uint value, inout Rows m)
{
    vec4 pivot = pivot_of(general, value);
    vec4 real = vec4(0.0);
    vec4 dual = vec4(0.0);
    mat3 stretch = mat3(0.0);
    float sum = 0.0;
    float magnitude = 0.0;
    for (uint b = 0; b < general.block_count; ++b) {
        InfluenceBlock block = blocks[general.first_block + b];
        for (int i = 0; i < 4; ++i) {
            float weight = block.weights[i];
            if (weight == 0.0) continue;
            vec4 x = palette_row(base + block.joints[i], 0);
            vec4 y = palette_row(base + block.joints[i], 1);
            vec4 z = palette_row(base + block.joints[i], 2);
            vec4 q = rotation_of(value, block.joints[i]);
            stretch += weight * (transpose(matrix_of(q)) * transpose(mat3(x.xyz, y.xyz, z.xyz)));
            sum += weight;
            magnitude += abs(weight);
            if (dot(q, pivot) < 0.0) weight = -weight;
            real += weight * q;
            dual += weight * product(vec4(0.5 * vec3(x.w, y.w, z.w), 0.0), q);
        }
    }
    float size = length(real);
    if (!(size > least_rotation_share * magnitude) || !(abs(sum) > least_weight_share * magnitude)) return;
    vec4 q = real / size;
    mat3 linear = matrix_of(q) * (stretch / sum);
    vec3 translation = 2.0 / size * product(dual, vec4(-q.xyz, q.w)).xyz;
    mat3 rows = transpose(linear);
    m.x = mix(m.x, vec4(rows[0], translation.x), general.dual_share);
    m.y = mix(m.y, vec4(rows[1], translation.y), general.dual_share);
    m.z = mix(m.z, vec4(rows[2], translation.z), general.dual_share);
}
#endif

void main()
{
    uint local_vertex = gl_GlobalInvocationID.x;
    if (local_vertex >= push.vertex_count) return;
    uint vertex = push.first_vertex + local_vertex;
    uint first_frame = gl_GlobalInvocationID.y * push.frames_per_invocation;
    uint end_frame = min(first_frame + push.frames_per_invocation, push.frame_count);
    vec3 bind_position = bind_vertices[vertex].position;
    vec3 bind_normal = decode_octahedral(unpackSnorm2x16(bind_vertices[vertex].normal));
#if KIND == 0
    uint joint = joint_of[local_vertex];
#elif KIND == 1
    uvec2 packed_joints = joints_of[local_vertex];
    uvec4 joints = uvec4(packed_joints.x & 0xFFFFu, packed_joints.x >> 16, packed_joints.y & 0xFFFFu, packed_joints.y >> 16);
    vec4 weights = weights_of[local_vertex];
#else
    GeneralVertex general = general_vertices[push.first_general + local_vertex];
    GeneralInstance instance = instances[general.instance];
#endif
    for (uint frame = first_frame; frame < end_frame; ++frame) {
        uint base = frame * push.palette_count;
        Rows m = Rows(vec4(0.0), vec4(0.0), vec4(0.0));
#if KIND == 0
        m = Rows(palette_row(base + joint, 0), palette_row(base + joint, 1), palette_row(base + joint, 2));
        store(frame, vertex, transform(m, bind_position), transform_normal(m, bind_normal));
#elif KIND == 1
        add(m, base + joints.x, weights.x);
        add(m, base + joints.y, weights.y);
        add(m, base + joints.z, weights.z);
        add(m, base + joints.w, weights.w);
        store(frame, vertex, transform(m, bind_position), transform_normal(m, bind_normal));
#else
        uint value = frame * push.value_count;
        vec3 position = bind_position;
        vec3 normal = bind_normal;
        if (instance.frame_count > 0u) {
            float at = clamp(values[value + instance.frame_value], 0.0, float(instance.frame_count - 1u));
            uint f = min(uint(at), instance.frame_count - 1u);
            uint g = min(f + 1u, instance.frame_count - 1u);
            uint offset = instance.first_frame + vertex - instance.first_vertex;
            BindVertex a = frame_vertices[offset + f * instance.frame_stride];
            BindVertex b = frame_vertices[offset + g * instance.frame_stride];
            position = mix(a.position, b.position, at - float(f));
            normal = mix(decode_octahedral(unpackSnorm2x16(a.normal)), decode_octahedral(unpackSnorm2x16(b.normal)), at - float(f));
        }
        vec3 moved = vec3(0.0);
        for (uint i = 0; i < general.delta_count; ++i) {
            MorphDelta delta = deltas[general.first_delta + i];
            float weight = values[value + instance.first_weight + delta.weight];
            moved += weight * delta.position;
            normal += weight * delta.normal;
        }
        position += moved;
#if KIND == 2
        vec3 sum = vec3(0.0);
        for (uint b = 0; b < general.block_count; ++b) {
            InfluenceBlock block = blocks[general.first_block + b];
            for (int i = 0; i < 4; ++i) {
                if (block.weights[i] == 0.0) continue;
                Rows one = Rows(vec4(0.0), vec4(0.0), vec4(0.0));
                add(one, base + block.joints[i], block.weights[i]);
                m.x += one.x;
                m.y += one.y;
                m.z += one.z;
                if (instance.positions != 0xFFFFFFFFu) {
                    uint at = instance.positions + (general.first_block - instance.first_block + b) * 4u + uint(i);
                    sum += transform(one, influence_positions[at].xyz + moved);
                }
            }
        }
        store(frame, vertex, instance.positions != 0xFFFFFFFFu ? sum : transform(m, position), transform_normal(m, normal));
#else
        for (uint b = 0; b < general.block_count; ++b) {
            InfluenceBlock block = blocks[general.first_block + b];
            for (int i = 0; i < 4; ++i)
                add(m, base + block.joints[i], block.weights[i]);
        }
        if (general.dual_share > 0.0) blend_dual(general, base, value, m);
        store(frame, vertex, transform(m, position), transform_normal(m, normal));
#endif
#endif
    }
}
