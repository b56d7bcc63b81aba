#include "vk_renderer/scene/textures.hpp"

#include <algorithm>

#include "vk_renderer/scene/mipmaps.hpp"
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

Image solid(Uploader& uploader, std::array<std::uint8_t, 4> colour, std::string_view name)
{
    return uploader.image(colour, 1, 1, false, name);
}

} // namespace

scene::Image scaled_to_limit(const scene::Image& image, std::uint32_t limit, bool srgb)
{
    scene::Image result = image;
    while (result.width > limit || result.height > limit) {
        const auto width = std::max(result.width / 2, 1u), height = std::max(result.height / 2, 1u);
        std::vector<std::uint8_t> pixels(std::size_t{4} * width * height);
        halve(result.pixels, result.width, result.height, srgb, pixels);
        result = {image.name, width, height, std::move(pixels)};
    }
    return result;
}

Textures::Textures(const Device& device, const scene::Scene& scene, Uploader& uploader)
    : device_(&device), scene_(&scene), uploader_(&uploader),
      white_(solid(uploader, {255, 255, 255, 255}, "white")),
      flat_normal_(solid(uploader, {128, 128, 255, 255}, "flat normal"))
{
    const auto there = [&](const scene::Texture& t) {
        return t.image != scene::none && !scene.images[t.image].pixels.empty();
    };
    const auto add = [&](const scene::Material& m) {
        materials_.push_back(
            {bind(m.base_colour_texture, true, white_), bind(m.metallic_roughness_texture, false, white_),
             bind(m.normal_texture, false, flat_normal_), bind(m.occlusion_texture, false, white_),
             bind(m.emissive_texture, true, white_)});
        const bool all = there(m.metallic_roughness_texture) || there(m.normal_texture) ||
                         there(m.occlusion_texture) || there(m.emissive_texture);
        uses_.push_back(all                            ? TextureUse::all
                        : there(m.base_colour_texture) ? TextureUse::base_only
                                                       : TextureUse::none);
    };
    for (const auto& material : scene.materials)
        add(material);
    add(scene::Material{});
    for (const auto& [key, image] : images_)
        bytes_ += image.size_bytes();
    scene_ = nullptr; // only borrowed for the constructor
    uploader_ = nullptr;
}

BoundTexture Textures::bind(const scene::Texture& texture, bool srgb, const Image& fallback)
{
    const Image* image = texture.image == scene::none ? nullptr : find_or_upload(texture.image, srgb);
    return {(image != nullptr ? image : &fallback)->view(), sampler_for(texture)};
}

const Image* Textures::find_or_upload(std::uint32_t index, bool srgb)
{
    const auto& image = scene_->images[index];
    if (image.pixels.empty()) return nullptr;
    const std::pair key(index, srgb);
    if (const auto found = images_.find(key); found != images_.end()) return &found->second;
    const auto limit = device_->traits.texture_limit;
    const bool large = image.width > limit || image.height > limit;
    const auto scaled = large ? scaled_to_limit(image, limit, srgb) : scene::Image{};
    const auto& used = large ? scaled : image;
    return &images_.emplace(key, uploader_->image(used.pixels, used.width, used.height, srgb, image.name))
                .first->second;
}

VkSampler Textures::sampler_for(const scene::Texture& texture)
{
    const auto key = static_cast<std::uint32_t>(texture.wrap_s) |
                     static_cast<std::uint32_t>(texture.wrap_t) << 2 | (texture.nearest ? 16u : 0u);
    auto found = samplers_.find(key);
    if (found == samplers_.end()) {
        // Anisotropy takes a textured picture 1.5 times as long on a software device, which draws four
        // samples a pixel as it is.
        const bool anisotropic = !device_->traits.software && !texture.nearest;
        const SamplerUse use{.filter = texture.nearest ? VK_FILTER_NEAREST : VK_FILTER_LINEAR,
                             .mipmaps = VK_SAMPLER_MIPMAP_MODE_LINEAR,
                             .u = address_mode(texture.wrap_s),
                             .v = address_mode(texture.wrap_t),
                             .anisotropy = anisotropic ? 8.0f : 0.0f};
        found = samplers_.emplace(key, create_sampler(*device_, use)).first;
    }
    return found->second.get();
}

} // namespace vitrine::render
