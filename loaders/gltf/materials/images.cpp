#include <map>
#include <string>
#include <tuple>

#include "loaders/gltf/document/fields.hpp"
#include "loaders/gltf/materials/materials.hpp"
#include "loaders/images/image.hpp"
#include "loaders/images/image_budget.hpp"
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
    std::map<std::tuple<const std::byte*, std::size_t, std::string>, LoadResult<std::uint32_t>>;

// Adds the next image of the scene.
LoadResult<void> read_image(Document& document, io::JsonValue image, scene::Scene& scene,
                            images::ImageBudget& budget, DecodedImages& decoded)
{
    const LoadResult<Document::Resource> resource = find_bytes(document, image);
    if (!resource) return std::unexpected(resource.error());
    const auto [known, is_new] =
        decoded.try_emplace({resource->bytes.data(), resource->bytes.size(), resource->name}, 0u);
    if (is_new)
        known->second = budget.decode(resource->bytes, resource->name, image.pointer(),
                                      document.source().needs_pixels() ? images::PixelUse::keep
                                                                       : images::PixelUse::check);
    if (!known->second) return std::unexpected(known->second.error());
    if (!is_new) {
        const auto copy = budget.add_copy(*known->second, image.pointer());
        if (!copy) return std::unexpected(copy.error());
    }
    scene.images.back().name = resource->name;
    return {};
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

void load_image(Document& document, io::JsonValue image, scene::Scene& scene, images::ImageBudget& budget,
                DecodedImages& decoded)
{
    const LoadResult<void> loaded = read_image(document, image, scene, budget, decoded);
    const std::string_view name = LenientFields(image, document.warnings()).string("name");
    if (!loaded) {
        warn_about(document, image, name, loaded.error());
        scene.images.emplace_back();
    }
    scene::Image& out = scene.images.back();
    out.name = io::to_utf8(out.name);
    if (!name.empty()) out.name = name;
}

} // namespace

LoadResult<void> load_images(Document& document, scene::Scene& scene)
{
    const io::JsonValue list = document.list("images");
    if (list.size() > document.budget().limits().images)
        return io::limit_exceeded_error("/images", "images", document.budget().limits().images);
    images::ImageBudget budget(document.budget().limits(), scene);
    DecodedImages decoded;
    for (const io::JsonValue image : list)
        load_image(document, image, scene, budget, decoded);
    budget.report_reduced(document.warnings());
    return {};
}

} // namespace vitrine::gltf
