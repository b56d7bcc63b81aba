#version 460
#extension GL_GOOGLE_include_directive : require
// Draws the tangent space of each triangle in the pose, from its corners and their UVs: three lines at its
// center.
#include "shared.h"
#include "octahedral.glsl"
#include "raster_bindings.glsl"
#include "segment.glsl"
layout(binding = 7, std430) readonly buffer Skinned { uvec4 skinned[]; };
layout(binding = 8, std430) readonly buffer Indices { uint indices[]; };
// VertexAttributes as words, because std430 would pad their vec2.
layout(binding = 9, std430) readonly buffer Attributes { uint attributes[]; };
layout(location = 0) out vec2 out_across;
layout(location = 1) out vec4 out_color;

const uint attribute_words = 6u;
const vec3 colors[3] = vec3[](vec3(0.80, 0.03, 0.02), vec3(0.03, 0.50, 0.04), vec3(0.03, 0.10, 0.85));

vec2 uv_of(uint vertex)
{
    uint at = (push.first_attribute + vertex) * attribute_words;
    return uintBitsToFloat(uvec2(attributes[at], attributes[at + 1u]));
}

void main()
{
    uint line = uint(gl_VertexIndex) / 6u;
    uint first = push.first_index + shown_of(line / 3u) * 3u;
    uvec3 corner = uvec3(indices[first], indices[first + 1u], indices[first + 2u]);
    uvec4 a = skinned[push.first_vertex + corner.x];
    vec3 pa = uintBitsToFloat(a.xyz);
    vec3 ab = uintBitsToFloat(skinned[push.first_vertex + corner.y].xyz) - pa;
    vec3 ac = uintBitsToFloat(skinned[push.first_vertex + corner.z].xyz) - pa;
    vec2 uv = uv_of(corner.x);
    vec2 u = uv_of(corner.y) - uv, w = uv_of(corner.z) - uv;
    // Normalizes by the largest edge, whose square would overflow or underflow for huge or tiny models.
    vec3 most = max(abs(ab), abs(ac));
    float unit = max(max(most.x, most.y), max(most.z, 1e-37));
    ab /= unit;
    ac /= unit;
    vec3 faces = cross(ab, ac);
    float area = length(faces);
    float size = sqrt(area) * unit;
    vec3 n = faces / max(area, 1e-30);
    float facing = push.winding != 0.0 ? push.winding : dot(n, decode_octahedral(unpackSnorm2x16(a.w)));
    if (facing < 0.0) n = -n;
    float turn = u.x * w.y - w.x * u.y;
    float side = turn < 0.0 ? -1.0 : 1.0;
    // The tangent points toward growing u, the bitangent against growing v, which points down in a texture.
    vec3 axis = line % 3u == 0u ? side * (w.y * ab - u.y * ac) : line % 3u == 1u ? -side * (u.x * ac - w.x * ab) : n;
    axis /= max(max(abs(axis.x), abs(axis.y)), max(abs(axis.z), 1e-37)); // UV differences may be tiny
    float along = length(axis);
    // When it represents its neighbors too, the length is that of their combined size.
    float reach = min(0.5 * size * exp2(0.5 * float(push.decimation_shift)), push.normal_length);
    // Slightly off the surface, which would hide the lines otherwise.
    vec3 from = pa + (ab + ac) * (unit / 3.0) + 0.04 * reach * n;
    bool shown = area > 0.0 && along > 0.0 && (line % 3u == 2u || turn != 0.0);
    vec3 to = shown ? from + axis / max(along, 1e-30) * reach : from;
    gl_Position = segment_corner(from, to, shown ? 0.6 : 0.0, gl_VertexIndex % 6, out_across);
    gl_Position.z *= 1.0015;
    out_color = vec4(colors[line % 3u], 1.0);
}
