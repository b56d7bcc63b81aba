#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_arithmetic : require
// Reduces each frame's skinned vertices to their box. A separate pass: on lavapipe, atomics in the skinning
// shader halve its speed, while this strided loop runs at memory speed.
#include "shared.h"
#include "texels.glsl"

layout(local_size_x = 64) in;

TEXEL_ARRAY(0, skinned);
WORD_ARRAY(1, used);
// Per frame: min x y z, max x y z as integers in the order of the floats; 8 words.
layout(binding = 2, std430) buffer Bounds { uint bounds[]; };
layout(push_constant) uniform Constants { BoundsPushConstants push; };

uint ordered(float f)
{
    uint bits = floatBitsToUint(f);
    return (bits & 0x80000000u) != 0u ? ~bits : bits | 0x80000000u;
}

void main()
{
    uint frame = gl_WorkGroupID.y;
    uint total = push.vertex_total; // read once, because lavapipe would read it per lane in the loop
    uint first = frame * total;
    uint stride = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    vec3 low = vec3(3.402823466e38);
    vec3 high = vec3(-3.402823466e38);
    for (uint v = gl_GlobalInvocationID.x; v < total; v += stride) {
        vec3 p = FLOATS(skinned, first + v).xyz;
#ifdef MASKED
        if ((WORD(used, v >> 5) >> (v & 31u) & 1u) == 0u) continue;
#endif
        low = min(low, p);
        high = max(high, p);
    }
    low = subgroupMin(low);
    high = subgroupMax(high);
    if (!subgroupElect()) return;
    for (int i = 0; i < 3; ++i) {
        atomicMin(bounds[frame * 8u + uint(i)], ordered(low[i]));
        atomicMax(bounds[frame * 8u + 3u + uint(i)], ordered(high[i]));
    }
}
