#pragma once
// The images and samplers of one scene, and 1x1 placeholders for textures that a material lacks.

#include <array>
#include <map>
#include <tuple>
#include <vector>

#include "loaders/scene/scene.hpp"
#include "vk_renderer/shaders/shared.h"
#include "vk_renderer/textures/uploader.hpp"

namespace vitrine::render {

struct BoundTexture {
    VkImageView view = VK_NULL_HANDLE;
    VkSampler sampler = VK_NULL_HANDLE;
};

// base color, metallic-roughness, normal, occlusion, emissive, then those of the extensions in the order of
// shared.h: the order of the shader's bindings.
inline constexpr std::size_t surface_textures = 5;
inline constexpr std::size_t texture_slots = surface_textures + shared::extension_texture_count;
using MaterialTextures = std::array<BoundTexture, texture_slots>;

// The texture code that a material needs; a specialization constant of the shader.
enum class TextureUse : std::uint8_t { none, base_only, all };

class Textures {
public:
    // Makes one entry per material and one for the default material.
    Textures(const Device& device, const scene::Scene& scene, Uploader& uploader);

    const MaterialTextures& material_textures(std::uint32_t material) const { return materials_[material]; }
    // The material has extensions that are rendered: their textures are bound too.
    bool has_extensions(std::uint32_t material) const { return has_extensions_[material]; }
    TextureUse use_of(std::uint32_t material) const { return uses_[material]; }
    // A texture of the material is filtered anisotropically.
    bool is_anisotropic(std::uint32_t material) const { return anisotropic_[material]; }
    VkDeviceSize size_bytes() const { return bytes_; }

private:
    // `tiling`: see texture_tiling.hpp.
    void add(const scene::Material& material, AlphaFilters& alphas, float tiling);
    BoundTexture bind(const scene::Texture& texture, bool srgb, const GpuImage& fallback, AlphaFilter alpha,
                      bool anisotropic);
    const GpuImage* find_or_upload(std::uint32_t image, bool srgb, AlphaFilter alpha);
    bool uses_anisotropy(const scene::Texture& texture, float tiling, bool masked) const;
    VkSampler sampler_for(const scene::Texture& texture, bool anisotropic);

    const Device* device_;
    const scene::Scene* scene_;
    Uploader* uploader_;
    GpuImage white_, flat_normal_;
    // By index of the image, whether it is sRGB, and how its alpha is filtered.
    std::map<std::tuple<std::uint32_t, bool, AlphaFilter>, GpuImage> images_;
    std::map<std::uint32_t, SamplerHandle> samplers_;
    std::vector<MaterialTextures> materials_;
    std::vector<TextureUse> uses_;
    std::vector<bool> has_extensions_, anisotropic_;
    VkDeviceSize bytes_ = 0;
};

// Halves an RGBA image by 2x2 averages until both sides are within the limit; in linear light if `srgb`. With
// AlphaFilter::min_alpha (sRGB only) the coverage is preserved.
scene::Image scaled_to_limit(const scene::Image& image, std::uint32_t limit, bool srgb, AlphaFilter use = {});

// Returns the size of the scene's images on a device of this limit, including mip maps.
VkDeviceSize texture_bytes(const scene::Scene& scene, std::uint32_t limit);

} // namespace vitrine::render
