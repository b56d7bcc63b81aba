#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
// Blurs the height map of the shadow pass to a soft shadow in two separable passes. Two channels: r from
// casters near the ground, blurred little (contact), g from higher casters, blurred more. An invocation
// computes a few neighbors along the blur, which share most of their taps.
#include "shared.h"

layout(local_size_x = 8, local_size_y = 8) in;
#ifdef VERTICAL
layout(binding = 0) uniform sampler2D source; // result of the horizontal pass
#else
layout(binding = 0) uniform usampler2D source; // heights, see shadow_cast.comp
#endif
layout(binding = 1, rgba8) uniform writeonly image2D result;
layout(push_constant) uniform Constants { BlurPushConstants push; };

// Two Gaussians by distance in texels: exp(-0.16 d^2) and exp(-0.028 d^2).
const vec2 weights[9] = vec2[](vec2(1.00000, 1.00000), vec2(0.85214, 0.97239), vec2(0.52729, 0.89404), vec2(0.23693, 0.77724), vec2(0.07730, 0.63890), vec2(0.01832, 0.49659), vec2(0.00315, 0.36495), vec2(0.00039, 0.25360), vec2(0.00004, 0.16663));

#ifndef VERTICAL
vec2 coverage(ivec2 texel)
{
    uint bits = texelFetch(source, texel, 0).r;
    return bits == no_caster ? vec2(0.0) : vec2(exp(-14.0 * uintBitsToFloat(bits)), 1.0);
}
#endif

vec2 weighted_sample(ivec2 at)
{
    at = clamp(at, ivec2(0), ivec2(push.size) - 1);
#ifdef VERTICAL
    return texelFetch(source, at, 0).rg;
#else
    return coverage(at);
#endif
}

void store(ivec2 at, vec2 sum)
{
    vec2 shade = sum / vec2(4.43113, 10.12868);
#ifdef VERTICAL
    // Zero at the map's edge, which is repeated outside it.
    ivec2 inward = min(at, ivec2(push.size) - 1 - at);
    shade *= vec2(0.55, 0.62) * min(float(min(inward.x, inward.y)) * 0.125, 1.0);
#endif
    imageStore(result, at, vec4(shade, 0.0, 1.0));
}

void main()
{
#ifdef VERTICAL
    const ivec2 along = ivec2(0, 1);
#else
    const ivec2 along = ivec2(1, 0);
#endif
    const int reach = weights.length() - 1;
    const int neighbors = int(blur_texels_per_invocation);
    ivec2 first = ivec2(gl_GlobalInvocationID.xy) * (1 + (neighbors - 1) * along);
    vec2 sums[neighbors];
    [[unroll]] for (int n = 0; n < neighbors; ++n) sums[n] = vec2(0.0);
    [[unroll]] for (int i = -reach; i < reach + neighbors; ++i) {
        vec2 here = weighted_sample(first + along * i);
        [[unroll]] for (int n = 0; n < neighbors; ++n)
            if (abs(i - n) <= reach) sums[n] += weights[abs(i - n)] * here;
    }
    [[unroll]] for (int n = 0; n < neighbors; ++n) store(first + along * n, sums[n]);
}
