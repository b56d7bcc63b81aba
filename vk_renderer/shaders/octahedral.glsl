// Unit vectors as two 16-bit snorm: the octahedron unfolded onto a square (Cigolle et al., 2014).
vec3 decode_octahedral(vec2 e)
{
    vec3 n = vec3(e, 1.0 - abs(e.x) - abs(e.y));
    float t = max(-n.z, 0.0);
    n.x += n.x >= 0.0 ? -t : t;
    n.y += n.y >= 0.0 ? -t : t;
    return normalize(n);
}

uint encode_octahedral(vec3 n)
{
    n /= max(abs(n.x) + abs(n.y) + abs(n.z), 1e-30);
    vec2 folded = (1.0 - abs(n.yx)) * vec2(n.x >= 0.0 ? 1.0 : -1.0, n.y >= 0.0 ? 1.0 : -1.0);
    return packSnorm2x16(n.z >= 0.0 ? n.xy : folded);
}
