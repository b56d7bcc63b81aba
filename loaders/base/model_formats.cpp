#include "loaders/base/model_formats.hpp"

#include <algorithm>

namespace vitrine {
namespace {

bool contains(std::span<const std::string_view> names, std::string_view name)
{
    return std::ranges::find(names, name) != names.end();
}

} // namespace

bool ModelFormat::is_animation_extension(std::string_view extension) const
{
    return contains(animation_extensions, extension);
}

const ModelFormat* find_model_format(std::string_view extension)
{
    for (const ModelFormat& format : model_formats())
        if (contains(format.extensions, extension)) return &format;
    return nullptr;
}

SceneTraits scene_traits(std::string_view scene_format)
{
    for (const ModelFormat& format : model_formats())
        if (contains(format.scene_formats, scene_format)) return format.scene_traits;
    return {};
}

bool is_zipped_extension(std::string_view extension)
{
    return std::ranges::any_of(model_formats(), [&](const ModelFormat& format) {
        return contains(format.zipped_extensions, extension);
    });
}

bool is_companion_extension(std::string_view extension)
{
    return std::ranges::any_of(model_formats(), [&](const ModelFormat& format) {
        return contains(format.companions, extension) || format.is_animation_extension(extension);
    });
}

bool is_namesake_extension(std::string_view extension)
{
    return std::ranges::any_of(
        model_formats(), [&](const ModelFormat& format) { return contains(format.namesakes, extension); });
}

std::span<const std::string_view> extensions_of(std::string_view id)
{
    for (const ModelFormat& format : model_formats())
        if (format.id == id) return format.extensions;
    return {};
}

} // namespace vitrine
