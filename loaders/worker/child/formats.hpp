#pragma once
// The formats that a loader process knows: one table, first hit wins.

#include <span>
#include <string_view>

#include "loaders/base/error.hpp"
#include "loaders/io/extrapolation_options.hpp"
#include "loaders/io/input.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::worker {

struct Format {
    std::string_view name;
    std::span<const std::string_view> extensions; // lower case, with the dot
    bool (*sniff)(Bytes bytes);                   // nullptr: its bytes carry no mark
    LoadResult<scene::Scene> (*load)(Source& source, const Limits& limits);
    // Whether the file animates a model that is in another; in doubt false. nullptr: the format has no such.
    bool (*is_animation_only)(Bytes bytes) = nullptr;
    // The same with a wish. nullptr: the scene's channels can tell by themselves.
    LoadResult<scene::Scene> (*load_with_options)(Source& source, const Limits& limits,
                                                  const ExtrapolationOptions& extrapolation) = nullptr;
};

LoadResult<scene::Scene> load_with(const Format& format, Source& source, const Limits& limits,
                                   const ExtrapolationOptions& extrapolation);

// What this build can load. vitrine-loader defines it; a test's loader may define another.
std::span<const Format> formats();

// By its first bytes, else by its name. Errors: unknown_format, also for an image, an archive or a Git LFS
// pointer that is named like a model (the sentence says what it is); unsupported for a model format that is
// known but cannot be loaded yet.
LoadResult<const Format*> find_format(std::span<const Format> formats, std::string_view name, Bytes bytes);

} // namespace vitrine::worker
