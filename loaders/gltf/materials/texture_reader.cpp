#include "loaders/gltf/materials/texture_reader.hpp"

#include <limits>

#include <fmt/format.h>

#include "loaders/gltf/document/fields.hpp"

namespace vitrine::gltf {
namespace {

scene::Wrap to_wrap(std::uint64_t mode)
{
    return mode == 33071 ? scene::Wrap::clamp : mode == 33648 ? scene::Wrap::mirror : scene::Wrap::repeat;
}

} // namespace

TextureReader::TextureReader(Document& document, std::span<const scene::Image> images)
    : document_(document), warnings_(document.warnings()), images_(images)
{
}

scene::Texture TextureReader::read(io::JsonValue info) const
{
    scene::Texture out;
    if (!info.exists()) return out;
    if (!info["index"].exists())
        warnings_.add("invalid_property",
                      info.is_object() ? "\"index\" is missing; there is no texture"
                                       : "an object is expected; there is no texture",
                      info.pointer());
    LenientFields fields(info, warnings_);
    fields.member("extensions");
    const io::JsonValue value =
        document_.list("textures")[fields.index("index", document_.list("textures").size())];
    if (!value.exists()) return out;
    out.image = read_image(value);
    read_sampler(value, out);
    std::uint64_t uv_set = fields.integer("texCoord", 0);
    if (const io::JsonValue transform = fields.extension("KHR_texture_transform"); transform.exists())
        read_transform(transform, out, uv_set);
    if (uv_set > std::numeric_limits<std::uint8_t>::max()) {
        warnings_.add("unsupported_uv_set", fmt::format("UV set {} is not supported; set 0 is used", uv_set),
                      info.pointer());
        uv_set = 0;
    }
    out.uv_set = static_cast<std::uint8_t>(uv_set);
    return out;
}

std::uint32_t TextureReader::read_source(io::JsonValue value) const
{
    return LenientFields(value, warnings_).index("source", images_.size());
}

// An extension's image takes precedence over the fallback when it exists and its format is supported.
std::uint32_t TextureReader::read_image(io::JsonValue value) const
{
    const io::JsonValue webp = value["extensions"]["EXT_texture_webp"];
    if (webp["source"].exists()) {
        const std::uint32_t image = read_source(webp);
        const bool usable = image != scene::none && images_[image].is_available();
        if (usable || !value["source"].exists()) return image;
    }
    if (value["source"].exists()) return read_source(value);
    for (const io::JsonValue extension : value["extensions"])
        if (extension["source"].exists()) return read_source(extension);
    warnings_.add("missing_image", "the texture has no image", value.pointer());
    return scene::none;
}

void TextureReader::read_sampler(io::JsonValue value, scene::Texture& out) const
{
    const io::JsonValue samplers = document_.list("samplers");
    const io::JsonValue sampler = samplers[LenientFields(value, warnings_).index("sampler", samplers.size())];
    LenientFields fields(sampler, warnings_);
    out.wrap_s = to_wrap(fields.integer("wrapS", 10497));
    out.wrap_t = to_wrap(fields.integer("wrapT", 10497));
    out.nearest = fields.integer("magFilter", 9729) == 9728;
}

void TextureReader::read_transform(io::JsonValue transform, scene::Texture& out, std::uint64_t& uv_set) const
{
    LenientFields fields(transform, warnings_);
    fields.numbers("offset", std::span<float, 2>(&out.offset[0], 2));
    fields.numbers("scale", std::span<float, 2>(&out.scale[0], 2));
    out.rotation = fields.number("rotation", 0.0f);
    uv_set = fields.integer("texCoord", uv_set);
}

} // namespace vitrine::gltf
