#pragma once
// Pictures made of those of a TextureLibrary, each once, and what the pixels of one say, looked at once: many
// materials ask the same of few pictures.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "loaders/images/image_ops.hpp"
#include "loaders/images/texture_library.hpp"

namespace vitrine::images {

class DerivedImages {
public:
    // It outlives this, and nobody changes the pixels of its images.
    explicit DerivedImages(TextureLibrary& library) : library_(library) {}

    // As in image_ops.hpp, of images by their numbers; what has no pixels counts as null there. none, with
    // the library's warning and before a pixel is made, where its limits leave no room.
    std::uint32_t with_alpha(std::uint32_t color, std::uint32_t alpha);
    std::uint32_t metallic_roughness(std::uint32_t roughness, std::uint32_t metallic);
    std::uint32_t normal_map_from_heights(std::uint32_t heights, float strength); // within a hundredth
    std::uint32_t negative(std::uint32_t image);
    std::uint32_t mixed(std::uint32_t image, const std::array<std::uint8_t, 3>& under, float amount);

    // Of images with pixels.
    bool is_grey(std::uint32_t image);
    bool has_binary_alpha(std::uint32_t image);
    bool is_opaque(std::uint32_t image);

private:
    enum class Kind : std::uint8_t { alpha, surface, normals, negative, mixed };
    using Recipe = std::tuple<Kind, std::uint32_t, std::uint32_t, long>;
    struct ImageProperties {
        std::optional<bool> grey, cut_out, opaque;
    };

    template <class Make>
    std::uint32_t made(const Recipe& recipe, const scene::Image& plan, Make make);

    TextureLibrary& library_;
    std::map<Recipe, std::uint32_t> made_;
    std::unordered_map<std::uint32_t, ImageProperties> properties_;
};

} // namespace vitrine::images
