#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared.h"
#include "raster_bindings.glsl"
#include "segment.glsl"
layout(binding = 7, std430) readonly buffer Segments { LineSegment segments[]; };
layout(location = 0) out vec2 out_across;
layout(location = 1) out vec4 out_color;

void main()
{
    LineSegment s = segments[push.first_vertex + uint(gl_VertexIndex) / 6u];
    gl_Position = segment_corner(s.from, s.to, s.width, gl_VertexIndex % 6, out_across);
    out_color = unpackUnorm4x8(s.color);
}
