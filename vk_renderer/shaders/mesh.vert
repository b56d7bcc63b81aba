#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared.h"
#include "octahedral.glsl"
#include "frame.glsl"

layout(constant_id = 4) const bool WIRE = false;

layout(location = 0) in vec3 in_position;
layout(location = 1) in vec2 in_normal;
layout(location = 2) in vec2 in_uv0;
layout(location = 3) in vec2 in_uv1;
layout(location = 4) in vec4 in_colour;
#ifdef TANGENTS
layout(location = 5) in uint in_tangent;
#endif

layout(location = 0) out vec3 out_position; // relative to the centre
layout(location = 1) out vec3 out_normal;
layout(location = 2) out vec4 out_uv;
layout(location = 3) out vec4 out_colour;
#ifdef TANGENTS
layout(location = 4) out vec4 out_tangent; // w: the bitangent's sign
#endif

void main()
{
    vec3 position = in_position - frame.centre.xyz;
    gl_Position = frame.clip_from_centred * vec4(position, 1.0);
    if (WIRE) gl_Position.z *= 1.0015; // lines win over the faces they border
    gl_PointSize = 2.5 * frame.ray.w;
    out_position = position;
    out_normal = decode_octahedral(in_normal);
    out_uv = vec4(in_uv0, in_uv1);
    out_colour = in_colour;
#ifdef TANGENTS
    out_tangent = decode_tangent(in_tangent);
#endif
}
