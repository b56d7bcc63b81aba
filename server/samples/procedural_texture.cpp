#include "server/samples/procedural_texture.hpp"

#include <algorithm>
#include <cmath>

#include "loaders/base/srgb.hpp"

namespace vitrine::samples {

namespace {

float hash(int x, int y)
{
    auto bits = static_cast<std::uint32_t>(x) * 0x8da6b343u ^ static_cast<std::uint32_t>(y) * 0xd8163841u;
    bits ^= bits >> 13;
    bits *= 0x9e3779b1u;
    bits ^= bits >> 16;
    return static_cast<float>(bits & 0xffffffu) / static_cast<float>(0xffffff);
}

int wrapped(int x, int period)
{
    return period > 0 ? ((x % period) + period) % period : x;
}

float lattice_noise(glm::vec2 at, int period)
{
    const auto cell = glm::floor(at);
    const auto part = at - cell;
    const auto blend = part * part * (3.0f - 2.0f * part);
    const int x = static_cast<int>(cell.x), y = static_cast<int>(cell.y);
    const int x0 = wrapped(x, period), x1 = wrapped(x + 1, period);
    return glm::mix(glm::mix(hash(x0, y), hash(x1, y), blend.x),
                    glm::mix(hash(x0, y + 1), hash(x1, y + 1), blend.x), blend.y);
}

float layered(glm::vec2 at, int octaves, int period)
{
    float sum = 0.0f, weight = 0.5f, total = 0.0f;
    for (int i = 0; i < octaves; ++i, at *= 2.0f, weight *= 0.5f, period *= 2) {
        sum += weight * lattice_noise(at, period);
        total += weight;
    }
    return sum / total;
}

std::uint8_t to_byte(float value)
{
    return static_cast<std::uint8_t>(std::lround(255.0f * std::clamp(value, 0.0f, 1.0f)));
}

} // namespace

glm::vec4 linear(glm::vec3 srgb)
{
    return {linear_from_srgb(srgb), 1.0f};
}

float noise(glm::vec2 at)
{
    return lattice_noise(at, 0);
}

float fbm(glm::vec2 at, int octaves)
{
    return layered(at, octaves, 0);
}

float fbm_around(glm::vec2 at, int octaves, int period)
{
    return layered(at, octaves, period);
}

scene::Image painted(std::string name, std::uint32_t width, std::uint32_t height,
                     const std::function<glm::vec3(glm::vec2)>& color)
{
    scene::Image image{std::move(name), width, height, {}};
    image.pixels.reserve(std::size_t{4} * width * height);
    for (std::uint32_t y = 0; y < height; ++y)
        for (std::uint32_t x = 0; x < width; ++x) {
            const auto c = color({(static_cast<float>(x) + 0.5f) / static_cast<float>(width),
                                  (static_cast<float>(y) + 0.5f) / static_cast<float>(height)});
            image.pixels.insert(image.pixels.end(), {to_byte(c.x), to_byte(c.y), to_byte(c.z), 255});
        }
    return image;
}

} // namespace vitrine::samples
