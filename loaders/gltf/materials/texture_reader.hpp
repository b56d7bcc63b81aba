#pragma once
// Reads a material's texture reference (glTF 2.0, 5.30 textureInfo): image, UV set, sampler, transform.
// Faults cause warnings.

#include <span>

#include "loaders/gltf/document/document.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::gltf {

class TextureReader {
public:
    // `images`: those of the scene, all loaded. Both arguments must outlive it.
    TextureReader(Document& document, std::span<const scene::Image> images);

    // Reads a textureInfo; returns a texture without an image when it is absent. `uv_set` is the number of
    // the file; choose_uv_sets() converts it to one of the Scene's.
    scene::Texture read(io::JsonValue info) const;

private:
    std::uint32_t read_image(io::JsonValue value) const;
    std::uint32_t read_source(io::JsonValue value) const;
    void read_sampler(io::JsonValue value, scene::Texture& out) const;
    void read_transform(io::JsonValue transform, scene::Texture& out, std::uint64_t& uv_set) const;

    Document& document_;
    io::WarningLog& warnings_;
    std::span<const scene::Image> images_;
};

} // namespace vitrine::gltf
