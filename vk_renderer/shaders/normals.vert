#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared.h"
#include "octahedral.glsl"
#include "frame.glsl"
#include "segment.glsl"
layout(binding = 7, std430) readonly buffer Skinned { uvec4 skinned[]; };
layout(location = 0) out vec2 out_across;
layout(location = 1) out vec4 out_colour;

void main()
{
    uvec4 v = skinned[push.first_vertex + shown_of(uint(gl_VertexIndex) / 6u)];
    vec3 from = uintBitsToFloat(v.xyz);
    vec3 n = decode_octahedral(unpackSnorm2x16(v.w));
    gl_Position = segment_corner(from, from + n * push.normal_length, 0.45, gl_VertexIndex % 6, out_across);
    vec3 colour = n * 0.5 + 0.5; // as sRGB, nearly: linear they would be too pale for a white model
    out_colour = vec4(colour * colour, 1.0);
}
