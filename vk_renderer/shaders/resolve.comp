#version 460
#extension GL_GOOGLE_include_directive : require
// resolve.frag for devices that compute faster than they rasterize: one invocation per pixel, which is written to a
// buffer row by row, without padding. A workgroup is as wide as the lanes of a card, which write 128 bytes in a row.
#include "shared.h"

layout(local_size_x = 32, local_size_y = 4) in;
#ifdef MULTISAMPLE
layout(binding = 0) uniform sampler2DMS samples;
#else
layout(binding = 0) uniform sampler2D samples;
#endif
layout(binding = 1, std140) uniform Image { ImageParams image_params; };
layout(binding = 2) uniform sampler2D shadow_texture;
layout(binding = 3, std430) writeonly buffer Pixels { uint pixels[]; }; // from the first row of the dispatch on
layout(push_constant) uniform Constants { ResolvePushConstants push; };
layout(constant_id = 0) const bool STUDIO = true; // backdrop or ground; false: uniform color
const bool SAMPLES = true;
const uint GROUND_REGION = 2;
#define BACKGROUND_VARYING(at, type, name) type in_##name
#define BACKGROUND_VALUE(name) in_##name
#include "background.glsl"
#include "background_values.glsl"

vec2 pixel() { return vec2(gl_GlobalInvocationID.xy) + vec2(0.5, 0.5 + float(push.first_row)); }
#include "resolve.glsl"

void main()
{
    uvec2 at = gl_GlobalInvocationID.xy;
    if (at.x >= push.size.x || at.y >= push.size.y) return;
    write_background();
    pixels[at.y * push.size.x + at.x] = packUnorm4x8(resolved());
}
