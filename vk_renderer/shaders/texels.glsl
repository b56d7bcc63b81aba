// Arrays of 16-byte texels and of 32-bit words. TEXELS: read through typed views (see
// DeviceTraits::prefers_texel_buffers), otherwise as storage buffers.
#ifdef TEXELS
#define TEXEL_ARRAY(number, name) layout(binding = number, rgba32ui) uniform readonly uimageBuffer name
#define WORD_ARRAY(number, name) layout(binding = number, r32ui) uniform readonly uimageBuffer name
#define TEXEL(name, at) imageLoad(name, int(at))
#define WORD(name, at) imageLoad(name, int(at)).x
#else
#define TEXEL_ARRAY(number, name) layout(binding = number, std430) readonly buffer name##_block { uvec4 name[]; }
#define WORD_ARRAY(number, name) layout(binding = number, std430) readonly buffer name##_block { uint name[]; }
#define TEXEL(name, at) name[at]
#define WORD(name, at) name[at]
#endif
#define FLOATS(name, at) uintBitsToFloat(TEXEL(name, at))
