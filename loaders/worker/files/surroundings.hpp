#pragma once
// Access of a local model to the folders around its own: files that it names with "../", and images in
// folders next to its own. Used by the command line only; an upload has no surroundings. The parent opens the
// files; both sides check names.

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/worker/files/file_descriptor.hpp"

namespace vitrine::worker {

// The maximum number of "../" in a name.
inline constexpr std::size_t max_levels = 3;

// Whether `name` consists of "../" (one to max_levels times) and a normalized name (bundle_names.hpp) without
// hidden parts.
bool is_name_above(std::string_view name);
// Whether `name` is the file name of an image, without a folder and not hidden.
bool is_sibling_image_name(std::string_view name);

// Opens the file `name` read-only, relative to the folder that "../" leads to; links cannot leave this
// folder, and it is never the root of the file system. Returns an invalid descriptor if the file cannot be
// opened. Precondition: is_name_above(name).
FileDescriptor open_above(const std::filesystem::path& folder, std::string_view name);

// The folders next to one, among them the parent itself.
struct SiblingFolders {
    FileDescriptor parent; // invalid if there is none that may be read
    // "textures", "": relative to the parent. The usual texture folders first, then the parent itself, then
    // up to 256 others, sorted by name.
    std::vector<std::string> names;
};
SiblingFolders folders_beside(const std::filesystem::path& folder);

// Opens an image in one of the folders as open_above() does. Precondition: is_sibling_image_name(name).
FileDescriptor open_beside(const SiblingFolders& siblings, std::string_view folder, std::string_view name);

} // namespace vitrine::worker
