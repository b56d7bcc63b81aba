#version 460
#extension GL_GOOGLE_include_directive : require
// Throws one triangle, line, point or vertex an invocation onto the ground along the key light, into a small map of heights
// above the ground, the lowest kept: what touches the floor shadows sharply, what floats softly. Compute, not raster:
// the map has few texels, and a triangle that covers one or two costs a software device a tenth of its setup.
#include "shared.h"
#include "texels.glsl"

layout(local_size_x = 64) in;

layout(binding = 0, std140) uniform Frame { FrameParams frame; };
TEXEL_ARRAY(1, skinned);
layout(binding = 2, std430) readonly buffer Indices { uint indices[]; };
layout(binding = 3, r32ui) uniform uimage2D heights; // a float's bits; they order as the floats do
layout(push_constant) uniform Constants { CastPush push; };

// Texel coordinates in the map, and the height as a share of what the map covers.
vec3 thrown(uint index)
{
    vec3 p = FLOATS(skinned, push.first_vertex + index).xyz - frame.centre.xyz;
    float height = max(p.y - frame.ground.x, 0.0);
    vec2 at = p.xz - frame.key.xz * (height / max(frame.key.y, 0.1));
    vec2 uv = (at - frame.shadow.xy) * frame.shadow.z + 0.5;
    return vec3(uv * float(push.size), clamp(height * frame.shadow.w, 0.0, 0.999));
}

float turn(vec2 a, vec2 b) { return a.x * b.y - a.y * b.x; }

// How far p lies to the left of the line from a to b, in texels; 0 where the line is a point.
float left_of(vec2 a, vec2 b, vec2 p)
{
    vec2 along = b - a;
    float size = length(along);
    return size > 0.0 ? turn(along, p - a) / size : 0.0;
}

void main()
{
    uint element = gl_GlobalInvocationID.x;
    if (element >= push.count) return;
#ifdef VERTICES
    vec3 a = thrown(element);
    vec2 texel = clamp(a.xy, vec2(-1.0), vec2(push.size));
    if (all(greaterThanEqual(texel, vec2(0.0))) && all(lessThan(texel, vec2(push.size))))
        imageAtomicMin(heights, ivec2(texel), floatBitsToUint(a.z));
#else
    uint first = push.first_index + element * push.corners;
    vec3 a = thrown(indices[first]);
    vec3 b = thrown(indices[first + min(1u, push.corners - 1u)]);
    vec3 c = thrown(indices[first + push.corners - 1u]);
    // A texel is covered when its middle lies within half a texel of the shape, so that thin things cast too.
    float limit = float(push.size);
    ivec2 low = ivec2(clamp(floor(min(min(a.xy, b.xy), c.xy)), vec2(0.0), vec2(limit - 1.0)));
    ivec2 high = ivec2(clamp(floor(max(max(a.xy, b.xy), c.xy)), vec2(-1.0), vec2(limit - 1.0)));
    low = clamp(low, ivec2(0), ivec2(push.size - 1));
    high = clamp(high, ivec2(-1), ivec2(push.size - 1));
    float area = turn(b.xy - a.xy, c.xy - a.xy);
    float side = area < 0.0 ? -1.0 : 1.0;
    float lowest = min(min(a.z, b.z), c.z);
    float highest = max(max(a.z, b.z), c.z);
    for (int y = low.y; y <= high.y; ++y)
        for (int x = low.x; x <= high.x; ++x) {
            vec2 p = vec2(x, y) + 0.5;
            float inside = min(min(side * left_of(a.xy, b.xy, p), side * left_of(b.xy, c.xy, p)), side * left_of(c.xy, a.xy, p));
            if (inside < -0.5) continue;
            float height = lowest;
            if (abs(area) > 1e-3)
                height = a.z + (turn(p - a.xy, c.xy - a.xy) * (b.z - a.z) + turn(b.xy - a.xy, p - a.xy) * (c.z - a.z)) / area;
            imageAtomicMin(heights, ivec2(x, y), floatBitsToUint(clamp(height, lowest, highest)));
        }
#endif
}
