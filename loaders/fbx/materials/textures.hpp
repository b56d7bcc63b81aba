#pragma once
// Converts texture objects to scene textures: the image, embedded or in a separate file, and its UV
// transform.

#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "loaders/fbx/document/document.hpp"
#include "loaders/fbx/document/load_context.hpp"
#include "loaders/fbx/materials/layer_stack.hpp"
#include "loaders/images/derived_images.hpp"
#include "loaders/images/texture_library.hpp"
#include "loaders/io/string_hash.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::fbx {

// Depth limit for layers of layers and shaders around an image, as in files of 3ds Max and others.
inline constexpr int max_texture_depth = 8;

// The inputs of texture objects, cached: many materials may use one, and it may have many inputs.
class TextureInputs {
public:
    // The document must outlive it.
    explicit TextureInputs(const Document& document) : document_(document) {}

    struct Inputs {
        std::vector<std::uint32_t> textures; // from the bottom up
        std::uint32_t video = no_object;
        std::string_view shader_file; // of a shader map
        bool has_image = false;       // names or embeds an image itself
    };
    const Inputs& of(std::uint32_t object) const;
    // Returns the first texture with an image, from the bottom up.
    std::uint32_t first_with_image(std::uint32_t object) const;
    // Returns the video with the image of a texture; no_object without one.
    std::uint32_t find_video(std::uint32_t texture) const;

private:
    std::string_view file_of_shader(std::uint32_t texture) const;

    const Document& document_;
    mutable std::unordered_map<std::uint32_t, Inputs> inputs_; // by object; filled on first use
    // File name -> the Video object that embeds the image; filled on first use.
    mutable std::unordered_map<std::string_view, std::uint32_t, io::StringHash> embedding_videos_;
    mutable bool has_listed_videos_ = false;
};

class TextureObjects {
public:
    explicit TextureObjects(const LoadContext& context)
        : context_(context), inputs_(context.document),
          library_(context.source, context.limits, context.scene, context.warnings), derived_(library_)
    {
    }

    // Returns the texture of a texture object, or of a layered texture object with its layers composited into
    // one image. `image` may have no pixels; it is `none` when the object names no image or its embedded
    // image cannot be used.
    scene::Texture get(std::uint32_t object) { return get(object, 0); }
    // Combines several texture objects of one surface, lowest first, into one object number for this class; a
    // single object keeps its own number.
    std::uint32_t stacked(const std::vector<StackedLayer>& layers);
    // Returns the UV set that the texture, or its first layer, selects by name; empty: the first set.
    std::string_view uv_set(std::uint32_t object) const;

    // Whether there is such an image, decoded or checked.
    bool has_image(std::uint32_t image) const { return library_.has_image(image); }
    // Images derived from usable ones, and their average values.
    images::DerivedImages& derived() { return derived_; }
    // Adds the warnings about reduced images; call it once, after the last texture.
    void report_reduced() const { library_.report_reduced(); }

private:
    scene::Texture get(std::uint32_t object, int depth);
    scene::Texture single(std::uint32_t texture);
    scene::Texture layered(std::uint32_t object, std::span<const StackedLayer> layers, int depth);
    scene::Texture flattened(const LayerStack& stack, const Object& named);
    // Returns null for the file's own objects.
    const std::vector<StackedLayer>* find_stack(std::uint32_t object) const;
    void warn_about_layer(std::uint32_t layer, std::string_view why) const;
    std::uint32_t find_image(std::uint32_t texture);
    // Returns nullopt when the video has no embedded image; `none`, with a warning, when the image cannot be
    // used.
    std::optional<std::uint32_t> embedded(std::uint32_t texture, const Object& video);
    std::uint32_t beside(std::uint32_t texture, std::span<const std::string> names, bool is_embedded);

    const LoadContext& context_;
    TextureInputs inputs_;
    images::TextureLibrary library_;
    images::DerivedImages derived_;
    std::unordered_map<std::uint32_t, std::uint32_t> by_object_; // textures and videos -> images
    std::unordered_map<std::uint32_t, scene::Texture> by_layered_;
    // Indexed by object number minus the number of the file's objects.
    std::vector<std::vector<StackedLayer>> stacks_;
    std::map<std::vector<StackedLayer>, std::uint32_t> by_stack_;
    std::uint64_t layered_pixels_ = 0; // of all composited layers
};

// Sets offset, scale and rotation of `out`, for v pointing down; leaves a value unchanged when the file's is
// not finite.
void set_transform(const Object& texture, scene::Texture& out);

} // namespace vitrine::fbx
