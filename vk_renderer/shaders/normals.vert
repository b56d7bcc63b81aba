#version 460
#extension GL_GOOGLE_include_directive : require
// Draws the normal of each vertex; FLAT: of each corner of the triangles, which have their own.
#include "shared.h"
#include "octahedral.glsl"
#include "raster_bindings.glsl"
#include "segment.glsl"
layout(binding = 7, std430) readonly buffer Skinned { uvec4 skinned[]; };
#ifdef FLAT
layout(binding = 8, std430) readonly buffer Indices { uint indices[]; };
#endif
layout(location = 0) out vec2 out_across;
layout(location = 1) out vec4 out_color;

vec3 position(uint vertex) { return uintBitsToFloat(skinned[push.first_vertex + vertex].xyz); }

#ifdef FLAT
vec3 normal_of(uint corner)
{
    uint first = push.first_index + corner / 3u * 3u;
    vec3 a = position(indices[first]);
    vec3 ab = position(indices[first + 1u]) - a, ac = position(indices[first + 2u]) - a;
    // Normalizes by the largest edge, whose square would overflow or underflow for huge or tiny models.
    vec3 most = max(abs(ab), abs(ac));
    float unit = max(max(most.x, most.y), max(most.z, 1e-37));
    vec3 n = cross(ab / unit, ac / unit);
    float area = length(n);
    return area > 0.0 ? n / area * push.winding : vec3(0.0, 1.0, 0.0);
}
#endif

void main()
{
    uint shown = shown_of(uint(gl_VertexIndex) / 6u);
#ifdef FLAT
    vec3 from = position(indices[push.first_index + shown]);
    vec3 n = normal_of(shown);
#else
    vec3 from = position(shown);
    vec3 n = decode_octahedral(unpackSnorm2x16(skinned[push.first_vertex + shown].w));
#endif
    gl_Position = segment_corner(from, from + n * push.normal_length, 0.45, gl_VertexIndex % 6, out_across);
    vec3 color = n * 0.5 + 0.5; // approximately sRGB: as linear values they would be too pale on a white model
    out_color = vec4(color * color, 1.0);
}
