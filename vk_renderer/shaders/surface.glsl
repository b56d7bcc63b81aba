// Varyings from mesh.vert to mesh.frag. Values that are linear over a triangle or constant on it are computed
// per vertex: on lavapipe a fragment shader reads uniforms lane by lane, about 25 instructions per value, and
// shades triangles in blocks of 4 x 4 pixels. Only varyings that a variant reads are declared, because unused
// ones are set up for each triangle too.
// Directions and positions are rotated with the camera (turned() of mesh.vert), so that the studio's lights
// are constants.
// FLAT: the position relative to ImageParams::center, of the framing radius. w: height above the ground, of
// the framing radius.
SURFACE_VARYING(0, smooth, vec4, normal);
SURFACE_VARYING(1, smooth, vec4, view);   // toward the camera, of any length; w: roughness
SURFACE_VARYING(2, smooth, vec4, color); // the base color without its texture
SURFACE_VARYING(3, flat, vec4, glow);     // emissive; w: metallic
#if TEXTURES == 1
SURFACE_VARYING(4, smooth, vec2, uv); // of the base color
#elif TEXTURES == 2
SURFACE_VARYING(4, smooth, vec4, uv);   // of the base color; of the normal map
SURFACE_VARYING(5, smooth, vec4, uv2);  // of metallic and roughness; of occlusion
SURFACE_VARYING(6, smooth, vec2, uv3);  // of emissive
SURFACE_VARYING(7, flat, vec2, relief); // of the normal map; of the occlusion
#ifdef TANGENTS
SURFACE_VARYING(8, smooth, vec4, tangent); // w: the bitangent's sign
#else
SURFACE_VARYING(8, smooth, vec3, position); // relative to ImageParams::center
#endif
#ifdef MATERIAL_EXTENSIONS
SURFACE_VARYING(9, smooth, vec4, sets); // UV sets 0 and 1
#ifdef MORE_UVS
SURFACE_VARYING(10, smooth, vec4, sets2); // 2 and 3
SURFACE_VARYING(11, smooth, vec4, sets4);
SURFACE_VARYING(12, smooth, vec4, sets6);
#endif
#endif
#endif
