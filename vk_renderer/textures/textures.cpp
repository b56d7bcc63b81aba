#include "vk_renderer/textures/textures.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "loaders/scene/material_textures.hpp"
#include "vk_renderer/textures/alpha_bleed.hpp"
#include "vk_renderer/textures/alpha_coverage.hpp"
#include "vk_renderer/textures/material_extensions.hpp"
#include "vk_renderer/textures/mipmaps.hpp"
#include "vk_renderer/textures/texture_tiling.hpp"

namespace vitrine::render {
namespace {

VkSamplerAddressMode address_mode(scene::Wrap wrap)
{
    switch (wrap) {
    case scene::Wrap::clamp: return VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    case scene::Wrap::mirror: return VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT;
    case scene::Wrap::repeat: break;
    }
    return VK_SAMPLER_ADDRESS_MODE_REPEAT;
}

GpuImage solid(Uploader& uploader, std::array<std::uint8_t, 4> color, std::string_view name)
{
    return uploader.image(color, 1, 1, false, name);
}

// A texture of a material and the format of its image.
struct TextureSlot {
    const scene::Texture* texture = nullptr;
    bool srgb = false;
    AlphaFilter alpha{};
};

std::array<TextureSlot, texture_slots> slots_of(AlphaFilters& alphas, const scene::Material& m)
{
    std::array<TextureSlot, texture_slots> slots;
    std::ranges::transform(scene::textures_of(m), slots.begin(),
                           [](const auto* texture) { return TextureSlot{texture}; });
    slots[0].alpha = alphas.of(m);
    for (auto& slot : slots) {
        const auto& l = m.extensions;
        slot.srgb = slot.texture == &m.base_color_texture || slot.texture == &m.emissive_texture ||
                    slot.texture == &l.specular_color_texture || slot.texture == &l.sheen_texture;
    }
    return slots;
}

constexpr std::size_t normal_slot = 2;

} // namespace

scene::Image scaled_to_limit(const scene::Image& image, std::uint32_t limit, bool srgb, AlphaFilter use)
{
    if (image.width <= limit && image.height <= limit) return image;
    const scene::Image* from = &image; // not copied: it may have hundreds of megabytes
    scene::Image result;
    auto alpha = use.min_alpha;
    while (from->width > limit || from->height > limit) {
        const auto width = std::max(from->width / 2, 1u), height = std::max(from->height / 2, 1u);
        std::vector<std::uint8_t> pixels(std::size_t{4} * width * height);
        if (!use.any())
            downsample(from->pixels, from->width, from->height, srgb, pixels);
        else
            downsample_visible(from->pixels, from->width, from->height, std::exchange(alpha, 0), pixels);
        result = {image.name, width, height, std::move(pixels)};
        from = &result;
    }
    if (alpha != use.min_alpha)
        restore_alpha_coverage(result.pixels, result.width, result.height,
                               visible_fraction(image.pixels, use.min_alpha), use.min_alpha);
    return result;
}

VkDeviceSize texture_bytes(const scene::Scene& scene, std::uint32_t limit)
{
    std::set<std::tuple<std::uint32_t, bool, AlphaFilter>> kinds; // same key as Textures::images_
    AlphaFilters alphas(scene);
    for (const auto& material : scene.materials)
        for (const auto& slot : slots_of(alphas, material))
            if (slot.texture->image != scene::none) kinds.emplace(slot.texture->image, slot.srgb, slot.alpha);
    VkDeviceSize sum = 0;
    for (const auto& [index, srgb, alpha] : kinds) {
        VkDeviceSize width = scene.images[index].width, height = scene.images[index].height;
        while (std::max(width, height) > limit)
            width = std::max<VkDeviceSize>(width / 2, 1), height = std::max<VkDeviceSize>(height / 2, 1);
        sum += width * height * 4 * 4 / 3; // including mip maps
    }
    return sum;
}

Textures::Textures(const Device& device, const scene::Scene& scene, Uploader& uploader)
    : device_(&device), scene_(&scene), uploader_(&uploader),
      white_(solid(uploader, {255, 255, 255, 255}, "white")),
      flat_normal_(solid(uploader, {128, 128, 255, 255}, "flat normal"))
{
    const bool textured = !scene.images.empty();
    const auto tiling = textured ? tilings(scene) : std::vector<float>(scene.materials.size(), 0.0f);
    AlphaFilters alphas(scene);
    for (std::size_t i = 0; i < scene.materials.size(); ++i)
        add(scene.materials[i], alphas, tiling[i]);
    add(scene::Material{}, alphas, 0.0f);
    for (const auto& [key, image] : images_)
        bytes_ += image.size_bytes();
    scene_ = nullptr; // used only in the constructor
    uploader_ = nullptr;
}

void Textures::add(const scene::Material& material, AlphaFilters& alphas, float tiling)
{
    const auto slots = slots_of(alphas, material);
    MaterialTextures bound;
    bool base = false, others = false, anisotropic = false;
    for (std::size_t i = 0; i < slots.size(); ++i) {
        const auto& [texture, srgb, alpha] = slots[i];
        const bool has_image =
            texture->image != scene::none && !scene_->images[texture->image].pixels.empty();
        const bool filtered = has_image && uses_anisotropy(*texture, tiling, alpha.min_alpha != 0);
        anisotropic |= filtered;
        bound[i] = bind(*texture, srgb, i == normal_slot ? flat_normal_ : white_, alpha,
                        filtered && !device_->traits.shader_anisotropy);
        (i == 0 ? base : others) |= has_image;
    }
    materials_.push_back(bound);
    has_extensions_.push_back(render::has_extensions(material));
    anisotropic_.push_back(anisotropic);
    uses_.push_back(others ? TextureUse::all : base ? TextureUse::base_only : TextureUse::none);
}

BoundTexture Textures::bind(const scene::Texture& texture, bool srgb, const GpuImage& fallback,
                            AlphaFilter alpha, bool anisotropic)
{
    const GpuImage* image =
        texture.image == scene::none ? nullptr : find_or_upload(texture.image, srgb, alpha);
    return {(image != nullptr ? image : &fallback)->view(), sampler_for(texture, anisotropic)};
}

const GpuImage* Textures::find_or_upload(std::uint32_t index, bool srgb, AlphaFilter alpha)
{
    const auto& image = scene_->images[index];
    if (image.pixels.empty()) return nullptr;
    const std::tuple key(index, srgb, alpha);
    if (const auto found = images_.find(key); found != images_.end()) return &found->second;
    const auto limit = device_->traits.texture_limit;
    const bool large = image.width > limit || image.height > limit;
    const auto scaled = large ? scaled_to_limit(image, limit, srgb, alpha) : scene::Image{};
    const auto& used = large ? scaled : image;
    std::vector<std::uint8_t> bled;
    if (alpha.any())
        bled = bleed(used.pixels, used.width, used.height, std::max<std::uint8_t>(alpha.min_alpha, 1));
    auto uploaded =
        uploader_->image(bled.empty() ? used.pixels : bled, used.width, used.height, srgb, image.name, alpha);
    return &images_.emplace(key, std::move(uploaded)).first->second;
}

bool Textures::uses_anisotropy(const scene::Texture& texture, float tiling, bool masked) const
{
    // Anisotropic filtering makes a textured image 1.4 times slower on a software device, which already draws
    // four samples per pixel: only repeating textures use it there. Masked textures never use it: averaging
    // several texels would change the coverage that their mip levels preserve.
    if (texture.nearest || masked) return false;
    return !device_->traits.software || is_tiled(texture, tiling);
}

VkSampler Textures::sampler_for(const scene::Texture& texture, bool anisotropic)
{
    const auto key = static_cast<std::uint32_t>(texture.wrap_s) |
                     static_cast<std::uint32_t>(texture.wrap_t) << 2 | (texture.nearest ? 16u : 0u) |
                     (anisotropic ? 32u : 0u);
    auto found = samplers_.find(key);
    if (found == samplers_.end()) {
        const SamplerDesc use{.filter = texture.nearest ? VK_FILTER_NEAREST : VK_FILTER_LINEAR,
                              .mipmaps = VK_SAMPLER_MIPMAP_MODE_LINEAR,
                              .u = address_mode(texture.wrap_s),
                              .v = address_mode(texture.wrap_t),
                              .anisotropy = anisotropic ? 8.0f : 0.0f};
        found = samplers_.emplace(key, create_sampler(*device_, use)).first;
    }
    return found->second.get();
}

} // namespace vitrine::render
