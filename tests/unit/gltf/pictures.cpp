#include "tests/unit/gltf/pictures.hpp"

#include <webp/encode.h>

#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#include <stb/stb_image_write.h>

#include "loaders/io/base64.hpp"
#include "tests/support/base64.hpp"

namespace vitrine::test {
namespace {

std::string from_base64(std::string_view text)
{
    const auto bytes = io::decode_base64(text);
    return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
}

std::string from_list(std::initializer_list<int> bytes)
{
    std::string out;
    for (const int byte : bytes)
        out += static_cast<char>(byte);
    return out;
}

void append(void* context, void* data, int size)
{
    static_cast<std::string*>(context)->append(static_cast<const char*>(data),
                                               static_cast<std::size_t>(size));
}

} // namespace

std::vector<std::uint8_t> two_pixels()
{
    return {255, 0, 0, 255, 0, 128, 255, 64};
}

std::string two_pixels_png()
{
    return from_base64(
        "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAEUlEQVR42mP4z8Dwn6HhvwMAELoDvjp5v74AAAAASUVORK5C"
        "YII=");
}

std::string gray16_png()
{
    return from_base64(
        "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABEAAAAACB2fwVAAAADUlEQVR42mP4/7+BAQAH/gJ/rYOSJQAAAABJRU5ErkJggg==");
}

std::string two_pixels_webp()
{
    std::uint8_t* data = nullptr;
    const std::size_t size = WebPEncodeLosslessRGBA(two_pixels().data(), 2, 1, 8, &data);
    std::string out(reinterpret_cast<const char*>(data), size);
    WebPFree(data);
    return out;
}

std::string animated_webp()
{
    const auto chunk = [](const std::string& kind, const std::string& data) {
        return kind +
               from_list({static_cast<int>(data.size() & 255), static_cast<int>(data.size() >> 8), 0, 0}) +
               data;
    };
    const std::string picture = two_pixels_webp().substr(12); // its one chunk
    const auto frame = [&](int half_left) {
        return chunk("ANMF", from_list({half_left, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 50, 0, 0, 0}) + picture);
    };
    const std::string chunks = chunk("VP8X", from_list({0x12, 0, 0, 0, 3, 0, 0, 0, 0, 0})) +
                               chunk("ANIM", from_list({9, 9, 9, 9, 0, 0})) + frame(1) + frame(0);
    return chunk("RIFF", "WEBP" + chunks);
}

std::string two_pixels_tga()
{
    return from_list(
        {0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 32, 0x28, 0, 0, 255, 255, 255, 128, 0, 64});
}

std::string two_pixels_bmp()
{
    return from_list({'B', 'M', 62, 0, 0, 0, 0, 0,  0, 0, 54, 0, 0, 0, 40,  0,   0,   0, 2, 0, 0,
                      0,   1,   0,  0, 0, 1, 0, 24, 0, 0, 0,  0, 0, 8, 0,   0,   0,   0, 0, 0, 0,
                      0,   0,   0,  0, 0, 0, 0, 0,  0, 0, 0,  0, 0, 0, 255, 255, 128, 0, 0, 0});
}

std::string two_pixels_psd()
{
    return from_list({'8', 'B', 'P', 'S', 0, 1, 0, 0, 0,   0, 0, 0,   0, 4,   0,   0,
                      0,   1,   0,   0,   0, 2, 0, 8, 0,   3, 0, 0,   0, 0,   0,   0,
                      0,   0,   0,   0,   0, 0, 0, 0, 255, 0, 0, 128, 0, 255, 255, 255});
}

std::string red_jpeg()
{
    std::vector<std::uint8_t> pixels;
    for (int n = 0; n < 64; ++n)
        pixels.insert(pixels.end(), {255, 0, 0});
    std::string out;
    stbi_write_jpg_to_func(append, &out, 8, 8, 3, pixels.data(), 95);
    return out;
}

GltfBuilder with_texture(const std::string& texture)
{
    GltfBuilder builder = triangle();
    const std::string png = two_pixels_png();
    builder.add("images",
                R"({"uri":"data:image/png;base64,)" + encode_base64(std::as_bytes(std::span(png))) + R"("})");
    builder.add("samplers", R"({"wrapS":33071,"wrapT":33648,"magFilter":9728})");
    builder.add("textures", texture);
    return builder;
}

scene::Scene with_material(const std::string& material, GltfBuilder builder)
{
    builder.add("materials", material);
    return valid(builder.load_glb());
}

} // namespace vitrine::test
