#include "loaders/images/image_ops.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "loaders/base/srgb.hpp"

namespace vitrine::images {
namespace {

// The pixel nearest to (x, y) of an image with another size.
const std::uint8_t* pixel(const scene::Image& image, std::uint64_t x, std::uint64_t y,
                          const scene::Image& size)
{
    const std::uint64_t sx = x * image.width / size.width, sy = y * image.height / size.height;
    return image.pixels.data() + 4 * (sy * image.width + sx);
}

scene::Image sized_like(const scene::Image* a, const scene::Image* b)
{
    scene::Image out = output_image_for(a, b);
    out.pixels.assign(std::size_t{out.width} * out.height * 4, 255);
    return out;
}

template <class Function>
void for_each_pixel(scene::Image& image, Function f)
{
    std::uint8_t* at = image.pixels.data();
    for (std::uint32_t y = 0; y < image.height; ++y) {
        for (std::uint32_t x = 0; x < image.width; ++x, at += 4)
            f(x, y, at);
    }
}

} // namespace

scene::Image output_image_for(const scene::Image* a, const scene::Image* b)
{
    const auto area = [](const scene::Image* image) {
        return image ? std::uint64_t{image->width} * image->height : 0;
    };
    const scene::Image& larger = b == nullptr || (a != nullptr && area(a) >= area(b)) ? *a : *b;
    scene::Image out;
    out.name = a && b ? a->name + " + " + b->name : larger.name;
    out.width = larger.width;
    out.height = larger.height;
    return out;
}

bool is_opaque(const scene::Image& image)
{
    for (std::size_t i = 3; i < image.pixels.size(); i += 4) {
        if (image.pixels[i] != 255) return false;
    }
    return true;
}

bool is_gray(const scene::Image& image)
{
    for (std::size_t i = 0; i + 3 < image.pixels.size(); i += 4) {
        const int r = image.pixels[i], g = image.pixels[i + 1], b = image.pixels[i + 2];
        if (std::abs(r - g) > 8 || std::abs(g - b) > 8) return false;
    }
    return true;
}

bool has_binary_alpha(const scene::Image& image)
{
    std::size_t between = 0;
    for (std::size_t i = 3; i < image.pixels.size(); i += 4)
        between += image.pixels[i] > 24 && image.pixels[i] < 231;
    return between * 20 * 4 < image.pixels.size();
}

scene::Image with_alpha(const scene::Image* color, const scene::Image& alpha)
{
    scene::Image out = sized_like(color ? color : &alpha, &alpha);
    const bool has_alpha = !is_opaque(alpha);
    for_each_pixel(out, [&](std::uint32_t x, std::uint32_t y, std::uint8_t* to) {
        const std::uint8_t* a = pixel(alpha, x, y, out);
        if (color) std::copy_n(pixel(*color, x, y, out), 3, to);
        to[3] = has_alpha ? a[3] : static_cast<std::uint8_t>((a[0] + a[1] + a[2]) / 3);
    });
    return out;
}

scene::Image metallic_roughness(const scene::Image* roughness, const scene::Image* metallic)
{
    scene::Image out = sized_like(roughness, metallic);
    for_each_pixel(out, [&](std::uint32_t x, std::uint32_t y, std::uint8_t* to) {
        if (roughness) to[1] = pixel(*roughness, x, y, out)[0];
        if (metallic) to[2] = pixel(*metallic, x, y, out)[0];
    });
    return out;
}

scene::Image normal_map_from_heights(const scene::Image& heights, float strength)
{
    scene::Image out = sized_like(&heights, nullptr);
    out.name += " (as normals)";
    const auto height = [&](std::uint32_t x, std::uint32_t y) {
        return static_cast<float>(heights.pixels[4 * (std::size_t{y} * out.width + x)]) / 255.0f;
    };
    const auto after = [](std::uint32_t i, std::uint32_t size) { return i + 1 < size ? i + 1 : 0; };
    const auto before = [](std::uint32_t i, std::uint32_t size) { return (i > 0 ? i : size) - 1; };
    for_each_pixel(out, [&](std::uint32_t x, std::uint32_t y, std::uint8_t* to) {
        const float across = height(after(x, out.width), y) - height(before(x, out.width), y);
        const float down = height(x, after(y, out.height)) - height(x, before(y, out.height));
        const glm::vec3 normal = glm::normalize(glm::vec3(-across * strength, down * strength, 1.0f));
        for (int i = 0; i < 3; ++i)
            to[i] = static_cast<std::uint8_t>(std::lround((normal[i] * 0.5f + 0.5f) * 255.0f));
    });
    return out;
}

scene::Image negative(const scene::Image& image)
{
    scene::Image out = image;
    out.name += " (negative)";
    for (std::size_t i = 0; i < out.pixels.size(); ++i)
        if (i % 4 != 3) out.pixels[i] = static_cast<std::uint8_t>(255 - out.pixels[i]);
    return out;
}

scene::Image mixed(const scene::Image& image, const std::array<std::uint8_t, 3>& under, float amount)
{
    scene::Image out = image;
    out.name += " (mixed)";
    for (std::size_t i = 0; i < out.pixels.size(); ++i) {
        if (i % 4 == 3) continue;
        const float value =
            static_cast<float>(out.pixels[i]) * amount + static_cast<float>(under[i % 4]) * (1.0f - amount);
        out.pixels[i] = static_cast<std::uint8_t>(std::lround(value));
    }
    return out;
}

std::array<std::uint8_t, 3> to_srgb(const glm::vec3& linear)
{
    std::array<std::uint8_t, 3> bytes{};
    for (int i = 0; i < 3; ++i) {
        const float srgb = srgb_from_linear(std::clamp(linear[i], 0.0f, 1.0f));
        bytes[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(std::lround(srgb * 255.0f));
    }
    return bytes;
}

} // namespace vitrine::images
