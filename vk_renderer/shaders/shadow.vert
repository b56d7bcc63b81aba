#version 460
#extension GL_GOOGLE_include_directive : require
// Throws the model onto the ground along the key light. Depth is the height above the ground, the lowest kept:
// what touches the floor shadows sharply, what floats softly.
#include "shared.h"
layout(binding = 0, std140) uniform Frame { FrameParams frame; };

layout(location = 0) in vec3 in_position;

void main()
{
    vec3 p = in_position - frame.centre.xyz;
    float height = max(p.y - frame.ground.x, 0.0);
    vec2 at = p.xz - frame.key.xz * (height / max(frame.key.y, 0.1));
    gl_Position = vec4((at - frame.shadow.xy) * frame.shadow.z * 2.0, clamp(height * frame.shadow.w, 0.0, 0.999), 1.0);
    gl_PointSize = 1.0;
}
