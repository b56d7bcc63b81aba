#include <map>
#include <string>
#include <tuple>

#include "loaders/gltf/document/fields.hpp"
#include "loaders/gltf/materials/materials.hpp"
#include "loaders/images/image.hpp"
#include "loaders/io/base64.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/io/text/text_reader.hpp"

namespace vitrine::gltf {
namespace {

LoadResult<Document::Resource> find_bytes(Document& document, io::JsonValue image)
{
    const io::JsonValue uri = image["uri"], view_index = image["bufferView"];
    if (uri.exists() && view_index.exists())
        document.warnings().add("invalid_property",
                                "an image has both \"uri\" and \"bufferView\"; \"uri\" is used",
                                image.pointer());
    if (uri.exists()) return document.fetch(uri, "image");
    if (!view_index.exists())
        return fail(LoadErrc::malformed, image.pointer(), "\"uri\" and \"bufferView\" are missing");
    Fields fields(image);
    const std::uint32_t index = fields.index("bufferView", document.list("bufferViews").size());
    if (fields.failed()) return fields.error();
    const LoadResult<BufferView> view = document.buffer_view(index);
    if (!view) return std::unexpected(view.error());
    return Document::Resource{view->bytes, ""};
}

// Results by bytes and name, which many images may share: the first scene image, or the error.
using DecodedImages =
    std::map<std::tuple<const std::byte*, std::size_t, std::string>, LoadResult<std::size_t>>;

// Returns the next image of the scene.
LoadResult<scene::Image> read_image(Document& document, io::JsonValue image, const scene::Scene& scene,
                                    DecodedImages& decoded)
{
    const LoadResult<Document::Resource> resource = find_bytes(document, image);
    if (!resource) return std::unexpected(resource.error());
    const Limits& limits = document.budget().limits();
    // Counted before decoding, because an invalid image costs as much as a valid one.
    const std::uint64_t pixels = images::count_pixels(resource->bytes, resource->name);
    if (pixels <= limits.image_pixels) {
        if (pixels > document.budget().pixels_left())
            return io::limit_exceeded_error(resource->name, "the pixels of all images", "total_pixels",
                                            limits.total_pixels);
        document.budget().take_pixels(pixels);
    }
    const auto [known, is_new] = decoded.try_emplace(
        {resource->bytes.data(), resource->bytes.size(), resource->name}, scene.images.size());
    if (is_new) {
        auto first = images::decode_image(resource->bytes, resource->name, limits);
        if (!first) known->second = std::unexpected(first.error());
        return first;
    }
    if (!known->second) return std::unexpected(known->second.error());
    scene::Image same = scene.images[*known->second];
    same.name = resource->name;
    return same;
}

// Names the file of the image, or its name in the document if it is embedded.
void warn_about(Document& document, io::JsonValue image, std::string_view name, const LoadError& error)
{
    if (error.code == LoadErrc::missing_file)
        return document.warnings().add("missing_image", error.detail, image.pointer());
    const auto uri = image["uri"].string();
    const bool is_file = uri && !io::is_data_uri(*uri);
    document.warnings().add("invalid_image",
                            images::unusable_image_message(is_file ? *uri : name, error.detail),
                            image.pointer());
}

scene::Image load_image(Document& document, io::JsonValue image, const scene::Scene& scene,
                        DecodedImages& decoded)
{
    LoadResult<scene::Image> loaded = read_image(document, image, scene, decoded);
    const std::string_view name = LenientFields(image, document.warnings()).string("name");
    scene::Image out;
    if (loaded)
        out = std::move(*loaded);
    else
        warn_about(document, image, name, loaded.error());
    out.name = io::to_utf8(out.name);
    if (!name.empty()) out.name = name;
    return out;
}

} // namespace

LoadResult<void> load_images(Document& document, scene::Scene& scene)
{
    const io::JsonValue images = document.list("images");
    if (images.size() > document.budget().limits().images)
        return io::limit_exceeded_error("/images", "images", document.budget().limits().images);
    DecodedImages decoded;
    for (const io::JsonValue image : images)
        scene.images.push_back(load_image(document, image, scene, decoded));
    return {};
}

} // namespace vitrine::gltf
