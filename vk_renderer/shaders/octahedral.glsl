// Unit vectors as two 16-bit snorm: the octahedron unfolded onto a square (Cigolle et al., 2014).
vec3 decode_octahedral(vec2 e)
{
    vec3 n = vec3(e, 1.0 - abs(e.x) - abs(e.y));
    float t = max(-n.z, 0.0);
    n.x += n.x >= 0.0 ? -t : t;
    n.y += n.y >= 0.0 ? -t : t;
    return normalize(n);
}

// n: |x| + |y| + |z| = 1.
uint pack_octahedral(vec3 n)
{
    float below = max(-n.z, 0.0);
    vec2 e = n.xy + vec2(n.x >= 0.0 ? below : -below, n.y >= 0.0 ? below : -below);
    ivec2 q = ivec2(roundEven(e * 32767.0));
    return uint(q.x & 0xFFFF) | uint(q.y) << 16;
}
