#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : enable
// Skins every (pose, vertex) of a batch for one vertex kind per dispatch. Compiled once per kind:
//   KIND 0 skin1     one joint of weight 1
//   KIND 1 skin4     up to four influences
//   KIND 2 dqs4      up to four influences by dual quaternions (loaders/scene/motion/dual_quaternion.hpp);
//                    no negative weight
//   KIND 3 skinN     any number of influences, with or without their own positions; morph
//                    targets; vertex frames
//   KIND 4 dqsN      as skinN, but partly or entirely by dual quaternions; without own positions
// The loop over poses reads only palettes and values that change per pose, because lavapipe does not hoist
// loads.
#include "shared.h"
#include "octahedral.glsl"
#include "texels.glsl"

layout(local_size_x = 64) in;

layout(constant_id = 0) const bool MORPHS = true;
layout(constant_id = 1) const bool FRAMES = true;
layout(constant_id = 2) const bool POSITIONS = true; // influences with their own positions
layout(constant_id = 3) const bool NON_RIGID = true; // joints blended by dual quaternions are not rigid
layout(constant_id = 4) const bool TANGENTS = true;

TEXEL_ARRAY(0, bind_vertices);
TEXEL_ARRAY(1, palette);
#ifdef TEXELS
// lavapipe stores lane by lane: half as many stores of twice the size take two thirds of the time.
layout(binding = 2, std430) writeonly buffer Skinned { u64vec2 skinned[]; };
#else
layout(binding = 2, std430) writeonly buffer Skinned { uvec4 skinned[]; };
#endif
#if KIND <= 2
WORD_ARRAY(3, joints_of);
#endif
#if KIND == 1 || KIND == 2
TEXEL_ARRAY(4, weights_of);
#endif
#if KIND >= 3
TEXEL_ARRAY(3, skinN_vertices);  // two per element
TEXEL_ARRAY(4, blocks);            // two per element
TEXEL_ARRAY(5, instances);         // two per element
TEXEL_ARRAY(6, influence_positions);
TEXEL_ARRAY(7, deltas);            // two per element
TEXEL_ARRAY(8, frame_vertices);
WORD_ARRAY(9, values);
#endif
#if KIND == 2 || KIND == 4
TEXEL_ARRAY(10, dqs_palette); // five per entry: rotation, dual part, rows of the stretch
#endif
WORD_ARRAY(11, bind_tangents);
layout(binding = 12, std430) writeonly buffer Tangents { uint skinned_tangents[]; };
#if KIND >= 3
TEXEL_ARRAY(13, tangent_deltas); // one per entry of `deltas`
#endif
layout(push_constant) uniform Constants { SkinPushConstants push; };

// Rows of a 3x4 matrix.
struct Rows {
    vec4 x, y, z;
};

const Rows no_rows = Rows(vec4(0.0), vec4(0.0), vec4(0.0));

// first: texel of the entry
Rows rows_at(int first) { return Rows(FLOATS(palette, first), FLOATS(palette, first + 1), FLOATS(palette, first + 2)); }

void add(inout Rows sum, Rows m, float weight)
{
    sum.x += weight * m.x;
    sum.y += weight * m.y;
    sum.z += weight * m.z;
}

vec3 transform(Rows m, vec3 p) { return vec3(dot(m.x.xyz, p) + m.x.w, dot(m.y.xyz, p) + m.y.w, dot(m.z.xyz, p) + m.z.w); }

// Packs a vertex. The normal is transformed by the inverse transpose: the cofactors with the determinant's
// sign. No squares are computed, because the cofactors of a tiny or huge matrix are near the limits of the
// float range.
uvec4 vertex_of(vec3 position, Rows m, vec3 n)
{
    vec3 cx = cross(m.y.xyz, m.z.xyz);
    vec3 cy = cross(m.z.xyz, m.x.xyz);
    vec3 cz = cross(m.x.xyz, m.y.xyz);
    vec3 r = vec3(dot(cx, n), dot(cy, n), dot(cz, n));
    float size = abs(r.x) + abs(r.y) + abs(r.z);
    float scale = 1.0 / max(size, 1.2e-38);
    scale = dot(m.x.xyz, cx) < 0.0 ? -scale : scale;
    // The conditional also prevents lavapipe's compiler from packing lane by lane before the store.
    return uvec4(floatBitsToUint(position), size > 0.0 ? pack_octahedral(r * scale) : 0u);
}

// Packs a tangent. It is transformed by the matrix itself; if that mirrors, the bitangent's sign is flipped.
uint tangent_of(Rows m, vec4 t)
{
    vec3 r = vec3(dot(m.x.xyz, t.xyz), dot(m.y.xyz, t.xyz), dot(m.z.xyz, t.xyz));
    float size = abs(r.x) + abs(r.y) + abs(r.z);
    bool mirrors = dot(m.x.xyz, cross(m.y.xyz, m.z.xyz)) < 0.0;
    return pack_tangent(vec4(r / max(size, 1.2e-38), mirrors ? -t.w : t.w));
}

void store(uint at, uvec4 vertex)
{
#ifdef TEXELS
    skinned[at] = u64vec2(packUint2x32(vertex.xy), packUint2x32(vertex.zw));
#else
    skinned[at] = vertex;
#endif
}

#if KIND == 2 || KIND == 4
#include "dual_quaternion.glsl"
#endif

#if KIND >= 3
SkinNVertex skinN_at(uint i)
{
    uvec4 a = TEXEL(skinN_vertices, 2u * i);
    uvec4 b = TEXEL(skinN_vertices, 2u * i + 1u);
    return SkinNVertex(a.x, a.y, a.z, a.w, b.x, uintBitsToFloat(b.y), 0u, 0u);
}

SkinNInstance instance_at(uint i)
{
    uvec4 a = TEXEL(instances, 2u * i);
    uvec4 b = TEXEL(instances, 2u * i + 1u);
    return SkinNInstance(a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w);
}

float value_at(uint i) { return uintBitsToFloat(WORD(values, i)); }

vec3 normal_of(uvec4 vertex) { return decode_octahedral(unpackSnorm2x16(vertex.w)); }

#include "vertex_frames.glsl"

// Returns the displacement of the position by the morph targets; modifies normal and tangent.
vec3 morph(SkinNVertex skinN, SkinNInstance instance, uint value, inout vec3 normal, inout vec4 tangent)
{
    vec3 moved = vec3(0.0);
    for (uint i = 0; i < skinN.delta_count; ++i) {
        uvec4 a = TEXEL(deltas, 2u * (skinN.first_delta + i));
        float weight = value_at(value + instance.first_weight + a.w);
        moved += weight * uintBitsToFloat(a.xyz);
        normal += weight * FLOATS(deltas, 2u * (skinN.first_delta + i) + 1u).xyz;
        if (TANGENTS) tangent.xyz += weight * FLOATS(tangent_deltas, skinN.first_delta + i).xyz;
    }
    return moved;
}

// Linear blend of the matrices; with own positions also the weighted sum of the transformed positions.
Rows blend_linear(SkinNVertex skinN, SkinNInstance instance, int base, vec3 moved, out vec3 sum)
{
    Rows m = no_rows;
    sum = vec3(0.0);
    for (uint b = 0; b < skinN.block_count; ++b) {
        ivec4 first = base + 3 * ivec4(TEXEL(blocks, 2u * (skinN.first_block + b)));
        vec4 weights = FLOATS(blocks, 2u * (skinN.first_block + b) + 1u);
        uint at = instance.positions + (skinN.first_block - instance.first_block + b) * 4u;
        for (int i = 0; i < 4; ++i) {
            Rows one = rows_at(first[i]);
            add(m, one, weights[i]);
            if (POSITIONS && instance.positions != 0xFFFFFFFFu)
                sum += weights[i] * transform(one, FLOATS(influence_positions, at + uint(i)).xyz + moved);
        }
    }
    return m;
}

#if KIND == 4
// Relative to sum |w|: below these limits, weights and rotations do not define a blend.
const float min_weight_share = 0.1;
const float min_rotation_share = 1e-3;

// Interpolates from the linear blend to the dual quaternion blend by the vertex's weight.
void blend_dqs(SkinNVertex skinN, int base, inout Rows m)
{
    Blend blend = no_blend;
    blend.pivot = FLOATS(dqs_palette, base + 5 * int(TEXEL(blocks, 2u * skinN.first_block).x));
    for (uint b = 0; b < skinN.block_count; ++b) {
        ivec4 first = base + 5 * ivec4(TEXEL(blocks, 2u * (skinN.first_block + b)));
        vec4 weights = FLOATS(blocks, 2u * (skinN.first_block + b) + 1u);
        for (int i = 0; i < 4; ++i) add(blend, first[i], weights[i]);
    }
    bool rotates = length(blend.real) > min_rotation_share * blend.magnitude;
    if (!rotates || !(abs(blend.sum) > min_weight_share * blend.magnitude)) return;
    Rows by = rows_of(blend);
    m.x = mix(m.x, by.x, skinN.dqs_weight);
    m.y = mix(m.y, by.y, skinN.dqs_weight);
    m.z = mix(m.z, by.z, skinN.dqs_weight);
}
#endif

uvec4 skin_vertex(SkinNVertex skinN, SkinNInstance instance, uint vertex, uint pose, uint palette_count,
                   uint value, vec3 position, vec3 normal, inout vec4 tangent, out Rows m)
{
    if (FRAMES) apply_vertex_frame(instance, vertex, value, position, normal);
    vec3 moved = MORPHS ? morph(skinN, instance, value, normal, tangent) : vec3(0.0);
    position += moved;
    vec3 sum;
    m = blend_linear(skinN, instance, int(3u * pose * palette_count), moved, sum);
#if KIND == 4
    if (skinN.dqs_weight > 0.0) blend_dqs(skinN, int(5u * pose * palette_count), m);
#endif
    bool own = POSITIONS && instance.positions != 0xFFFFFFFFu;
    return vertex_of(own ? sum : transform(m, position), m, normal);
}
#endif

#if KIND <= 2
struct Influences {
    ivec4 first; // texel of each entry in the first palette; KIND 0: x alone
    vec4 weights;
    int frame_step; // texels from one palette to the next
};

Influences influences_at(uint i, uint first_pose, uint palette_count)
{
    Influences read;
#if KIND == 0
    read.first = ivec4(int(3u * (first_pose * palette_count + WORD(joints_of, i))));
    read.weights = vec4(0.0);
    read.frame_step = int(3u * palette_count);
#else
    const uint texels = KIND == 1 ? 3u : 5u;
    uvec2 pairs = uvec2(WORD(joints_of, 2u * i), WORD(joints_of, 2u * i + 1u));
    uvec4 joints = uvec4(pairs.x & 0xFFFFu, pairs.x >> 16, pairs.y & 0xFFFFu, pairs.y >> 16);
    read.first = ivec4(texels * (first_pose * palette_count + joints));
    read.weights = FLOATS(weights_of, i);
    read.frame_step = int(texels * palette_count);
#endif
    return read;
}

Rows blended(Influences by)
{
#if KIND == 0
    return rows_at(by.first.x);
#elif KIND == 1
    Rows m = no_rows;
    for (int i = 0; i < 4; ++i) add(m, rows_at(by.first[i]), by.weights[i]);
    return m;
#else
    Blend blend = no_blend;
    blend.pivot = FLOATS(dqs_palette, by.first.x);
    for (int i = 0; i < 4; ++i) add(blend, by.first[i], by.weights[i]);
    return rows_of(blend);
#endif
}
#endif

void main()
{
    // Read before any branch, where lavapipe reads a push constant once for all lanes.
    uint vertex_total = push.vertex_total;
    uint palette_count = push.palette_count;
    uint value_count = push.value_count;
    uint first_output = push.first_output;
    uint input_vertex = push.first_input + gl_GlobalInvocationID.x;
    uint local_vertex = gl_GlobalInvocationID.x;
    uint vertex = push.first_vertex + local_vertex;
    uint first_pose = gl_GlobalInvocationID.y * push.poses_per_invocation;
    uint end_pose = min(first_pose + push.poses_per_invocation, push.pose_count);
    if (local_vertex >= push.vertex_count) return;
    uvec4 bind = TEXEL(bind_vertices, vertex);
    vec3 position = uintBitsToFloat(bind.xyz);
    vec3 normal = decode_octahedral(unpackSnorm2x16(bind.w));
    vec4 tangent = TANGENTS ? decode_tangent(WORD(bind_tangents, vertex)) : vec4(0.0);
    uint at = first_pose * vertex_total + vertex - first_output;
#if KIND <= 2
    Influences influences = influences_at(input_vertex, first_pose, palette_count);
#else
    SkinNVertex skinN = skinN_at(input_vertex);
    SkinNInstance instance = instance_at(skinN.instance);
#endif
    for (uint pose = first_pose; pose < end_pose; ++pose) {
        vec4 turned = tangent;
#if KIND <= 2
        Rows m = blended(influences);
        store(at, vertex_of(transform(m, position), m, normal));
        influences.first += influences.frame_step;
#else
        Rows m;
        store(at, skin_vertex(skinN, instance, vertex, pose, palette_count, pose * value_count, position, normal, turned, m));
#endif
        if (TANGENTS) skinned_tangents[at] = tangent_of(m, turned);
        at += vertex_total;
    }
}
