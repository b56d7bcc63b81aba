#pragma once
// Creates derived images from those of a TextureLibrary and analyzes pixels, each once, because many
// materials may share few images.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "loaders/images/image_ops.hpp"
#include "loaders/images/texture_library.hpp"

namespace vitrine::images {

// Strength of bump maps: the formats do not define the height of white.
inline constexpr float default_bump_strength = 4.0f;

class DerivedImages {
public:
    // `library` must outlive this object, and the pixels of its images must not change.
    explicit DerivedImages(TextureLibrary& library) : library_(library) {}

    // As in image_ops.hpp, for image indices; an image without pixels is treated as null. Returns none, with
    // a warning of the library, if its limits are exceeded; checked before pixels are computed.
    std::uint32_t with_alpha(std::uint32_t color, std::uint32_t alpha);
    std::uint32_t metallic_roughness(std::uint32_t roughness, std::uint32_t metallic);
    // strength is rounded to a hundredth
    std::uint32_t normal_map_from_heights(std::uint32_t heights, float strength);
    std::uint32_t negative(std::uint32_t image);
    std::uint32_t mixed(std::uint32_t image, const std::array<std::uint8_t, 3>& under, float amount);

    // Precondition: the image has pixels.
    bool is_gray(std::uint32_t image);
    bool has_binary_alpha(std::uint32_t image);
    bool is_opaque(std::uint32_t image);

private:
    enum class Kind : std::uint8_t { alpha, surface, normals, negative, mixed };
    using Recipe = std::tuple<Kind, std::uint32_t, std::uint32_t, long>;
    struct ImageProperties {
        std::optional<bool> gray, binary_alpha, opaque;
    };

    template <class Make>
    std::uint32_t made(const Recipe& recipe, const scene::Image& plan, Make make);

    TextureLibrary& library_;
    std::map<Recipe, std::uint32_t> made_;
    std::unordered_map<std::uint32_t, ImageProperties> properties_;
};

} // namespace vitrine::images
