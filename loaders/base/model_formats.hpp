#pragma once
// The model formats and the names of their files, for loaders, loader process and server alike. The table is
// loaders/formats.json, which the page reads too; loaders/formats.mjs says what its members mean.

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace vitrine {

// All extensions are in lower case, with the dot.
struct ModelFormat {
    std::string_view id;
    std::span<const std::string_view> extensions; // of all its files that are loaded
    std::span<const std::string_view> animation_extensions;
    std::span<const std::string_view> companions;
    std::span<const std::string_view> namesakes; // of `companions`
    bool may_be_animation_only;
    bool in_game_packages;

    [[nodiscard]] constexpr bool has_extension(std::string_view extension) const
    {
        return std::ranges::find(extensions, extension) != extensions.end();
    }
    [[nodiscard]] constexpr bool is_animation_extension(std::string_view extension) const
    {
        return std::ranges::find(animation_extensions, extension) != animation_extensions.end();
    }
};

#include "loaders/base/model_formats.inc" // model_formats

// nullptr: no model has this extension.
constexpr const ModelFormat* find_model_format(std::string_view extension)
{
    const auto has = [&](const ModelFormat& format) { return format.has_extension(extension); };
    const auto* found = std::ranges::find_if(model_formats, has);
    return found == model_formats.end() ? nullptr : found;
}

constexpr bool is_companion_extension(std::string_view extension)
{
    return std::ranges::any_of(model_formats, [&](const ModelFormat& format) {
        return std::ranges::find(format.companions, extension) != format.companions.end() ||
               format.is_animation_extension(extension);
    });
}

constexpr bool is_namesake_extension(std::string_view extension)
{
    return std::ranges::any_of(model_formats, [&](const ModelFormat& format) {
        return std::ranges::find(format.namesakes, extension) != format.namesakes.end();
    });
}

// Does not compile for a format without a row.
consteval std::span<const std::string_view> extensions_of(std::string_view id)
{
    return std::ranges::find(model_formats, id, &ModelFormat::id)->extensions;
}

} // namespace vitrine
