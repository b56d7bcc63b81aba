// Unit vectors as two 16-bit snorm values: octahedral encoding (Cigolle et al., 2014).
vec3 decode_octahedral(vec2 e)
{
    vec3 n = vec3(e, 1.0 - abs(e.x) - abs(e.y));
    float t = max(-n.z, 0.0);
    n.x += n.x >= 0.0 ? -t : t;
    n.y += n.y >= 0.0 ? -t : t;
    return normalize(n);
}

// n: |x| + |y| + |z| = 1.
vec2 unfold_octahedral(vec3 n)
{
    float below = max(-n.z, 0.0);
    return n.xy + vec2(n.x >= 0.0 ? below : -below, n.y >= 0.0 ? below : -below);
}

uint pack_octahedral(vec3 n)
{
    ivec2 q = ivec2(roundEven(unfold_octahedral(n) * 32767.0));
    return uint(q.x & 0xFFFF) | uint(q.y) << 16;
}

// Tangents: x in 16 bits, the bitangent's sign in one (1: negative), y in 15. t.xyz: |x| + |y| + |z| = 1.
uint pack_tangent(vec4 t)
{
    ivec2 q = ivec2(roundEven(unfold_octahedral(t.xyz) * vec2(32767.0, 16383.0)));
    return uint(q.x & 0xFFFF) | (t.w < 0.0 ? 0x10000u : 0u) | uint(q.y) << 17;
}

vec4 decode_tangent(uint packed)
{
    ivec2 q = ivec2(packed << 16, packed) >> ivec2(16, 17);
    return vec4(decode_octahedral(vec2(q) / vec2(32767.0, 16383.0)), (packed & 0x10000u) != 0u ? -1.0 : 1.0);
}
