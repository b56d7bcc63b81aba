#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_demote_to_helper_invocation : require
// TEXTURES: 0 none, 1 base color, 2 all; TANGENTS: the normal map uses the mesh's tangents;
// SAMPLE_MASK: tests the alpha of each of a pixel's four samples, with mip levels to match, and shades once;
// MATERIAL_EXTENSIONS: see material_extensions.glsl; DUAL_SOURCE: the background shines through, per color channel; DISCS:
// round points; MORE_UVS: see mesh.vert.
#include "shared.h"
#include "raster_bindings.glsl"
#include "studio.glsl"
#include "anisotropy.glsl"

layout(constant_id = 0) const uint LIGHT = 1;   // 0 reference, 1 studio
layout(constant_id = 1) const uint ALPHA = 0;   // 0 opaque, 1 mask, 2 blend
layout(constant_id = 2) const uint SURFACE = 0; // 0 lit, 1 unlit, 2 lines and points without lighting
layout(constant_id = 3) const bool WIRE = false;
layout(constant_id = 4) const uint DEBUG_VIEW = 0; // 0 the material, 1 UVs, 2 vertex colors (weights), 3 X-ray, 4 ghost
layout(constant_id = 5) const float WIRE_WIDTH_FRACTION = 1.0; // requested line width / drawn line width, for lines wider than requested
layout(constant_id = 6) const bool TRANSLUCENT = false; // lines and points
layout(constant_id = 8) const bool FLAT = false; // the triangle's own normal; in_normal contains the position

#define SURFACE_VARYING(at, how, type, name) layout(location = at) how in type in_##name
#include "surface.glsl"

#ifdef DUAL_SOURCE
layout(location = 0, index = 0) out vec4 out_color;
layout(location = 0, index = 1) out vec4 out_destination_factor; // multiplies the destination
#else
layout(location = 0) out vec4 out_color; // linear, premultiplied
#endif

#ifdef DISCS
// Covers as many of the four samples of a pixel at the rim as the disc does; the square exceeds the disc by
// half a sample. With one sample, it is bit 0.
int disc_samples()
{
    float within = (0.5 - distance(gl_PointCoord, vec2(0.5))) * image_params.ray_x.w * image_params.center_ray.w;
    const int masks[5] = int[](0, 2, 3, 7, 15);
    return masks[int(clamp(within, 0.0, 1.0) * 4.0 + 0.5)];
}
#endif

#if TEXTURES == 2
#ifdef TANGENTS
// The mesh's own tangent frame. Back faces negate all three axes: they are the inner side of the same relief.
vec3 mapped_normal(vec3 n, vec2 uv, vec3 texel, float scale)
{
    float side = gl_FrontFacing ? 1.0 : -1.0;
    vec3 outward = side * n;
    vec3 t = in_tangent.xyz - outward * dot(outward, in_tangent.xyz);
    float size = dot(t, t);
    if (!(size > 0.0)) return n;
    t *= inversesqrt(size);
    vec3 b = cross(outward, t) * (in_tangent.w < 0.0 ? -1.0 : 1.0);
    vec3 m = (texel * 2.0 - 1.0) * vec3(scale, scale, 1.0);
    return side * normalize(t * m.x + b * m.y + outward * m.z);
}
#else
// The tangent frame from screen-space derivatives (Schueler, "Normal Mapping without Precomputed Tangents").
vec3 mapped_normal(vec3 n, vec2 uv, vec3 texel, float scale)
{
    vec3 dp1 = dFdx(in_position), dp2 = dFdy(in_position);
    vec2 duv1 = dFdx(uv), duv2 = dFdy(uv);
    // Where UVs are constant their derivatives are rounding errors, and a tangent made from them would be
    // noise.
    float rounding = 4e-7 * max(max(abs(uv.x), abs(uv.y)), 1.0);
    if (max(dot(duv1, duv1), dot(duv2, duv2)) <= rounding * rounding) return n;
    // The screen's y points down and back faces are mirrored: the sign of the determinant gives the
    // orientation.
    float side = dot(cross(dp1, dp2), n) < 0.0 ? -1.0 : 1.0;
    vec3 dp2perp = side * cross(dp2, n), dp1perp = side * cross(n, dp1);
    vec3 t = dp2perp * duv1.x + dp1perp * duv2.x;
    vec3 b = dp2perp * duv1.y + dp1perp * duv2.y;
    float longest = max(dot(t, t), dot(b, b));
    if (!(longest > 0.0)) return n;
    vec3 m = (texel * 2.0 - 1.0) * vec3(scale, scale, 1.0);
    // V points down in texture space, the bitangent of a normal map points up.
    return normalize((t * m.x - b * m.y) * inversesqrt(longest) + n * m.z);
}
#endif
#endif

vec3 uv_checker(vec2 uv)
{
    vec2 cell = floor(uv * 8.0);
    vec2 within = fract(uv);
    vec3 hue = vec3(within, 0.75 - 0.5 * dot(within, vec2(0.5)));
    float bright = mod(cell.x + cell.y, 2.0);
    return mix(0.10 + 0.30 * hue, 0.30 + 0.65 * hue, bright);
}

// Only the nearest surface: it is drawn without blending, so that surfaces behind it do not add up.
vec4 xray(vec3 n, vec3 v)
{
    float rim = 1.0 - abs(dot(n, v));
    float alpha = 0.22 + 0.75 * rim * rim;
    return vec4(mix(vec3(0.03, 0.16, 0.34), vec3(0.01, 0.10, 0.30), rim) * alpha, alpha);
}

// in_color: the ghost's color and opacity. Denser at grazing angles, which outlines it; with opacity 0 only its
// depth is drawn.
vec4 ghost(float facing)
{
    float alpha = min(in_color.a * mix(1.6, 1.0, facing), 1.0);
    return vec4(in_color.rgb * (0.5 + 0.5 * facing) * alpha, alpha);
}

vec3 emission()
{
#if TEXTURES == 2
    return in_glow.rgb * texel_of(emissive_texture, in_uv3, 0.0).rgb;
#else
    return in_glow.rgb;
#endif
}

struct Surface {
    float metallic;
    float roughness;
    float occlusion;
    vec3 emissive;
    float ground; // 1 at the ground, 0 far above
};

Surface read_surface()
{
    Surface s = Surface(in_glow.w, in_view.w, 1.0, emission(), exp(-4.0 * max(in_normal.w, 0.0)));
#if TEXTURES == 2
    vec4 texel = texel_of(surface_texture, in_uv2.xy, 0.0);
    s.roughness *= texel.g;
    s.metallic *= texel.b;
    s.occlusion = 1.0 + in_relief.y * (texel_of(occlusion_texture, in_uv2.zw, 0.0).r - 1.0);
#endif
    s.roughness = clamp(s.roughness, 0.06, 1.0);
    return s;
}

// Dims reflections of directions below the surface's horizon or toward the floor next to it.
vec3 reflected(vec3 n, vec3 v, float roughness, Surface s)
{
    vec3 r = reflect(-v, n);
    float floor_block = 1.0 - 0.6 * s.ground * smoothstep(0.1, -0.5, r.y);
    return studio_radiance(r, roughness, s.occlusion) * floor_block;
}

vec3 studio_shade(vec3 base, vec3 n, vec3 v)
{
    Surface s = read_surface();
    vec2 shares = reflectance_terms(s.roughness, max(dot(n, v), 0.0));
    vec3 share = mix(vec3(0.04), base, s.metallic) * shares.x + shares.y;
    vec3 diffuse = base * (1.0 - s.metallic) * studio_irradiance(n, s.occlusion, s.ground);
    vec3 specular = share * reflected(n, v, s.roughness, s);
    return diffuse + specular + s.emissive;
}

#ifdef MATERIAL_EXTENSIONS
#include "material_extensions.glsl"
#endif

#ifdef SAMPLE_MASK
vec4 base_at_sample(int i)
{
    vec4 base = interpolateAtSample(in_color, i);
#if TEXTURES > 0
    base *= texel_of(base_texture, interpolateAtSample(in_uv, i).xy, -1.0); // derivatives are per pixel
#endif
    return base;
}
#else
vec4 base_at_center()
{
    vec4 base = in_color;
#if TEXTURES > 0
    if (DEBUG_VIEW == 1)
        base = vec4(uv_checker(in_uv.xy), 1.0);
    else
        base *= texel_of(base_texture, in_uv.xy, 0.0);
#endif
    return base;
}
#endif

// A vertex alpha equal to the cutoff is visible, but interpolation may make it slightly smaller.
bool is_cut(float alpha) { return alpha < material.emissive.w - 1.0 / 1024.0; }

// The material's color before lighting. Alpha-tested fragments are not written, but go on: textures read later
// need the derivatives of all four fragments of a quad, which `discard` leaves undefined.
vec4 base_color()
{
#ifdef SAMPLE_MASK
    vec4 sum = vec4(0.0); // of the samples that are written
    int written = 0;
    for (int i = 0; i < 4; ++i) {
        vec4 base = base_at_sample(i);
        bool shown = !is_cut(base.a) && (gl_SampleMaskIn[0] & (1 << i)) != 0;
        written |= shown ? 1 << i : 0;
        sum += shown ? vec4(base.rgb, 1.0) : vec4(0.0);
    }
    gl_SampleMask[0] = written;
    if (written == 0) demote;
    return vec4(sum.rgb / max(sum.a, 1.0), 1.0);
#else
    vec4 base = base_at_center();
    if (ALPHA == 1 && is_cut(base.a)) demote;
    return base;
#endif
}

vec4 unlit(vec3 color, float alpha)
{
    if (SURFACE == 2 && LIGHT == 1) {
        // No normals for shading and no color of their own: white ones would be invisible against the studio
        // backdrop.
        float brightness = dot(color, vec3(0.2126, 0.7152, 0.0722));
        color *= min(1.0, 0.22 / max(brightness, 1e-4));
    }
    return vec4(clamp(color + emission(), 0.0, 1.0) * alpha, alpha); // glTF 2.0, 3.9.7
}

void write_lit(vec3 base, float alpha, vec3 n, vec3 v)
{
    vec3 color;
    if (LIGHT == 0) {
        color = base * (0.3 + 0.7 * max(dot(n, v), 0.0));
        if (TRANSLUCENT) color += emission();
    } else {
#if TEXTURES == 2
        vec3 smooth_n = n;
        if (!TRANSLUCENT) n = mapped_normal(n, in_uv.zw, texel_of(normal_texture, in_uv.zw, 0.0).xyz, in_relief.x);
#endif
#ifdef MATERIAL_EXTENSIONS
        vec3 through;
        color = tone_map(shade_with_extensions(base, n, smooth_n, v, through));
        write_with_extensions(clamp(color, 0.0, 1.0), alpha, through);
        return;
#else
        color = tone_map(studio_shade(base, n, v));
#endif
    }
    out_color = vec4(clamp(color, 0.0, 1.0) * alpha, alpha);
}

// Toward the viewer. The screen's y points down.
vec3 shading_normal()
{
    if (FLAT) return normalize(cross(dFdy(in_normal.xyz), dFdx(in_normal.xyz)));
    vec3 n = normalize(in_normal.xyz);
    return gl_FrontFacing ? n : -n;
}

void main()
{
    if (WIRE) {
        out_color = vec4(vec3(0.012, 0.02, 0.035), 1.0) * (0.85 * WIRE_WIDTH_FRACTION);
        return;
    }
#ifdef DISCS
    gl_SampleMask[0] = disc_samples();
#endif
    vec3 n = shading_normal();
    if (DEBUG_VIEW == 4) {
        out_color = ghost(SURFACE == 2 ? 1.0 : abs(dot(n, normalize(in_view.xyz))));
        return;
    }
    vec4 base = base_color();
    float alpha = ALPHA == 2 ? clamp(base.a, 0.0, 1.0) : 1.0;
    if (SURFACE == 2 || (SURFACE == 1 && LIGHT == 1)) {
        out_color = unlit(base.rgb, alpha);
        return;
    }
    vec3 v = normalize(in_view.xyz);
    if (DEBUG_VIEW == 3)
        out_color = xray(n, v);
    else
        write_lit(base.rgb, alpha, n, v);
}
