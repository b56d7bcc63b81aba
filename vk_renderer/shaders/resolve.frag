#version 460
#extension GL_GOOGLE_include_directive : require
// Samples to pixels: averaged in linear light, laid over what is behind the model, straight alpha, sRGB.
// The backdrop is drawn here because it needs no antialiasing: once a pixel, not once a sample.
#include "shared.h"

#ifdef MULTISAMPLE
layout(binding = 0) uniform sampler2DMS samples;
#else
layout(binding = 0) uniform sampler2D samples;
#endif
layout(binding = 1, std140) uniform Frame { FrameParams frame; };
layout(binding = 2) uniform sampler2D shadow_texture;
layout(push_constant) uniform Constants { ResolvePush push; };
layout(location = 0) out vec4 out_colour;
layout(constant_id = 0) const bool STUDIO = true;  // backdrop or ground; false: one colour
layout(constant_id = 1) const bool SAMPLES = true; // the model may be seen here
layout(constant_id = 2) const uint SHARE = 2;      // 0: the ground's shadow is not seen here
layout(constant_id = 3) const uint SCALE = 2;      // samples a pixel along an axis
#include "backdrop.glsl"

vec4 average(ivec2 at)
{
#ifdef MULTISAMPLE
    return 0.25 * (texelFetch(samples, at, 0) + texelFetch(samples, at, 1) + texelFetch(samples, at, 2) + texelFetch(samples, at, 3));
#else
    return textureLod(samples, (vec2(at) + 0.5) * SCALE / vec2(textureSize(samples, 0)), 0.0);
#endif
}

// By square roots, which cost a tenth of a power on a CPU; within 0.3 of an 8-bit step of the definition.
vec3 to_srgb(vec3 c)
{
    vec3 s2 = sqrt(c);
    vec3 s4 = sqrt(s2);
    vec3 s8 = sqrt(s4);
    vec3 high = 0.585122381 * s2 + 0.783140355 * s4 - 0.368262736 * s8;
    return mix(high, c * 12.92, lessThanEqual(c, vec3(0.0031308)));
}

void main()
{
    vec4 c = SAMPLES ? average(ivec2(gl_FragCoord.xy)) : vec4(0.0);
    vec2 clip = gl_FragCoord.xy * push.clip_per_pixel - 1.0;
    c += (1.0 - c.a) * (STUDIO ? behind(clip) : frame.background);
    vec3 straight = c.a > 0.0 ? c.rgb / c.a : vec3(0.0);
    out_colour = vec4(to_srgb(clamp(straight, 0.0, 1.0)), c.a);
}
