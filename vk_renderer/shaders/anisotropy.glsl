// Texture look-ups with anisotropic filtering, by the sampler or, with SHADER_ANISOTROPY, in the shader.

layout(constant_id = 7) const bool SHADER_ANISOTROPY = false; // DeviceTraits::shader_anisotropy
const float max_anisotropy = 8.0;

// `bias`: in mip levels.
vec4 texel_of(sampler2D image, vec2 uv, float bias)
{
    if (!SHADER_ANISOTROPY) return texture(image, uv, bias);
    // Samples along the longer axis of a pixel's footprint (Vulkan 1.3, 16.5.7, "Texel Anisotropic Filtering").
    float scale = exp2(bias);
    vec2 dx = dFdx(uv) * scale, dy = dFdy(uv) * scale;
    vec2 size = vec2(textureSize(image, 0));
    float x = length(dx * size), y = length(dy * size);
    float ratio = max(x, y) / max(min(x, y), 1e-6);
    int count = int(ceil(clamp(ratio, 1.0, max_anisotropy))); // 1 if not a number
    vec2 step = (x > y ? dx : dy) / float(count);
    vec2 step_x = x > y ? step : dx, step_y = x > y ? dy : step;
    vec4 sum = vec4(0.0);
    for (int i = 0; i < count; ++i)
        sum += textureGrad(image, uv + step * (float(i) - 0.5 * float(count - 1)), step_x, step_y);
    return sum / float(count);
}
