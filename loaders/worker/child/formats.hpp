#pragma once
// The table of formats that a loader process supports; the first match is used.

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
    bool (*sniff)(Bytes bytes);                   // nullptr: the format has no signature
    LoadResult<scene::Scene> (*load)(Source& source, const Limits& limits);
    // Whether the file animates a model in another file; false if unknown. nullptr: the format has no such
    // files.
    bool (*is_animation_only)(Bytes bytes) = nullptr;
    // As `load`, with options. nullptr: the scene's channels represent all extrapolation.
    LoadResult<scene::Scene> (*load_with_options)(Source& source, const Limits& limits,
                                                  const ExtrapolationOptions& extrapolation) = nullptr;
    // Loads shared libraries that `load` needs, which is not possible in the sandbox; false if one is
    // missing. nullptr: the program links all. Its `sniff` needs none of them: it is called before.
    bool (*load_libraries)() = nullptr;
};

LoadResult<scene::Scene> load_with(const Format& format, Source& source, const Limits& limits,
                                   const ExtrapolationOptions& extrapolation);

// The formats that this build supports. Defined by vitrine-loader; tests may define another.
std::span<const Format> formats();

// Finds a format by the file's first bytes, else by its name. Errors: unknown_format, also for an image, an
// archive or a Git LFS pointer with the extension of a model (the message names the actual content);
// unsupported for a recognized model format without a loader.
LoadResult<const Format*> find_format(std::span<const Format> formats, std::string_view name, Bytes bytes);

} // namespace vitrine::worker
