#include <algorithm>
#include <cstring>
#include <string>

#include <fmt/format.h>

#include "loaders/base/model_formats.hpp"
#include "loaders/images/image.hpp"
#include "loaders/io/resource_name.hpp"
#include "loaders/worker/child/formats.hpp"

namespace vitrine::worker {
namespace {

using namespace std::string_view_literals;

bool starts_with(Bytes bytes, std::string_view mark)
{
    return bytes.size() >= mark.size() && std::memcmp(bytes.data(), mark.data(), mark.size()) == 0;
}

// The kind of a file that is not a model, regardless of its name: "a PNG image". Uses only signatures that
// cannot start a text, because text formats have no signatures.
std::string foreign_kind(Bytes bytes)
{
    constexpr std::size_t bmp_zeros = 6; // four reserved bytes
    const auto kind = images::detect_kind(bytes, {});
    const bool chance = kind == images::ImageFileKind::bmp &&
                        !starts_with(bytes.subspan(std::min(bmp_zeros, bytes.size())), "\0\0\0\0"sv);
    if (kind != images::ImageFileKind::unknown && !chance)
        return fmt::format("{} image", images::with_article(kind));
    if (starts_with(bytes, "PK\x03\x04"sv)) return "a zip archive";
    if (starts_with(bytes, "\x1F\x8B"sv)) return "compressed by gzip";
    if (starts_with(bytes, "Rar!\x1A"sv)) return "a RAR archive";
    if (starts_with(bytes, "7z\xBC\xAF"sv)) return "a 7z archive";
    if (starts_with(bytes, "%PDF-"sv)) return "a PDF document";
    return {};
}

// Whether the text is JSON. No line of an OBJ starts like this.
bool is_json(Bytes bytes)
{
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const auto first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    return first != text.npos && text[first] == '{';
}

} // namespace

LoadResult<const Format*> find_format(std::span<const Format> formats, std::string_view name, Bytes bytes)
{
    for (const auto& format : formats)
        if (format.sniff != nullptr && format.sniff(bytes)) return &format;
    // Placeholder for a large file in a clone without Git LFS, with any name.
    if (starts_with(bytes, "version https://git-lfs.github.com/spec/"sv))
        return fail(LoadErrc::unknown_format, {},
                    "the file is a Git LFS pointer, whose content was not fetched");
    const auto extension = io::extension_of(name);
    const bool zipped_model = is_zipped_extension(extension) && starts_with(bytes, "PK\x03\x04"sv);
    if (const auto kind = foreign_kind(bytes); !kind.empty() && !zipped_model)
        return fail(LoadErrc::unknown_format, {}, fmt::format("the file is {}, not a model", kind));
    if (extension == ".obj" && is_json(bytes))
        return fail(LoadErrc::unknown_format, {},
                    "the file is JSON, not OBJ; glTF files need the extension .gltf");
    for (const auto& format : formats)
        if (std::ranges::find(format.extensions, extension) != format.extensions.end()) return &format;
    if (find_model_format(extension) != nullptr)
        return fail(LoadErrc::unsupported, {}, extension + " files are not supported");
    return fail(LoadErrc::unknown_format, {}, "neither the name nor the first bytes match a model format");
}

LoadResult<scene::Scene> load_with(const Format& format, Source& source, const Limits& limits,
                                   const ExtrapolationOptions& extrapolation)
{
    return format.load_with_options ? format.load_with_options(source, limits, extrapolation)
                                    : format.load(source, limits);
}

} // namespace vitrine::worker
