#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared.h"
#include "octahedral.glsl"
#include "frame.glsl"
#include "segment.glsl"
layout(binding = 7, std430) readonly buffer Skinned { uvec4 skinned[]; };
layout(location = 0) out vec2 out_across;
layout(location = 1) out vec4 out_color;

void main()
{
    uvec4 v = skinned[push.first_vertex + shown_of(uint(gl_VertexIndex) / 6u)];
    vec3 from = uintBitsToFloat(v.xyz);
    vec3 n = decode_octahedral(unpackSnorm2x16(v.w));
    gl_Position = segment_corner(from, from + n * push.normal_length, 0.45, gl_VertexIndex % 6, out_across);
    vec3 color = n * 0.5 + 0.5; // approximately sRGB: as linear values they would be too pale on a white model
    out_color = vec4(color * color, 1.0);
}
