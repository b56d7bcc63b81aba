#pragma once
// What a material says about a texture (glTF 2.0, 5.30 textureInfo): image, UV set, sampler, transform. What
// is wrong becomes a warning.

#include <span>

#include "loaders/gltf/document/document.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::gltf {

class TextureReader {
public:
    // `images`: those of the scene, all loaded. Borrows both.
    TextureReader(Document& document, std::span<const scene::Image> images);

    // Of a textureInfo; without an image where it is absent. `uv_set` as the file numbers it:
    // choose_uv_sets() makes it one of the Scene's two.
    scene::Texture read(io::JsonValue info) const;

private:
    std::uint32_t image_of(io::JsonValue value) const;
    std::uint32_t source_of(io::JsonValue value) const;
    void read_sampler(io::JsonValue value, scene::Texture& out) const;
    void read_transform(io::JsonValue transform, scene::Texture& out, std::uint64_t& uv_set) const;

    Document& document_;
    io::WarningLog& warnings_;
    std::span<const scene::Image> images_;
};

} // namespace vitrine::gltf
