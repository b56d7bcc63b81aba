#include "loaders/images/derived_images.hpp"

#include <cmath>

namespace vitrine::images {

template <class Make>
std::uint32_t DerivedImages::made(const Recipe& recipe, const scene::Image& plan, Make make)
{
    const auto [cached, is_new] = made_.try_emplace(recipe, scene::none);
    if (is_new && library_.has_room_for(plan)) cached->second = library_.add(make());
    return cached->second;
}

std::uint32_t DerivedImages::with_alpha(std::uint32_t color, std::uint32_t alpha)
{
    const scene::Image& mask = library_.image(alpha);
    const scene::Image* under = library_.usable(color);
    return made({Kind::alpha, color, alpha, 0}, output_image_for(under ? under : &mask, &mask),
                [&] { return images::with_alpha(under, mask); });
}

std::uint32_t DerivedImages::metallic_roughness(std::uint32_t roughness, std::uint32_t metallic)
{
    const scene::Image *rough = library_.usable(roughness), *metal = library_.usable(metallic);
    return made({Kind::surface, roughness, metallic, 0}, output_image_for(rough, metal),
                [&] { return images::metallic_roughness(rough, metal); });
}

std::uint32_t DerivedImages::normal_map_from_heights(std::uint32_t heights, float strength)
{
    const scene::Image& image = library_.image(heights);
    return made({Kind::normals, heights, 0, std::lround(strength * 100.0f)},
                output_image_for(&image, nullptr),
                [&] { return images::normal_map_from_heights(image, strength); });
}

std::uint32_t DerivedImages::negative(std::uint32_t index)
{
    const scene::Image& image = library_.image(index);
    return made({Kind::negative, index, 0, 0}, output_image_for(&image, nullptr),
                [&] { return images::negative(image); });
}

std::uint32_t DerivedImages::mixed(std::uint32_t index, const std::array<std::uint8_t, 3>& under,
                                   float amount)
{
    const scene::Image& image = library_.image(index);
    const auto color = static_cast<std::uint32_t>(under[0] << 16 | under[1] << 8 | under[2]);
    return made({Kind::mixed, index, color, std::lround(amount * 255.0f)}, output_image_for(&image, nullptr),
                [&] { return images::mixed(image, under, amount); });
}

bool DerivedImages::is_gray(std::uint32_t image)
{
    std::optional<bool>& cached = properties_[image].gray;
    if (!cached) cached = images::is_gray(library_.image(image));
    return *cached;
}

bool DerivedImages::has_binary_alpha(std::uint32_t image)
{
    std::optional<bool>& cached = properties_[image].binary_alpha;
    if (!cached) cached = library_.is_checked(image) || images::has_binary_alpha(library_.image(image));
    return *cached;
}

bool DerivedImages::is_opaque(std::uint32_t image)
{
    std::optional<bool>& cached = properties_[image].opaque;
    if (!cached) cached = library_.is_checked(image) || images::is_opaque(library_.image(image));
    return *cached;
}

} // namespace vitrine::images
