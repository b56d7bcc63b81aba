#version 460
#extension GL_GOOGLE_include_directive : require
// Draws the twelve edges of the frame's exact box from the output of the bounds pass.
#include "shared.h"
#include "raster_bindings.glsl"
#include "segment.glsl"
layout(binding = 7, std430) readonly buffer Bounds { uint bounds[]; };
layout(location = 0) out vec2 out_across;
layout(location = 1) out vec4 out_color;

float unordered(uint bits) { return uintBitsToFloat((bits & 0x80000000u) != 0u ? bits & 0x7FFFFFFFu : ~bits); }

// edge 0..11: four along each axis; end 0 or 1.
vec3 corner(int edge, int end)
{
    int axis = edge / 4;
    ivec3 side;
    side[axis] = end;
    side[(axis + 1) % 3] = edge & 1;
    side[(axis + 2) % 3] = edge >> 1 & 1;
    uint first = push.first_vertex * 8u;
    vec3 p;
    for (int i = 0; i < 3; ++i) p[i] = unordered(bounds[first + uint(i + 3 * side[i])]);
    return p;
}

void main()
{
    int edge = gl_VertexIndex / 6;
    gl_Position = segment_corner(corner(edge, 0), corner(edge, 1), 0.8, gl_VertexIndex % 6, out_across);
    out_color = vec4(0.02, 0.30, 0.75, 0.9);
}
