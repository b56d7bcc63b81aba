#include "loaders/quake/stage_blending.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "loaders/io/resource_name.hpp"
#include "loaders/quake/image_names.hpp"

namespace vitrine::quake {
namespace {

using RgbaBytes = std::span<std::uint8_t, 4>;

std::uint8_t brightest(RgbaBytes pixel)
{
    return std::max({pixel[0], pixel[1], pixel[2]});
}

// Rec. 709, of the stored values.
std::uint8_t luma(RgbaBytes pixel)
{
    return static_cast<std::uint8_t>((54 * pixel[0] + 183 * pixel[1] + 19 * pixel[2]) / 256);
}

// The color at full strength: color * alpha equals the original.
void add_light(RgbaBytes pixel, int opacity)
{
    const int max_channel = brightest(pixel);
    for (std::size_t c = 0; max_channel > 0 && c < 3; ++c)
        pixel[c] = static_cast<std::uint8_t>(pixel[c] * 255 / max_channel);
    pixel[3] = static_cast<std::uint8_t>(max_channel * opacity / 255);
}

void cover(RgbaBytes pixel, int alpha)
{
    pixel[0] = pixel[1] = pixel[2] = 0;
    pixel[3] = static_cast<std::uint8_t>(alpha);
}

} // namespace

bool needs_alpha_conversion(StageBlend blend, AlphaTest test)
{
    return test == AlphaTest::below_half || (blend != StageBlend::none && blend != StageBlend::alpha);
}

std::array<std::uint8_t, 4> mean_color(std::span<const std::uint8_t> pixels)
{
    const std::uint64_t count = pixels.size() / 4;
    if (count == 0) return {255, 255, 255, 255};
    std::array<std::uint64_t, 4> sum{};
    for (std::size_t i = 0; i < count * 4; ++i)
        sum[i % 4] += pixels[i];
    std::array<std::uint8_t, 4> mean{};
    for (std::size_t c = 0; c < 4; ++c)
        mean[c] = static_cast<std::uint8_t>(sum[c] / count);
    return mean;
}

void set_alpha(std::span<std::uint8_t> pixels, StageBlend blend, AlphaTest test)
{
    for (; pixels.size() >= 4; pixels = pixels.subspan(4)) {
        const RgbaBytes pixel = pixels.first<4>();
        if (test == AlphaTest::below_half)
            pixel[3] = static_cast<std::uint8_t>(255 - pixel[3]);
        else if (blend == StageBlend::add)
            add_light(pixel, 255);
        else if (blend == StageBlend::add_alpha)
            add_light(pixel, pixel[3]);
        else if (blend == StageBlend::filter)
            cover(pixel, 255 - luma(pixel));
        else if (blend == StageBlend::darken)
            cover(pixel, luma(pixel));
    }
}

std::uint32_t StageImages::convert(std::uint32_t image, const ShaderAppearance& appearance)
{
    if (!appearance.is_reflection && !needs_alpha_conversion(appearance.blend, appearance.alpha_test))
        return image;
    const auto [known, is_new] = converted_.try_emplace(
        {image, appearance.blend, appearance.alpha_test, appearance.is_reflection}, image);
    if (!is_new) return known->second;
    scene::Image changed = textures_.image(image);
    if (appearance.is_reflection) {
        const auto mean = mean_color(changed.pixels);
        changed.pixels.assign(mean.begin(), mean.end());
        changed.width = changed.height = 1;
    }
    set_alpha(changed.pixels, appearance.blend, appearance.alpha_test);
    changed.name =
        std::string(io::path_without_extension(changed.name)) + "_blended" + io::extension_of(changed.name);
    if (const std::uint32_t added = textures_.add(std::move(changed)); added != scene::none)
        known->second = added;
    return known->second;
}

std::uint8_t StageImages::min_alpha(std::uint32_t image)
{
    const auto [known, is_new] = min_alpha_.try_emplace(image, std::uint8_t{255});
    if (!is_new || textures_.is_checked(image)) return known->second;
    const auto& pixels = textures_.image(image).pixels;
    for (std::size_t i = 3; i < pixels.size(); i += 4)
        known->second = std::min(known->second, pixels[i]);
    return known->second;
}

} // namespace vitrine::quake
