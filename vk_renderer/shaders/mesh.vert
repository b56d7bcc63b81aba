#version 460
#extension GL_GOOGLE_include_directive : require
// TEXTURES: 0 none, 1 base color, 2 all; TANGENTS: the normal map uses the mesh's tangents;
// MATERIAL_EXTENSIONS: see material_extensions.glsl; MORE_UVS: the textures use more than two UV sets.
#include "shared.h"
#include "octahedral.glsl"
#include "raster_bindings.glsl"

layout(constant_id = 3) const bool WIRE = false;
layout(constant_id = 4) const uint DEBUG_VIEW = 0; // see mesh.frag
layout(constant_id = 8) const bool FLAT = false; // see mesh.frag

layout(location = 0) in vec3 in_position;
layout(location = 1) in vec2 in_normal;
layout(location = 2) in vec2 in_uv0;
layout(location = 3) in vec2 in_uv1;
layout(location = 4) in vec4 in_color;
#ifdef TANGENTS
layout(location = 5) in uint in_tangent;
#endif

#ifdef MORE_UVS
layout(binding = 9, std430) readonly buffer MoreUvs { vec2 more_uvs[]; }; // push.more_uv_sets per vertex
#endif

#define SURFACE_VARYING(at, how, type, name) layout(location = at) how out type out_##name
#include "surface.glsl"

// Rotates by the camera's yaw, so that it looks along -Z, and by its pitch if it looks up from below.
vec3 turned(vec3 d)
{
    vec4 turn = image_params.camera_yaw_pitch;
    float forward = turn.y * d.x + turn.x * d.z;
    return vec3(turn.x * d.x - turn.y * d.z, turn.z * d.y + turn.w * forward, turn.z * forward - turn.w * d.y);
}

#ifdef MORE_UVS
vec2 uv_set(uint set)
{
    uint count = push.more_uv_sets; // 1 at least
    vec2 further = more_uvs[uint(gl_VertexIndex) * count + min(max(set, 2u) - 2u, count - 1u)];
    return mix(mix(further, in_uv1, bvec2(set == 1u)), in_uv0, bvec2(set == 0u));
}
#endif

vec2 uv_of(UvTransform t)
{
#ifdef MORE_UVS
    vec2 uv = uv_set(uint(t.u.w + 0.5));
#else
    vec2 uv = mix(in_uv0, in_uv1, bvec2(t.u.w > 0.5));
#endif
    return vec2(dot(t.u.xy, uv) + t.u.z, dot(t.v.xy, uv) + t.v.z);
}

void main()
{
    vec3 position = in_position - image_params.center.xyz;
    gl_Position = image_params.clip_from_centered * vec4(position, 1.0);
    if (WIRE) gl_Position.z *= 1.0015; // lines are drawn over the faces that they border
    gl_PointSize = image_params.ray_x.w * image_params.center_ray.w;
    float above = (position.y - image_params.ground.x) * image_params.ground.z;
    vec3 normal = FLAT ? position / max(image_params.center.w, 1e-30) : decode_octahedral(in_normal);
    out_normal = vec4(turned(normal), has_ground(image_params.ground) ? above + 3.0 * image_params.camera_yaw_pitch.w : 1e3); // the ground does not occlude views from below
    // Not mix(a, b, t): NVIDIA's a + t * (b - a) loses the smaller of two vectors, as of a model of a nanometer.
    vec3 toward = -image_params.center_ray.xyz * (1.0 - image_params.eye.w) + (image_params.eye.xyz - position) * image_params.eye.w;
    bool own = DEBUG_VIEW == 0;
    out_view = vec4(turned(toward), own ? material.metallic_roughness.y : 0.9);
    out_color = DEBUG_VIEW == 4 ? push.ghost : DEBUG_VIEW == 2 ? in_color : material.base_color * in_color;
    out_glow = own ? vec4(material.emissive.rgb, material.metallic_roughness.x) : vec4(0.0);
#if TEXTURES == 1
    out_uv = DEBUG_VIEW == 1 ? in_uv0 : uv_of(material.base_uv);
#elif TEXTURES == 2
    out_uv = vec4(uv_of(material.base_uv), uv_of(material.normal_uv));
    out_uv2 = vec4(uv_of(material.surface_uv), uv_of(material.occlusion_uv));
    out_uv3 = uv_of(material.emissive_uv);
    out_relief = material.metallic_roughness.zw;
#ifdef MATERIAL_EXTENSIONS
    out_sets = vec4(in_uv0, in_uv1);
#ifdef MORE_UVS
    out_sets2 = vec4(uv_set(2u), uv_set(3u));
    out_sets4 = vec4(uv_set(4u), uv_set(5u));
    out_sets6 = vec4(uv_set(6u), uv_set(7u));
#endif
#endif
#ifdef TANGENTS
    vec4 tangent = decode_tangent(in_tangent);
    out_tangent = vec4(turned(tangent.xyz), tangent.w);
#else
    out_position = turned(position);
#endif
#endif
}
