#version 460
#extension GL_GOOGLE_include_directive : require
// Resolves samples to pixels: averages in linear light, composites over the background, outputs straight
// alpha in sRGB. The backdrop is drawn here, once per pixel instead of once per sample, because it needs no
// antialiasing. So is the ground shadow, found by intersecting the ray with the ground plane: the ground
// needs no geometry and no depth.
//
// BACKGROUND_ONLY: outputs the linear background for each sample; see BackgroundPass in passes/resolve.hpp.

#ifdef BACKGROUND_ONLY
#elif defined(MULTISAMPLE)
layout(binding = 0) uniform sampler2DMS samples;
#else
layout(binding = 0) uniform sampler2D samples;
#endif
layout(binding = 2) uniform sampler2D shadow_texture;
layout(location = 0) out vec4 out_color;
layout(constant_id = 0) const bool STUDIO = true; // backdrop or ground; false: uniform color
layout(constant_id = 1) const bool SAMPLES = true; // the model may be visible here
layout(constant_id = 2) const uint GROUND_REGION = 2; // 0: the ground shadow is not visible here
#define BACKGROUND_VARYING(at, type, name) layout(location = at) flat in type in_##name
#include "background.glsl"

#ifdef BACKGROUND_ONLY
vec2 pixel() { return gl_FragCoord.xy * in_sample_scale; }
#else
vec2 pixel() { return gl_FragCoord.xy; }
#endif
#include "resolve.glsl"

void main()
{
#ifdef BACKGROUND_ONLY
    out_color = STUDIO ? behind() : in_background;
#else
    out_color = resolved();
#endif
}
