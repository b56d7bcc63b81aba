#pragma once
// What a model on this machine may have of the folders around its own: files that it names with "../", and
// pictures that lie in a folder beside its own. For the command line; an upload has nothing around it.
// Parent's side; the checks of names are asked on both.

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/worker/protocol/descriptor.hpp"

namespace vitrine::worker {

// How many folders up a name may lead.
inline constexpr std::size_t max_levels = 3;

// "../" up to max_levels times, then a plain name (names.hpp) of which no part is hidden.
bool is_name_above(std::string_view name);
// A picture's file name without a folder, not hidden.
bool is_picture_name(std::string_view name);

// Opens it read-only, from the folder that "../" leads to: no link leads out of that, nor is it ever the root
// of the file system. Invalid: it is not there. Precondition: is_name_above().
Descriptor open_above(const std::filesystem::path& folder, std::string_view name);

// Folders beside `folder` as names ("../textures"): the usual ones of textures first, then the parent itself,
// then others by name. Bounded.
std::vector<std::string> folders_beside(const std::filesystem::path& folder);

} // namespace vitrine::worker
