// glTF's material extensions: specular, clearcoat, sheen, transmission and volume. Their parameters
// are read here instead of in the vertex shader, because few materials have them.

// `index`: of the texture among those of the extensions.
vec4 extension_texel(sampler2D image, uint index)
{
    UvTransform t = material.extensions.uv[index];
#ifdef MORE_UVS
    vec4 sets = t.u.w < 1.5 ? in_sets : t.u.w < 3.5 ? in_sets2 : t.u.w < 5.5 ? in_sets4 : in_sets6;
    vec2 uv = (uint(t.u.w + 0.5) & 1u) == 0u ? sets.xy : sets.zw;
#else
    vec2 uv = t.u.w > 0.5 ? in_sets.zw : in_sets.xy;
#endif
    return texel_of(image, vec2(dot(t.u.xy, uv) + t.u.z, dot(t.v.xy, uv) + t.v.z), 0.0);
}

float largest(vec3 c)
{
    return max(c.r, max(c.g, c.b));
}

// Fraction of a uniform white environment reflected by Charlie's distribution with Ashikhmin's visibility
// (Estevez and Kulla, "Production Friendly Microfacet Sheen BRDF", 2017); fitted to its integral within 0.04
// for roughness 0.2 to 1.
float sheen_reflectance(float roughness, float n_dot_v)
{
    float r = max(roughness, 0.2), n = n_dot_v;
    float start = -0.273 + 0.184 / r - 0.471 * r;
    float slope = -0.366 - 1.188 / r + 0.082 * r;
    return min(1.0, exp(start + n * (slope + n * n * (0.536 - 0.392 / r))));
}

// `through`: transmitted fraction of the light from behind, by color. n: with the normal map, smooth_n:
// without, as the coat has a smooth surface.
vec3 shade_with_extensions(vec3 base, vec3 n, vec3 smooth_n, vec3 v, out vec3 through)
{
    Surface s = read_surface();
    float n_dot_v = max(dot(n, v), 0.0);
    vec2 shares = reflectance_terms(s.roughness, n_dot_v);
    float weight = material.extensions.specular.w * extension_texel(specular_texture, 0).a;
    vec3 f0 = min(material.extensions.specular.rgb * extension_texel(specular_color_texture, 1).rgb, 1.0) * weight;
    vec3 share = mix(f0 * shares.x + weight * shares.y, base * shares.x + shares.y, s.metallic);
    // Reflected light does not enter the surface; other materials ignore reflectance of 4 %.
    vec3 inside = base * ((1.0 - s.metallic) * min((1.0 - largest(f0)) / 0.96, 1.0));
    float transmitted = material.extensions.coat.z * extension_texel(transmission_texture, 6).r;
    // Beer-Lambert law. Scaling a mesh scales its thickness, but not the absorption per meter.
    vec4 volume = material.extensions.absorption;
    vec3 passing = exp(-volume.rgb * (volume.w * push.mesh_scale));
    through = inside * passing * (transmitted * (1.0 - largest(share)));
    vec3 irradiance = studio_irradiance(n, s.occlusion, s.ground);
    vec3 color = inside * (1.0 - transmitted) * irradiance + share * reflected(n, v, s.roughness, s);

    vec3 sheen = material.extensions.sheen.rgb * extension_texel(sheen_texture, 4).rgb;
    float fuzz = sheen_reflectance(material.extensions.sheen.w * extension_texel(sheen_roughness_texture, 5).a, n_dot_v);
    float below = 1.0 - largest(sheen) * fuzz;
    color = color * below + sheen * fuzz * irradiance + s.emissive;

    float coat_roughness = clamp(material.extensions.coat.y * extension_texel(coat_roughness_texture, 3).g, 0.06, 1.0);
    vec2 coat_shares = reflectance_terms(coat_roughness, max(dot(smooth_n, v), 0.0));
    float coat = material.extensions.coat.x * extension_texel(coat_texture, 2).r * (0.04 * coat_shares.x + coat_shares.y);
    through *= below * (1.0 - coat);
    return color * (1.0 - coat) + coat * reflected(smooth_n, v, coat_roughness, s);
}

void write_with_extensions(vec3 color, float alpha, vec3 through)
{
#ifdef DUAL_SOURCE
    out_color = vec4(color * alpha, alpha * (1.0 - largest(through)));
    out_destination_factor = vec4(mix(vec3(1.0), through, alpha), 1.0 - out_color.a);
#else
    // One factor for the background, with the tint relative to gray.
    float least = min(through.r, min(through.g, through.b));
    vec3 premultiplied = (color + 0.5 * (through - least)) * alpha;
    out_color = vec4(premultiplied, max(alpha * (1.0 - least), largest(premultiplied))); // a highlight is opaque in proportion to its brightness
#endif
}
