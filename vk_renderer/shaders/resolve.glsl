// Included by resolve.frag and resolve.comp after their inputs: background.glsl as in_NAME, `shadow_texture`,
// `samples` (unless BACKGROUND_ONLY), the specialization constants STUDIO, SAMPLES and GROUND_REGION, and pixel(),
// the position in the image in pixels.

#ifndef BACKGROUND_ONLY
vec4 average()
{
#ifdef MULTISAMPLE
    ivec2 at = ivec2(pixel());
    return 0.25 * (texelFetch(samples, at, 0) + texelFetch(samples, at, 1) + texelFetch(samples, at, 2) + texelFetch(samples, at, 3));
#else
    // In texels, the corner of four: as a fraction of the image it would be rounded, and the weights would depend on the size
    // of the target.
    return textureLod(samples, pixel() * in_sample_scale, 0.0);
#endif
}
#endif

vec3 here(Linear l) { return l.start + pixel().x * l.right + pixel().y * l.down; }

float ground_shadow()
{
    vec3 d = here(in_direction);
    vec3 origin = here(in_origin);
    float t = origin.z / min(d.y, -1e-6);
    vec2 uv = origin.xy + t * in_ground.y * d.xz;
    float ground_weight = t > 0.0 && d.y < -1e-6 ? in_ground.x : 0.0;
    // At grazing angles the plane becomes a line; the shadow fades out there to avoid flicker.
    ground_weight *= smoothstep(0.0, 0.06, -d.y * inversesqrt(dot(d, d)));
    vec2 shade = textureLod(shadow_texture, uv, 0.0).rg;
    return ground_weight * (1.0 - (1.0 - shade.r) * (1.0 - shade.g));
}

// On a page of the background's color, the image border would cut off the shadow: it fades out over the last
// eighth of the distance and is zero in the border pixels. With the backdrop the image ends there anyway.
float within_border()
{
    vec2 inside = 1.0 - in_clip_per_pixel - abs(pixel() * in_clip_per_pixel - 1.0); // 0 at the centers of the outermost pixels
    vec2 f = smoothstep(0.0, 0.25, inside);
    return f.x * f.y;
}

// A seamless roll of gray paper, brighter behind the model and darker toward the corners. Both white and
// black models contrast with it; it has no tint, which low-rate video would distort.
vec3 studio_backdrop()
{
    const float dark = 0.235;
    const float light = 0.572;
    vec2 p = in_pool.xy + pixel() * in_pool.zw;
    return vec3(mix(dark, light, exp(-0.55 * dot(p, p))));
}

// Uses square roots, which cost a tenth of a power on a CPU; within 0.3 of an 8-bit step of the exact
// function.
vec3 to_srgb(vec3 c)
{
    vec3 s2 = sqrt(c);
    vec3 s4 = sqrt(s2);
    vec3 s8 = sqrt(s4);
    vec3 high = 0.585122381 * s2 + 0.783140355 * s4 - 0.368262736 * s8;
    return mix(high, c * 12.92, lessThanEqual(c, vec3(0.0031308)));
}

// Linear, premultiplied. A page composites by alpha in sRGB space: the shadow's alpha is chosen so that the
// result on a white page equals that of linear light.
vec4 behind()
{
    bool backdrop = in_ground.z > 0.5;
    vec4 color = backdrop ? vec4(studio_backdrop(), 1.0) : in_background;
    float shade = GROUND_REGION != 0 ? ground_shadow() : 0.0;
    shade *= backdrop ? 1.0 : within_border();
    vec3 tint = backdrop ? vec3(0.03, 0.033, 0.04) : vec3(0.0);
    float covers = 1.0 - to_srgb(vec3(1.0 - shade)).x;
    return vec4(mix(color.rgb, tint, shade), color.a + covers * (1.0 - color.a));
}

#ifndef BACKGROUND_ONLY
// Straight alpha in sRGB.
vec4 resolved()
{
    vec4 c = SAMPLES ? average() : vec4(0.0);
    c += (1.0 - c.a) * (STUDIO ? behind() : in_background);
    vec3 straight = c.a > 0.0 ? c.rgb / c.a : vec3(0.0);
    return vec4(to_srgb(clamp(straight, 0.0, 1.0)), c.a);
}
#endif
