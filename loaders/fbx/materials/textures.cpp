#include "loaders/fbx/materials/textures.hpp"

#include <array>

#include <fmt/format.h>

#include "loaders/images/image.hpp"
#include "loaders/io/base64.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/io/resource_name.hpp"
#include "loaders/io/text/text_reader.hpp"

namespace vitrine::fbx {
namespace {

// Binary files store the bytes, text files base64 in pieces.
LoadResult<std::vector<std::byte>> decode_content(Element content, bool is_text)
{
    const auto pieces = content.all_values();
    if (!pieces) return std::unexpected(pieces.error());
    std::vector<std::byte> bytes;
    for (const Value& piece : *pieces) {
        const auto raw = std::as_bytes(std::span(piece.text()));
        if (!is_text) {
            bytes.insert(bytes.end(), raw.begin(), raw.end());
            continue;
        }
        const auto decoded = io::decode_base64(piece.text());
        if (!decoded)
            return fail(LoadErrc::malformed, content.location(), "an embedded image is not valid base64");
        bytes.insert(bytes.end(), decoded->begin(), decoded->end());
    }
    return bytes;
}

scene::Wrap wrap_of(const Properties& properties, std::string_view name)
{
    return properties.integer(name) == 1 ? scene::Wrap::clamp : scene::Wrap::repeat;
}

} // namespace

std::uint32_t TextureObjects::stacked(const std::vector<StackedLayer>& layers)
{
    if (layers.size() == 1) return layers[0].texture;
    const auto [known, is_new] = by_stack_.try_emplace(layers, static_cast<std::uint32_t>(stacks_.size()));
    if (is_new) stacks_.push_back(layers);
    return static_cast<std::uint32_t>(context_.document.objects().size()) + known->second;
}

const std::vector<StackedLayer>* TextureObjects::find_stack(std::uint32_t object) const
{
    const std::size_t objects = context_.document.objects().size();
    return object >= objects && object - objects < stacks_.size() ? &stacks_[object - objects] : nullptr;
}

std::optional<std::uint32_t> TextureObjects::embedded(std::uint32_t texture, const Object& video)
{
    const Element content = video.element["Content"];
    if (content.value_count() == 0) return std::nullopt;
    std::string_view path = video.element.text("RelativeFilename");
    if (path.empty()) path = video.element.text("Filename");
    if (path.empty()) path = context_.document.object(texture).element.text("FileName");
    const std::string name = context_.document.decoded(io::base_name(path));
    const auto reject = [&](std::string_view reason) {
        context_.warnings.add("invalid_image", images::unusable_image_message(name, reason),
                              content.location());
        return scene::none;
    };
    const auto bytes = decode_content(content, context_.document.is_text());
    if (!bytes) return reject(bytes.error().detail);
    if (bytes->empty()) return std::nullopt;
    std::string reason;
    const std::uint32_t image = library_.try_bytes(*bytes, name, reason);
    return image == scene::none ? reject(reason) : image;
}

// Returns the first file that exists; if none does, the first name is reported as missing unless the image is
// embedded, because its fault has been reported then.
std::uint32_t TextureObjects::beside(std::uint32_t texture, std::span<const std::string> names,
                                     bool is_embedded)
{
    const std::string* wanted = nullptr;
    for (const std::string& name : names) {
        if (name.empty()) continue;
        if (wanted == nullptr && !is_embedded) wanted = &name;
        if (library_.find(name).empty()) continue;
        wanted = &name;
        break;
    }
    if (wanted == nullptr) return scene::none;
    return library_.get(*wanted, context_.document.object(texture).element.location());
}

std::uint32_t TextureObjects::find_image(std::uint32_t texture)
{
    const Document& document = context_.document;
    const std::uint32_t video = inputs_.find_video(texture);
    const auto [known, is_new] = by_object_.try_emplace(video != no_object ? video : texture, scene::none);
    if (!is_new) return known->second;
    const auto name = [&](std::uint32_t object, std::string_view child) {
        return object == no_object ? std::string()
                                   : document.decoded(document.object(object).element.text(child));
    };
    std::optional<std::uint32_t> inside;
    if (video != no_object) inside = embedded(texture, document.object(video));
    std::uint32_t image = inside.value_or(scene::none);
    if (image == scene::none) {
        const std::array names{
            name(texture, "RelativeFilename"), name(texture, "FileName"),
            name(video, "RelativeFilename"),   name(video, "Filename"),
            name(video, "FileName"),           document.decoded(inputs_.of(texture).shader_file)};
        image = beside(texture, names, inside.has_value());
    }
    by_object_[video != no_object ? video : texture] = image;
    return image;
}

scene::Texture TextureObjects::single(std::uint32_t texture)
{
    scene::Texture out;
    if (context_.document.object(texture).type != ObjectType::texture) return out;
    out.image = find_image(texture);
    const Properties& properties = context_.document.object(texture).properties;
    out.wrap_s = wrap_of(properties, "WrapModeU");
    out.wrap_t = wrap_of(properties, "WrapModeV");
    set_transform(context_.document.object(texture), out);
    return out;
}

void TextureObjects::warn_about_layer(std::uint32_t layer, std::string_view why) const
{
    const Object& object = context_.document.object(layer);
    context_.warnings.add(
        "layered_texture",
        fmt::format("the layer {} of a texture is ignored: {}", io::shown(object.name), why),
        object.element.location());
}

// Textures with neither an image nor a known type represent a program's shader; its first input is used.
scene::Texture TextureObjects::get(std::uint32_t object, int depth)
{
    if (object == no_object || depth > max_texture_depth) return {};
    if (const auto* stack = find_stack(object)) return layered(object, *stack, depth);
    const TextureInputs::Inputs& inputs = inputs_.of(object);
    const auto& layers = inputs.textures;
    if (inputs.has_image || layers.empty()) return single(object);
    if (layers.size() == 1) return get(layers.front(), depth + 1);
    if (const Object& mixed = context_.document.object(object); mixed.type == ObjectType::layered_texture) {
        if (const auto known = by_layered_.find(object); known != by_layered_.end()) return known->second;
        const LayerSettings settings(mixed);
        std::vector<StackedLayer> stack;
        for (std::size_t i = 0; i < layers.size(); ++i)
            stack.push_back({layers[i], settings.at(i)});
        return layered(object, stack, depth);
    }
    warn_about_layer(layers[1], "a shader blends it with others");
    return get(layers.front(), depth + 1);
}

// Returns the lowest layer alone when the image of all layers would exceed the limits.
scene::Texture TextureObjects::flattened(const LayerStack& stack, const Object& named)
{
    layered_pixels_ += stack.work();
    if (layered_pixels_ > context_.limits.total_pixels) {
        context_.warnings.add("image_limit",
                              fmt::format("the layers of the texture {} are not combined: {}",
                                          io::shown(named.name),
                                          io::limit_message("the pixels of all layers of textures",
                                                            "total_pixels", context_.limits.total_pixels)),
                              named.element.location());
        return stack.lowest();
    }
    scene::Image image = stack.flatten();
    image.name = named.name;
    scene::Texture out = stack.frame();
    out.image = library_.add(std::move(image));
    return out.image == scene::none ? stack.lowest() : out;
}

scene::Texture TextureObjects::layered(std::uint32_t object, std::span<const StackedLayer> layers, int depth)
{
    const auto [known, is_new] = by_layered_.try_emplace(object);
    if (!is_new) return known->second; // also reached when an object contains itself
    LayerStack stack(context_.scene, context_.limits);
    scene::Texture out;
    for (const StackedLayer& layer : layers) {
        const scene::Texture texture = get(layer.texture, depth + 1);
        if (&layer == layers.data()) out = texture;
        std::string_view reason;
        if (library_.usable(texture.image) == nullptr)
            reason =
                texture.image != scene::none || inputs_.of(layer.texture).has_image ? "" : "it has no image";
        else if (uv_set(layer.texture) != uv_set(layers[0].texture))
            reason = "it uses another UV set";
        else
            reason = stack.add(texture, layer.setting);
        if (!reason.empty()) warn_about_layer(layer.texture, reason);
    }
    const bool is_own = find_stack(object) == nullptr;
    const Object& named = context_.document.object(is_own ? object : layers[0].texture);
    if (stack.size() > 0) out = stack.size() > 1 ? flattened(stack, named) : stack.lowest();
    by_layered_[object] = out;
    return out;
}

std::string_view TextureObjects::uv_set(std::uint32_t object) const
{
    if (object == no_object) return {};
    if (const auto* stack = find_stack(object)) object = stack->front().texture;
    const Object& texture = context_.document.object(inputs_.first_with_image(object));
    const std::string_view name = texture.properties.text("UVSet");
    return name == "default" ? std::string_view() : name;
}

} // namespace vitrine::fbx
