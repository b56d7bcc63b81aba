// What is behind the model: backdrop or background, and the shadow on the ground, found by the ray's crossing
// with the ground plane, so that the ground needs no geometry and no depth. Reads `frame`, `shadow_texture` and SHARE.

float ground_shadow(vec2 clip)
{
    vec3 across = clip.x * frame.ray_x.xyz + clip.y * frame.ray_y.xyz;
    bool perspective = frame.eye.w > 0.5;
    vec3 origin = frame.eye.xyz + (perspective ? vec3(0.0) : across);
    vec3 direction = frame.ray.xyz + (perspective ? across : vec3(0.0));
    float t = (frame.ground.x - origin.y) / min(direction.y, -1e-6);
    vec2 at = origin.xz + t * direction.xz;
    vec2 uv = (at - frame.shadow.xy) * frame.shadow.z + 0.5;
    float seen = t > 0.0 && direction.y < -1e-6 ? 1.0 : 0.0;
    // At a grazing angle the plane is a line; the shadow fades there instead of flickering.
    seen *= smoothstep(0.0, 0.06, -direction.y * inversesqrt(dot(direction, direction)));
    vec2 shade = textureLod(shadow_texture, uv, 0.0).rg;
    return seen * frame.ground.y * (1.0 - (1.0 - shade.r) * (1.0 - shade.g));
}

// A seamless roll of grey paper: bright where the light pools behind the model, falling off to the corners.
// White models stand out from it, and black ones; without a tint, which video at low rates would get wrong.
vec3 studio_backdrop(vec2 clip)
{
    vec2 p = clip * vec2(min(frame.viewport.x * frame.viewport.w, 1.5), 1.0);
    float pool = exp(-0.55 * dot(p - vec2(-0.05, -0.12), p - vec2(-0.05, -0.12)));
    const float dark = 0.235;
    const float light = 0.572;
    return vec3(mix(dark, light, pool));
}

// Linear, premultiplied. clip: -1 .. 1, y down.
vec4 behind(vec2 clip)
{
    vec4 colour = frame.backdrop.x > 0.5 ? vec4(studio_backdrop(clip), 1.0) : frame.background;
    float shade = SHARE != 0 && frame.ground.w > 0.5 ? ground_shadow(clip) : 0.0;
    vec3 tint = frame.backdrop.x > 0.5 ? vec3(0.03, 0.033, 0.04) * colour.a : vec3(0.0);
    return vec4(mix(colour.rgb, tint, shade), colour.a + shade * (1.0 - colour.a));
}
