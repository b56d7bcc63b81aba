#pragma once
// Texture objects -> scene textures: the picture, embedded or beside the file, and how it lies on the
// surface.

#include <unordered_map>

#include "loaders/fbx/import.hpp"
#include "loaders/images/texture_library.hpp"

namespace vitrine::fbx {

class Textures {
public:
    explicit Textures(const Import& import)
        : import_(import), library_(import.source, import.limits, import.scene, import.warnings)
    {
    }

    // Of a texture or layered texture object; of the latter its first texture with a picture. `image` may
    // have no pixels; none where the object names no picture at all.
    scene::Texture get(std::uint32_t object);
    // The UV set that the texture asks for by name; empty: the first.
    std::string_view uv_set(std::uint32_t object) const;

    // An image with pixels, or null.
    const scene::Image* usable(std::uint32_t image) const;
    std::uint32_t add(scene::Image image) { return library_.add(std::move(image)); }

private:
    std::uint32_t resolve(std::uint32_t object) const; // to the texture that has the picture
    std::uint32_t image_of(std::uint32_t texture);
    std::uint32_t embedded(std::uint32_t texture, const Object& video);
    std::uint32_t beside(std::uint32_t texture, std::span<const std::string> names);

    const Import& import_;
    images::TextureLibrary library_;
    std::unordered_map<std::uint32_t, std::uint32_t> by_object_; // textures and videos -> images
    std::uint64_t pixels_ = 0;                                   // of embedded ones
};

} // namespace vitrine::fbx
