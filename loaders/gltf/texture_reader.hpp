#pragma once
// What a material says about a texture (glTF 2.0, 5.30 textureInfo): image, UV set, sampler, transform. What
// is wrong becomes a warning.

#include "loaders/gltf/document.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::gltf {

class TextureReader {
public:
    // `images`: how many scene::Images there are. Borrows the document.
    TextureReader(Document& document, std::size_t images);

    // Of a textureInfo; without an image where it is absent.
    scene::Texture read(io::JsonValue info) const;

private:
    std::uint32_t image_of(io::JsonValue value) const;
    void read_sampler(io::JsonValue value, scene::Texture& out) const;
    void read_transform(io::JsonValue transform, scene::Texture& out, std::uint64_t& uv_set) const;

    Document& document_;
    io::WarningLog& warnings_;
    std::size_t images_;
};

} // namespace vitrine::gltf
