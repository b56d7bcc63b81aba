#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
// Blurs the height map of the shadow pass to a soft shadow in two separable passes. Two channels: r from
// casters near the ground, blurred little (contact), g from higher casters, blurred more. An invocation
// computes two horizontal neighbors, which share most of their taps in the horizontal pass. Between the passes
// they are one word, so that the vertical pass loads and blurs both at once; four texels there would double the
// code that a process compiles before its first image, for no measurable gain. Images of words instead of
// textures: lavapipe loads eight of them at once, while each fetch from a texture is a call there.
#include "shared.h"

layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, r32ui) uniform readonly uimage2D source; // heights, see shadow_cast.comp; VERTICAL: result of the horizontal pass
#ifdef VERTICAL
layout(binding = 1, rgba8) uniform writeonly image2D result;
#define SHADE vec4 // of two horizontal neighbors
#else
layout(binding = 1, r32ui) uniform writeonly uimage2D result;
#define SHADE vec2
#endif
layout(push_constant) uniform Constants { BlurPushConstants push; };

// Two Gaussians by distance in texels: exp(-0.16 d^2) and exp(-0.028 d^2).
const vec2 weights[9] = vec2[](vec2(1.00000, 1.00000), vec2(0.85214, 0.97239), vec2(0.52729, 0.89404), vec2(0.23693, 0.77724), vec2(0.07730, 0.63890), vec2(0.01832, 0.49659), vec2(0.00315, 0.36495), vec2(0.00039, 0.25360), vec2(0.00004, 0.16663));
const vec2 weight_sums = vec2(4.43113, 10.12868);

#ifdef VERTICAL
const ivec2 along = ivec2(0, 1);
const int neighbors = 1; // along the blur

vec4 weight(int distance) { return weights[distance].xyxy; }

vec4 weighted_sample(ivec2 at)
{
    at.y = clamp(at.y, 0, int(push.size) - 1);
    return unpackUnorm4x8(imageLoad(source, at).r);
}

// Zero at the map's edge, which is repeated outside it.
void store_texel(ivec2 at, vec2 shade)
{
    ivec2 inward = min(at, ivec2(push.size) - 1 - at);
    shade *= vec2(0.55, 0.62) * min(float(min(inward.x, inward.y)) * 0.125, 1.0);
    imageStore(result, at, vec4(shade, 0.0, 1.0));
}

void store(ivec2 at, vec4 sums[neighbors])
{
    vec4 shade = sums[0] / weight_sums.xyxy;
    ivec2 left = ivec2(2 * at.x, at.y);
    store_texel(left, shade.xy);
    store_texel(left + ivec2(1, 0), shade.zw);
}
#else
const ivec2 along = ivec2(1, 0);
const int neighbors = 2;

vec2 weight(int distance) { return weights[distance]; }

vec2 weighted_sample(ivec2 at)
{
    at.x = clamp(at.x, 0, int(push.size) - 1);
    uint bits = imageLoad(source, at).r;
    return bits == no_caster ? vec2(0.0) : vec2(exp(-14.0 * uintBitsToFloat(bits)), 1.0);
}

void store(ivec2 at, vec2 sums[neighbors])
{
    uint word = packUnorm4x8(vec4(sums[0] / weight_sums, sums[1] / weight_sums));
    imageStore(result, ivec2(at.x / 2, at.y), uvec4(word, 0u, 0u, 0u));
}
#endif

void main()
{
    const int reach = weights.length() - 1;
    ivec2 first = ivec2(gl_GlobalInvocationID.xy) * (1 + (neighbors - 1) * along);
    SHADE sums[neighbors];
    [[unroll]] for (int n = 0; n < neighbors; ++n) sums[n] = SHADE(0.0);
    [[unroll]] for (int i = -reach; i < reach + neighbors; ++i) {
        SHADE here = weighted_sample(first + along * i);
        [[unroll]] for (int n = 0; n < neighbors; ++n)
            if (abs(i - n) <= reach) sums[n] += weight(abs(i - n)) * here;
    }
    store(first, sums);
}
