#version 460
#extension GL_GOOGLE_include_directive : require
// Divides the image into adjacent rectangles: the model's exact box, and the area around it above and below
// the line where the ground shadow begins. Samples and the shadow are then read only where they can be
// nonzero.
#include "shared.h"

layout(constant_id = 1) const bool SAMPLES = true; // inside the model's rectangle; false: the four around it
layout(constant_id = 2) const uint GROUND_REGION = 2;      // 0 above the line, 1 below it, 2 both
layout(binding = 1, std140) uniform Image { ImageParams image_params; };
layout(binding = 3, std430) readonly buffer Bounds { uint bounds[]; }; // see bounds.comp
layout(push_constant) uniform Constants { ResolvePushConstants push; };
#define BACKGROUND_VARYING(at, type, name) layout(location = at) flat out type out_##name
#define BACKGROUND_VALUE(name) out_##name
#include "background.glsl"
#include "background_values.glsl"

// The rectangles of the three pipelines share edges: without a common rounding a column of pixels could be in none.
invariant gl_Position;

const vec4 full_clip_rect = vec4(-1.0, -1.0, 1.0, 1.0);
const float margin = 4.0; // pixels: lines extend beyond their ends

float unordered(uint bits) { return uintBitsToFloat((bits & 0x80000000u) != 0u ? bits & 0x7FFFFFFFu : ~bits); }

// Returns a rectangle that contains the projected box, by interval arithmetic; the whole image if the box
// reaches behind the eye. Slightly too large, but a fraction of the code for eight corners. No branch depends
// on values computed from the frame alone: lavapipe treats such conditions as constants and would recompile
// for every view.
vec4 projected_rectangle(vec3 middle, vec3 half_size)
{
    mat4 m = image_params.clip_from_centered;
    vec4 c = m * vec4(middle, 1.0);
    vec4 e = abs(m[0]) * half_size.x + abs(m[1]) * half_size.y + abs(m[2]) * half_size.z;
    float near = c.w - e.w, far = c.w + e.w;
    vec2 low = c.xy - e.xy, high = c.xy + e.xy;
    low /= mix(vec2(far), vec2(near), lessThan(low, vec2(0.0)));
    high /= mix(vec2(far), vec2(near), greaterThan(high, vec2(0.0)));
    vec2 wider = (margin + 0.5 * image_params.ray_x.w) * push.clip_per_pixel; // also for points
    vec4 r = clamp(vec4(low - wider, high + wider), -1.0, 1.0);
    bool holds = all(lessThan(vec3(1e-6, r.xy), vec3(near, r.zw)));
    return holds ? r : full_clip_rect;
}

vec4 model()
{
    bool known = push.box != no_box;
    uint first = known ? push.box * 8u : 0u;
    vec3 low, high;
    for (int i = 0; i < 3; ++i) {
        low[i] = unordered(bounds[first + uint(i)]);
        high[i] = unordered(bounds[first + uint(i) + 3u]);
    }
    vec4 r = projected_rectangle(0.5 * (low + high) - image_params.center.xyz, 0.5 * (high - low));
    return known ? r : full_clip_rect;
}

// Clip y of the upper edge of the area that the shadow map covers.
float shadow_line()
{
    float half_width = 0.5 / image_params.shadow_map.z;
    vec3 middle = vec3(image_params.shadow_map.x, image_params.ground.x, image_params.shadow_map.y);
    float top = projected_rectangle(middle, vec3(half_width, 0.0, half_width)).y;
    return has_ground(image_params.ground) ? top : 1.0;
}

void main()
{
    vec4 m = model();
    int part = gl_VertexIndex / 6;
    vec4 r = m;
    if (!SAMPLES) {
        if (part == 0) r = vec4(-1.0, -1.0, 1.0, m.y);
        if (part == 1) r = vec4(-1.0, m.w, 1.0, 1.0);
        if (part == 2) r = vec4(-1.0, m.y, m.x, m.w);
        if (part == 3) r = vec4(m.z, m.y, 1.0, m.w);
    }
    float line = shadow_line();
    if (GROUND_REGION == 0) r.w = max(min(r.w, line), r.y);
    if (GROUND_REGION == 1) r.y = min(max(r.y, line), r.w);
    int corner = gl_VertexIndex % 6;
    bool right = corner == 1 || corner == 2 || corner == 4, below = corner == 2 || corner == 4 || corner == 5;
    gl_Position = vec4(right ? r.z : r.x, below ? r.w : r.y, 0.0, 1.0);
    write_background();
}
