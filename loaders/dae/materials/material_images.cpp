// The images of materials, and those combined with the opacity of a mask.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "loaders/dae/materials/materials.hpp"
#include "loaders/images/image.hpp"
#include "loaders/images/image_ops.hpp"
#include "loaders/io/base64.hpp"
#include "loaders/io/percent_encoding.hpp"
#include "loaders/io/resource_name.hpp"
#include "loaders/io/text/text_reader.hpp"

namespace vitrine::dae {
namespace {

int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

std::vector<std::byte> decode_hex(std::string_view text)
{
    std::vector<std::byte> bytes;
    bytes.reserve(text.size() / 2);
    int high = -1;
    for (const char c : text) {
        const int digit = hex_digit(c);
        if (digit < 0) continue;
        if (high >= 0) bytes.push_back(static_cast<std::byte>(high * 16 + digit));
        high = high >= 0 ? -1 : digit;
    }
    return bytes;
}

} // namespace

std::string Materials::name_of(io::XmlNode node)
{
    return io::to_utf8(node.has_attribute("name") ? node.attribute("name") : node.attribute("id"));
}

// init_from contains the URL (1.4) or a <ref> or <hex> (1.5); <data> is an embedded hexadecimal image (1.4).
std::uint32_t Materials::image(io::XmlNode node)
{
    const auto [known, is_new] = images_.try_emplace(node.key(), scene::none);
    if (!is_new) return known->second;
    const io::XmlNode plain = node.child("init_from");
    const io::XmlNode init = plain.exists() ? plain : node.child("create_2d").child("init_from");
    for (const io::XmlNode hex : {init.child("hex"), node.child("data")})
        if (hex.exists()) return known->second = embedded(node, hex);
    const io::XmlNode ref = init.child("ref");
    const std::string_view url = ref.exists() ? ref.text() : init.text();
    if (url.empty()) {
        documents_.warn("missing_image",
                        fmt::format("the image {} has no file; the color is used", io::shown(name_of(node))),
                        node);
        return known->second;
    }
    if (io::is_data_uri(url)) {
        const auto data = io::decode_data_uri(url);
        if (data) return known->second = decoded(data->bytes, name_of(node), node);
        documents_.warn("invalid_image",
                        images::unusable_image_message(name_of(node), "the data URI is invalid"), node);
        return known->second;
    }
    // Relative to the file that contains it.
    const std::string wanted = io::percent_decode(url);
    const std::string document_folder = documents_.folder_of(node);
    const std::string main_folder(io::folder_of(documents_.file_of(documents_.roots().front())));
    const std::string document_relative = document_folder == main_folder ? wanted : document_folder + wanted;
    const bool is_beside_document =
        document_folder != main_folder && !textures_.find(document_relative).empty();
    return known->second =
               textures_.get(is_beside_document ? document_relative : wanted, documents_.where(node));
}

std::uint32_t Materials::embedded(io::XmlNode image, io::XmlNode hex)
{
    const std::vector<std::byte> bytes = decode_hex(hex.text());
    std::string name = name_of(image);
    if (const auto format = hex.attribute("format"); !format.empty()) name += "." + io::to_utf8(format);
    return decoded(bytes, name, image);
}

std::uint32_t Materials::decoded(Bytes bytes, const std::string& name, io::XmlNode image)
{
    std::string reason;
    const std::uint32_t index = textures_.try_bytes(bytes, name, reason);
    if (index == scene::none)
        documents_.warn("invalid_image", images::unusable_image_message(name, reason), image);
    return index;
}

// Returns an image combining both, created once; none where the mask is fully opaque or the limit is reached.
std::uint32_t Materials::masked(std::uint32_t color, std::uint32_t mask, const Effect& effect)
{
    const double amount = std::clamp(effect.transparency.value_or(1.0), 0.0, 1.0);
    const MaskKey key{mask, effect.opaque, std::isnan(amount) ? 255 : std::lround(amount * 255.0)};
    const auto [known, is_new] = masked_.try_emplace({color, key}, scene::none);
    if (!is_new || opaque_masks_.contains(key)) return known->second;
    const scene::Image *under = textures_.usable(color), *from = textures_.usable(mask);
    if (!may_mask(*from) || !textures_.has_room_for(images::output_image_for(under ? under : from, from)))
        return known->second;
    const scene::Image alpha = opacity_mask(*from, effect);
    if (!images::is_opaque(alpha)) return known->second = textures_.add(images::with_alpha(under, alpha));
    opaque_masks_.insert(key);
    wasted_mask_pixels_ += alpha.pixels.size() / 4;
    return known->second;
}

// Fully opaque masks need no memory but time: a hostile file has one image with hundreds of transparency
// amounts.
bool Materials::may_mask(const scene::Image& mask)
{
    constexpr std::uint64_t max_ratio = 2;
    if (wasted_mask_pixels_ <= max_ratio * limits_.total_pixels) return true;
    warnings_.add("image_limit",
                  images::unusable_image_message(
                      mask.name, fmt::format("fully opaque images have more pixels than {} times the limit "
                                             "total_pixels = {}",
                                             max_ratio, limits_.total_pixels)),
                  mask.name.empty() ? "an image" : mask.name);
    return false;
}

} // namespace vitrine::dae
