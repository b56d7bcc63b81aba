#version 460
#extension GL_GOOGLE_include_directive : require
// Projects one triangle, line, point or vertex per invocation along the key light onto the ground, into a
// small map of heights above the ground that keeps the lowest: casters near the floor give sharp shadows,
// higher ones soft shadows. A compute shader instead of rasterization: the map has few texels, and a triangle
// that covers one or two costs a tenth of its setup on a software device.
// The workgroups along y are the instances of the model. VERTICES: without indices. TRANSLUCENT: casters that
// block part of the light cover that fraction of the texels.
#include "shared.h"
#include "texels.glsl"

layout(local_size_x = 64) in;

layout(binding = 0, std140) uniform Image { ImageParams image_params; };
TEXEL_ARRAY(1, skinned);
#ifdef TRANSLUCENT
layout(binding = 2, std430) readonly buffer Casters { TranslucentCaster casters[]; };
layout(binding = 4, std430) readonly buffer Masks { uint masks[]; };
#else
layout(binding = 2, std430) readonly buffer Indices { uint indices[]; };
#endif
layout(binding = 3, r32ui) uniform uimage2D shadow_heights; // the float's bits, which sort like the floats
layout(push_constant) uniform Constants { CastPushConstants push; };

uint first_vertex; // of the instance

vec3 position(uint index) { return FLOATS(skinned, first_vertex + index).xyz - image_params.center.xyz; }

// Texel coordinates in the map, and the height as a fraction of the map's height range.
vec3 project_onto_ground(vec3 p)
{
    float height = max(p.y - image_params.ground.x, 0.0);
    vec2 at = p.xz - image_params.key_light_dir.xz * (height / max(image_params.key_light_dir.y, 0.1));
    vec2 uv = (at - image_params.shadow_map.xy) * image_params.shadow_map.z + 0.5;
    return vec3(uv * float(push.size), clamp(height * image_params.shadow_map.w, 0.0, 0.999));
}

float turn(vec2 a, vec2 b) { return a.x * b.y - a.y * b.x; }

// Distance of p to the left of the line a b in texels; 0 if a equals b.
float left_of(vec2 a, vec2 b, vec2 p)
{
    vec2 along = b - a;
    float size = length(along);
    return size > 0.0 ? turn(along, p - a) / size : 0.0;
}

// True for degenerate triangles and culled back faces. Edges are in texels to avoid underflow.
bool is_culled(vec3 a, vec3 b, vec3 c)
{
    float scale = image_params.shadow_map.z * float(push.size);
    vec3 along = (b - a) * scale, other = (c - a) * scale;
    vec3 n = cross(along, other);
    vec3 to_eye = image_params.eye.w * (image_params.eye.xyz - a) - (1.0 - image_params.eye.w) * image_params.center_ray.xyz;
    return dot(n, n) <= 1e-10 * dot(along, along) * dot(other, other) || dot(n, to_eye) * push.front < 0.0;
}

#ifdef TRANSLUCENT
float wrapped(float at, uint wrap)
{
    if (wrap == 1u) return clamp(at, 0.0, 1.0);
    float unit = fract(at);
    return wrap == 2u && fract(at * 0.5) >= 0.5 ? 1.0 - unit : unit;
}

// Whether the texel is among the given fraction of texels. Deterministic: a rank-1 lattice, even in every
// small neighborhood, which the blur turns into a uniform gray.
bool strikes(TranslucentCaster caster, vec3 share, ivec2 texel)
{
    vec2 uv = share.x * caster.uv01.xy + share.y * caster.uv01.zw + share.z * caster.uv2;
    uv = vec2(wrapped(uv.x, caster.wraps & 3u), wrapped(uv.y, caster.wraps >> 2));
    uvec2 at = uvec2(clamp(ivec2(uv * float(opacity_mask_size)), ivec2(0), ivec2(opacity_mask_size - 1)));
    uint stopped = masks[caster.corners.w + (at.y * opacity_mask_size + at.x) / 4u] >> 8u * (at.x & 3u) & 255u;
    uint lot = uint(texel.x) * 3242174889u + uint(texel.y) * 2447445413u >> 24;
    return float(stopped) * caster.opacity * (256.0 / 255.0) > float(lot) + 0.5;
}
#endif

// In texels of the map and heights.
struct Shadow {
    vec3 a, b, c;
    float area; // twice the signed area of the triangle
    float lowest, highest;
};

Shadow shadow_of(vec3 a, vec3 b, vec3 c)
{
    Shadow s;
    s.a = project_onto_ground(a);
    s.b = project_onto_ground(b);
    s.c = project_onto_ground(c);
    s.area = turn(s.b.xy - s.a.xy, s.c.xy - s.a.xy);
    s.lowest = min(min(s.a.z, s.b.z), s.c.z);
    s.highest = max(max(s.a.z, s.b.z), s.c.z);
    return s;
}

// The texels of the map around the shadow; empty where low exceeds high.
void texels_around(Shadow s, out ivec2 low, out ivec2 high)
{
    float limit = float(push.size);
    low = ivec2(clamp(floor(min(min(s.a.xy, s.b.xy), s.c.xy)), vec2(0.0), vec2(limit - 1.0)));
    high = ivec2(clamp(floor(max(max(s.a.xy, s.b.xy), s.c.xy)), vec2(-1.0), vec2(limit - 1.0)));
    low = clamp(low, ivec2(0), ivec2(push.size - 1));
    high = clamp(high, ivec2(-1), ivec2(push.size - 1));
}

// A texel is covered if its center p is within half a texel of the shape, so that thin shapes cast too.
// parts: area fractions for b and c, times the area.
bool covers(Shadow s, vec2 p, out float height, out vec2 parts)
{
    float side = s.area < 0.0 ? -1.0 : 1.0;
    float inside = min(min(side * left_of(s.a.xy, s.b.xy, p), side * left_of(s.b.xy, s.c.xy, p)),
                       side * left_of(s.c.xy, s.a.xy, p));
    height = s.lowest;
    parts = vec2(0.0);
    if (inside < -0.5) return false;
    if (abs(s.area) > 1e-3) {
        parts = vec2(turn(p - s.a.xy, s.c.xy - s.a.xy), turn(s.b.xy - s.a.xy, p - s.a.xy));
        height = s.a.z + (parts.x * (s.b.z - s.a.z) + parts.y * (s.c.z - s.a.z)) / s.area;
    }
    height = clamp(height, s.lowest, s.highest);
    return true;
}

void cast_on(ivec2 texel, float height)
{
    uint bits = floatBitsToUint(height);
#ifdef TEXELS
    // An atomic operation is a loop over the lanes there, and most texels are already covered by a lower caster.
    if (imageLoad(shadow_heights, texel).r <= bits) return;
#endif
    imageAtomicMin(shadow_heights, texel, bits);
}

#ifdef VERTICES
void cast_vertex(uint element)
{
    vec3 a = project_onto_ground(position(element * push.corners));
    vec2 texel = clamp(a.xy, vec2(-1.0), vec2(push.size));
    if (all(greaterThanEqual(texel, vec2(0.0))) && all(lessThan(texel, vec2(push.size))))
        cast_on(ivec2(texel), a.z);
}
#else
struct Element {
    Shadow shadow;
    ivec2 low, high; // the texels around it
#ifdef TRANSLUCENT
    TranslucentCaster caster;
#endif
};

// False: it casts no shadow.
bool load_element(uint index, out Element element)
{
#ifdef TRANSLUCENT
    element.caster = casters[push.first_index + index * push.stride];
    uvec3 corners = element.caster.corners.xyz;
    bool is_triangle = corners.x != corners.y || corners.x != corners.z;
#else
    uint first = push.first_index + index * push.stride * push.corners;
    uvec3 corners = uvec3(indices[first], indices[first + min(1u, push.corners - 1u)], indices[first + push.corners - 1u]);
    bool is_triangle = push.corners == 3u;
#endif
    vec3 a = position(corners.x), b = position(corners.y), c = position(corners.z);
    if (is_triangle && is_culled(a, b, c)) return false;
    element.shadow = shadow_of(a, b, c);
    texels_around(element.shadow, element.low, element.high);
    return all(lessThanEqual(element.low, element.high));
}

void cast_texel(Element element, ivec2 texel)
{
    float height;
    vec2 parts;
    if (!covers(element.shadow, vec2(texel) + 0.5, height, parts)) return;
#ifdef TRANSLUCENT
    float area = element.shadow.area;
    vec2 share = clamp(parts / (area == 0.0 ? 1.0 : area), vec2(0.0), vec2(1.0));
    if (!strikes(element.caster, vec3(1.0 - share.x - share.y, share), texel)) return;
#endif
    cast_on(texel, height);
}

void cast_alone(Element element)
{
    for (int y = element.low.y; y <= element.high.y; ++y)
        for (int x = element.low.x; x <= element.high.x; ++x)
            cast_texel(element, ivec2(x, y));
}

#ifndef TEXELS
// On a graphics card one invocation that walks over thousands of texels would be waited for by all others: a workgroup
// divides the texels of such an element. On a CPU nothing is gained, and barriers are slow.
const int max_texels_alone = 32;
shared uint large_count;
shared uint large[gl_WorkGroupSize.x];

void cast_together(Element element)
{
    ivec2 size = element.high - element.low + 1;
    for (int i = int(gl_LocalInvocationIndex); i < size.x * size.y; i += int(gl_WorkGroupSize.x))
        cast_texel(element, element.low + ivec2(i % size.x, i / size.x));
}
#endif
#endif

void main()
{
    first_vertex = push.first_vertex + gl_WorkGroupID.y * push.vertex_total;
    uint index = gl_GlobalInvocationID.x;
#ifdef VERTICES
    if (index < push.count) cast_vertex(index);
#else
    Element element;
    bool casts = index < push.count && load_element(index, element);
#ifdef TEXELS
    if (casts) cast_alone(element);
#else
    if (gl_LocalInvocationIndex == 0u) large_count = 0u;
    barrier();
    if (casts) {
        ivec2 size = element.high - element.low + 1;
        if (size.x * size.y <= max_texels_alone)
            cast_alone(element);
        else
            large[atomicAdd(large_count, 1u)] = index;
    }
    barrier();
    for (uint i = 0u; i < large_count; ++i)
        if (load_element(large[i], element)) cast_together(element);
#endif
#endif
}
