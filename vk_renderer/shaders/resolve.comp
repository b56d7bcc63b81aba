#version 460
#extension GL_GOOGLE_include_directive : require
// Samples to pixels: averaged in linear light, straight alpha, sRGB, packed into host memory.
#include "shared.h"

layout(local_size_x = 8, local_size_y = 8) in;
#ifdef MULTISAMPLE
layout(binding = 0) uniform sampler2DMS samples;
#else
layout(binding = 0) uniform sampler2D samples;
#endif
layout(binding = 1, std430) writeonly buffer Pixels { uint pixels[]; };
layout(push_constant) uniform Constants { ResolvePush push; };

vec4 average(ivec2 at)
{
#ifdef MULTISAMPLE
    return 0.25 * (texelFetch(samples, at, 0) + texelFetch(samples, at, 1) + texelFetch(samples, at, 2) + texelFetch(samples, at, 3));
#else
    at *= 2;
    return 0.25 * (texelFetch(samples, at, 0) + texelFetch(samples, at + ivec2(1, 0), 0) +
                   texelFetch(samples, at + ivec2(0, 1), 0) + texelFetch(samples, at + ivec2(1, 1), 0));
#endif
}

vec3 to_srgb(vec3 c)
{
    vec3 high = 1.055 * pow(max(c, vec3(1e-8)), vec3(1.0 / 2.4)) - 0.055;
    return mix(high, c * 12.92, lessThanEqual(c, vec3(0.0031308)));
}

void main()
{
    uvec2 at = gl_GlobalInvocationID.xy;
    if (at.x >= push.width || at.y >= push.height) return;
    vec4 c = average(ivec2(at));
    vec3 straight = c.a > 0.0 ? c.rgb / c.a : vec3(0.0);
    pixels[at.y * push.width + at.x] = packUnorm4x8(vec4(to_srgb(clamp(straight, 0.0, 1.0)), c.a));
}
