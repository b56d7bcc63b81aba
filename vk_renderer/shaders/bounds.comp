#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_arithmetic : require
// The box of each frame's skinned vertices. A pass of its own: on lavapipe atomics inside the skinning shader
// halve its speed, while this strided walk runs at the speed of memory.
#include "shared.h"

layout(local_size_x = 64) in;

#ifdef TEXELS
layout(binding = 0) uniform samplerBuffer skinned;
vec3 position_of(uint i) { return texelFetch(skinned, int(i)).xyz; }
#else
layout(binding = 0, std430) readonly buffer Skinned { vec4 skinned[]; };
vec3 position_of(uint i) { return skinned[i].xyz; }
#endif
layout(binding = 1, std430) readonly buffer Used { uint used[]; };
// Per frame: min x y z, max x y z as integers of the same order; 8 words.
layout(binding = 2, std430) buffer Bounds { uint bounds[]; };
layout(push_constant) uniform Constants { BoundsPush push; };

uint ordered(float f)
{
    uint bits = floatBitsToUint(f);
    return (bits & 0x80000000u) != 0u ? ~bits : bits | 0x80000000u;
}

void main()
{
    uint frame = gl_WorkGroupID.y;
    uint stride = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    vec3 low = vec3(3.402823466e38);
    vec3 high = vec3(-3.402823466e38);
    for (uint v = gl_GlobalInvocationID.x; v < push.vertex_total; v += stride) {
        vec3 p = position_of(frame * push.vertex_total + v);
#ifdef MASKED
        if ((used[v >> 5] >> (v & 31u) & 1u) == 0u) continue;
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
