// Bindings shared by all raster shaders.
layout(binding = 0, std140) uniform Image { ImageParams image_params; };
// A uniform block instead of a storage buffer: lavapipe's storage loads return 0 in helper invocations, so
// that the UV derivatives would select wrong mip levels along edges.
layout(binding = 1, std140) uniform Material { MaterialParams material; };
layout(binding = 2) uniform sampler2D base_texture;
layout(binding = 3) uniform sampler2D surface_texture;
layout(binding = 4) uniform sampler2D normal_texture;
layout(binding = 5) uniform sampler2D occlusion_texture;
layout(binding = 6) uniform sampler2D emissive_texture;
#ifdef MATERIAL_EXTENSIONS
layout(binding = 10) uniform sampler2D specular_texture;
layout(binding = 11) uniform sampler2D specular_color_texture;
layout(binding = 12) uniform sampler2D coat_texture;
layout(binding = 13) uniform sampler2D coat_roughness_texture;
layout(binding = 14) uniform sampler2D sheen_texture;
layout(binding = 15) uniform sampler2D sheen_roughness_texture;
layout(binding = 16) uniform sampler2D transmission_texture;
#endif
layout(push_constant) uniform Constants { DrawPushConstants push; };
