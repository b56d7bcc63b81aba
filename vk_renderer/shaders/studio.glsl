// Analytic studio lighting: a large key softbox high on one side, a fill light on the other, a rim light
// behind, a white cove below and around. The lights rotate with the camera, so that every view is lit well,
// including views from below; in the space of surface.glsl they are constant. A texture's occlusion darkens
// the ambient light but not the lights, as glTF 2.0 requires.

// Same convention as direction() of camera.cpp.
vec3 light_at(vec2 angles)
{
    vec2 a = radians(angles);
    return vec3(sin(a.x) * cos(a.y), sin(a.y), cos(a.x) * cos(a.y));
}

// Radiance of the environment in direction d, blurred by roughness.
vec3 studio_radiance(vec3 d, float roughness, float occlusion)
{
    float blurred = min(2.5 * roughness, 1.0); // no visible edge above this roughness
    float up = d.y * 0.5 + 0.5;
    float wall = smoothstep(mix(0.36, 0.15, blurred), mix(0.66, 0.95, blurred), up);
    vec3 cove = mix(vec3(0.20, 0.195, 0.19), vec3(0.62, 0.64, 0.67), wall);
    // A softbox is as wide as the light plus the spread of the roughness: a spherical Gaussian, with a flat
    // top and an edge for polished surfaces.
    float spread = 0.035 + roughness * roughness * 0.6;
    vec3 off = vec3(1.0) - vec3(dot(d, light_at(key_angles)), dot(d, light_at(fill_angles)), dot(d, light_at(rim_angles)));
    off *= vec3(1.0, 0.6, 1.0) / spread;
    vec3 lit = exp(-off * mix(off * off, vec3(1.0), blurred)) * min(1.0, 0.16 / spread + 0.25);
    return cove * occlusion + vec3(1.0, 0.97, 0.93) * (2.6 * lit.x) + vec3(0.92, 0.96, 1.0) * (0.9 * lit.y) + vec3(1.2 * lit.z);
}

// Diffuse irradiance at a surface of normal n, divided by pi. `ground` is 1 at the ground, where light from
// the floor is blocked, and 0 far above.
vec3 studio_irradiance(vec3 n, float occlusion, float ground)
{
    float up = n.y * 0.5 + 0.5;
    vec3 cove = mix(vec3(0.15, 0.142, 0.134) * (1.0 - 0.65 * ground), vec3(0.31, 0.323, 0.34), up * up * (3.0 - 2.0 * up));
    float key = max((dot(n, light_at(key_angles)) + 0.12) / 1.12, 0.0);
    float fill = max((dot(n, light_at(fill_angles)) + 0.35) / 1.35, 0.0);
    float rim = max(dot(n, light_at(rim_angles)), 0.0);
    return cove * occlusion + vec3(1.0, 0.965, 0.92) * (key_strength * key) +
           vec3(0.90, 0.95, 1.0) * (fill_strength * fill) + vec3(rim_strength * rim);
}

// Reflection of the environment by a rough surface: x multiplies the reflectance at normal incidence, y the
// grazing reflectance. Analytic fit of the split-sum table (Karis, "Physically Based Shading on Mobile",
// 2014).
vec2 reflectance_terms(float roughness, float n_dot_v)
{
    vec4 r = roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
    float a = min(r.x * r.x, exp2(-9.28 * n_dot_v)) * r.x + r.y;
    return vec2(-1.04, 1.04) * a + r.zw;
}

// Khronos PBR Neutral: preserves base colors, compresses only highlights.
vec3 tone_map(vec3 c)
{
    float low = min(c.r, min(c.g, c.b));
    c -= low < 0.08 ? low - 6.25 * low * low : 0.04;
    float peak = max(c.r, max(c.g, c.b));
    const float start = 0.8 - 0.04;
    if (peak < start) return c;
    const float room = 1.0 - start;
    float compressed = 1.0 - room * room / (peak + room - start);
    c *= compressed / peak;
    return mix(c, vec3(compressed), 1.0 - 1.0 / (0.15 * (peak - compressed) + 1.0));
}
