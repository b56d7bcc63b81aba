#version 460
#extension GL_GOOGLE_include_directive : require
// The height map of the shadow pass to a soft shadow, in two separable passes. Two channels: r from what is
// near the ground, blurred little (contact), g from what is higher, blurred much.
#include "shared.h"

layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D source; // pass 1: heights; pass 2: pass 1's result
layout(binding = 1, rgba8) uniform writeonly image2D result;
layout(push_constant) uniform Constants { BlurPush push; };

// Two Gaussians by distance in texels: exp(-0.16 d^2) and exp(-0.028 d^2).
const vec2 weights[9] = vec2[](vec2(1.00000, 1.00000), vec2(0.85214, 0.97239), vec2(0.52729, 0.89404), vec2(0.23693, 0.77724), vec2(0.07730, 0.63890), vec2(0.01832, 0.49659), vec2(0.00315, 0.36495), vec2(0.00039, 0.25360), vec2(0.00004, 0.16663));

vec2 coverage(ivec2 texel)
{
    float h = texelFetch(source, texel, 0).r;
    if (h >= 1.0) return vec2(0.0);
    return vec2(exp(-14.0 * h), 1.0) ;
}

vec2 tap(ivec2 at)
{
    at = clamp(at, ivec2(0), ivec2(push.size) - 1);
    if (push.vertical != 0u) return texelFetch(source, at, 0).rg;
    return coverage(at);
}

void main()
{
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (at.x >= int(push.size) || at.y >= int(push.size)) return;
    ivec2 along = push.vertical != 0u ? ivec2(0, 1) : ivec2(1, 0);
    vec2 sum = vec2(0.0);
    for (int i = -8; i <= 8; ++i) {
        sum += weights[abs(i)] * tap(at + along * i);
    }
    vec2 shade = sum / vec2(4.43113, 10.12868);
    if (push.vertical != 0u) shade *= vec2(0.55, 0.62);
    imageStore(result, at, vec4(shade, 0.0, 1.0));
}
