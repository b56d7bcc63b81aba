#include "loaders/images/texture_library.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "loaders/images/image.hpp"
#include "loaders/io/image_names.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/io/name_index.hpp"
#include "loaders/io/percent_encoding.hpp"
#include "loaders/io/resource_name.hpp"
#include "loaders/io/text/text_reader.hpp"

namespace vitrine::images {
namespace {

std::string folded_stem(std::string_view name)
{
    return io::case_folded_name(io::stem_of(name));
}

// Only of images: other names may contain a dot.
std::string_view without_extension(std::string_view name)
{
    const bool is_image = io::is_image_name(name) || io::is_undecodable_image_name(name);
    return is_image ? name.substr(0, name.size() - io::extension_of(name).size()) : name;
}

} // namespace

TextureLibrary::TextureLibrary(Source& source, const Limits& limits, scene::Scene& scene,
                               io::WarningLog& warnings)
    : source_(source), limits_(limits), scene_(scene), warnings_(warnings),
      folder_(io::folder_of(source.main_name())), budget_(limits, scene)
{
    for (const std::string& name : source.names()) {
        if (io::is_image_name(name)) by_stem_[folded_stem(name)].push_back(name);
    }
}

std::string TextureLibrary::find(std::string_view requested_name) const
{
    std::string name = find_exact_or_relaxed(requested_name);
    if (name.empty() && requested_name.contains('%'))
        name = find_exact_or_relaxed(io::percent_decode(requested_name));
    const std::string_view without_query = io::without_query(requested_name);
    if (name.empty() && !without_query.empty()) name = find(without_query);
    return name.empty() ? find_in_sibling_folders(io::base_name(requested_name)) : name;
}

// Tries the same extensions as in the model's folder.
std::string TextureLibrary::find_in_sibling_folders(std::string_view requested_name) const
{
    std::string name = source_.find_in_sibling_folders(requested_name);
    for (const std::string_view extension : io::image_extensions)
        if (name.empty())
            name = source_.find_in_sibling_folders(
                std::string(without_extension(requested_name)).append(extension));
    return name;
}

std::string TextureLibrary::find_exact_or_relaxed(std::string_view requested_name) const
{
    // Avoids the search in resolve() for names whose stem does not exist.
    if (!by_stem_.contains(folded_stem(requested_name)) &&
        !by_stem_.contains(folded_stem(without_extension(requested_name)))) {
        for (const std::string_view folder :
             {std::string_view(folder_), io::folder_of(source_.main_name())}) {
            const auto exact = io::normalize_name(std::string(folder).append(requested_name));
            if (exact && std::ranges::binary_search(source_.names(), *exact)) return *exact;
            if (const auto above = io::name_above(folder, requested_name);
                above && source_.can_open_outside(*above))
                return *above;
        }
        return find_dos_name(folded_stem(requested_name));
    }
    if (const auto found = io::resolve_from(source_, folder_, requested_name)) return found->name;
    for (const std::string_view extension : io::image_extensions) {
        const auto found = io::resolve_from(source_, folder_,
                                            std::string(without_extension(requested_name)).append(extension));
        if (found) return found->name;
    }
    return {};
}

// DOS kept eight characters of a name: "longtext", or "longte~1" if several had the same beginning. Empty if
// no file or more than one matches.
std::string TextureLibrary::find_dos_name(std::string_view stem) const
{
    constexpr std::size_t dos_length = 8;
    if (!dos_names_ || stem.size() != dos_length) return {};
    const std::size_t tilde = stem.find('~');
    const std::string_view beginning = stem.substr(0, tilde);
    const auto found = by_stem_.lower_bound(beginning);
    if (beginning.empty() || found == by_stem_.end() || !found->first.starts_with(beginning)) return {};
    const auto other = std::next(found);
    const bool is_ambiguous = other != by_stem_.end() && other->first.starts_with(beginning);
    return is_ambiguous ? std::string() : found->second.front();
}

std::uint32_t TextureLibrary::get(std::string_view requested_name, std::string_view where)
{
    const auto [entry, is_new] =
        by_requested_name_.try_emplace({folder_, std::string(requested_name)}, scene::none);
    if (!is_new) return entry->second;
    const std::string name = find(requested_name);
    std::string reason;
    std::uint32_t image = name.empty() ? scene::none : try_file(name, reason);
    if (name.empty()) {
        warnings_.add("missing_image",
                      fmt::format("the image {} does not exist; the material's color is used alone",
                                  io::shown(requested_name)),
                      std::string(where));
    } else if (image == scene::none) {
        warnings_.add("invalid_image", unusable_image_message(name, reason), std::string(where));
    } else if (const auto resolved = io::resolve_from(source_, folder_, requested_name);
               !resolved || resolved->match == io::Match::elsewhere) {
        warnings_.add("found_elsewhere",
                      fmt::format("the image {} is missing; the file {} is used", io::shown(requested_name),
                                  io::shown(name)),
                      std::string(where));
    }
    if (image == scene::none && budget_.make_room({}).empty()) {
        image =
            add({.name = io::to_utf8(name.empty() ? io::base_name(requested_name) : std::string_view(name)),
                 .pixels = {}});
    }
    return entry->second = image;
}

std::uint32_t TextureLibrary::try_file(const std::string& name, std::string& reason)
{
    const auto [entry, is_new] = by_file_.try_emplace(name);
    if (is_new) entry->second = decode(name);
    reason = entry->second.reason;
    return entry->second.image;
}

std::uint32_t TextureLibrary::try_bytes(Bytes bytes, const std::string& name, std::string& reason)
{
    Decoded decoded = decode(bytes, name, PixelUse::keep); // the bytes may not exist later
    reason = std::move(decoded.reason);
    return decoded.image;
}

bool TextureLibrary::has_image(std::uint32_t index) const
{
    return index < scene_.images.size() && scene_.images[index].is_available();
}

const scene::Image& TextureLibrary::image(std::uint32_t index)
{
    const auto file = checked_.find(index);
    if (file == checked_.end()) return scene_.images[index];
    budget_.complete(index, source_.open(file->second).value(), file->second);
    checked_.erase(file);
    return scene_.images[index];
}

const scene::Image* TextureLibrary::usable(std::uint32_t index)
{
    if (!has_image(index)) return nullptr;
    return &image(index);
}

bool TextureLibrary::has_room_for(const scene::Image& image)
{
    const auto limit_error = budget_.make_room({image.width, image.height});
    if (limit_error.empty()) return true;
    warnings_.add("image_limit", unusable_image_message(image.name, limit_error),
                  image.name.empty() ? "an image" : image.name);
    return false;
}

std::uint32_t TextureLibrary::add(scene::Image image)
{
    return has_room_for(image) ? budget_.add(std::move(image)) : scene::none;
}

TextureLibrary::Decoded TextureLibrary::decode(const std::string& name)
{
    const auto bytes = source_.open(name);
    if (!bytes) return {scene::none, "the file cannot be read"};
    bytes_ += bytes->size();
    if (bytes->size() > limits_.file_bytes)
        return {scene::none, io::limit_message(fmt::format("its {} bytes", bytes->size()), "file_bytes",
                                               limits_.file_bytes)};
    if (bytes_ > limits_.total_bytes)
        return {scene::none, io::limit_message("the bytes of all files", "total_bytes", limits_.total_bytes)};
    const Decoded decoded = decode(*bytes, name, source_.needs_pixels() ? PixelUse::keep : PixelUse::check);
    if (has_image(decoded.image) && scene_.images[decoded.image].is_checked)
        checked_.emplace(decoded.image, name);
    return decoded;
}

TextureLibrary::Decoded TextureLibrary::decode(Bytes bytes, const std::string& name, PixelUse use)
{
    const auto image = budget_.decode(bytes, name, name.empty() ? "an image" : name, use);
    if (!image) return {scene::none, image.error().detail};
    return {*image, {}};
}

} // namespace vitrine::images
