#include "vk_renderer/scene/textures.hpp"

#include <algorithm>
#include <cmath>

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

float to_linear(float srgb)
{
    return srgb <= 0.04045f ? srgb / 12.92f : std::pow((srgb + 0.055f) / 1.055f, 2.4f);
}

std::array<float, 256> linear_table()
{
    std::array<float, 256> table{};
    for (std::size_t i = 0; i < table.size(); ++i)
        table[i] = to_linear(static_cast<float>(i) / 255.0f);
    return table;
}

std::uint8_t to_srgb8(float linear)
{
    const float s = linear <= 0.0031308f ? linear * 12.92f : 1.055f * std::pow(linear, 1.0f / 2.4f) - 0.055f;
    return static_cast<std::uint8_t>(std::lround(std::clamp(s, 0.0f, 1.0f) * 255.0f));
}

scene::Image halved(const scene::Image& from, bool srgb)
{
    static const auto linear = linear_table();
    scene::Image to{from.name, std::max(from.width / 2, 1u), std::max(from.height / 2, 1u), {}};
    to.pixels.resize(std::size_t{to.width} * to.height * 4);
    for (std::size_t y = 0; y < to.height; ++y)
        for (std::size_t x = 0; x < to.width; ++x)
            for (std::size_t c = 0; c < 4; ++c) {
                const auto at = [&](std::size_t dx, std::size_t dy) {
                    const auto sx = std::min<std::size_t>(x * 2 + dx, from.width - 1);
                    const auto sy = std::min<std::size_t>(y * 2 + dy, from.height - 1);
                    const auto value = from.pixels[(sy * from.width + sx) * 4 + c];
                    return srgb && c < 3 ? linear[value] : static_cast<float>(value) / 255.0f;
                };
                const float mean = 0.25f * (at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1));
                to.pixels[(y * to.width + x) * 4 + c] =
                    srgb && c < 3 ? to_srgb8(mean) : static_cast<std::uint8_t>(std::lround(mean * 255.0f));
            }
    return to;
}

} // namespace

scene::Image scaled_to_limit(const scene::Image& image, std::uint32_t limit, bool srgb)
{
    auto result = halved(image, srgb);
    while (result.width > limit || result.height > limit)
        result = halved(result, srgb);
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
        // Software pays for every tap: the nearer mip level alone there, and no anisotropy.
        const bool software = device_->traits.software;
        const SamplerUse use{.filter = texture.nearest ? VK_FILTER_NEAREST : VK_FILTER_LINEAR,
                             .mipmaps =
                                 software ? VK_SAMPLER_MIPMAP_MODE_NEAREST : VK_SAMPLER_MIPMAP_MODE_LINEAR,
                             .u = address_mode(texture.wrap_s),
                             .v = address_mode(texture.wrap_t),
                             .anisotropy = software || texture.nearest ? 0.0f : 8.0f};
        found = samplers_.emplace(key, create_sampler(*device_, use)).first;
    }
    return found->second.get();
}

} // namespace vitrine::render
