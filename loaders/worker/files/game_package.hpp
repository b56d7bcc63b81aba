#pragma once
// The unpacked game package around a model of an id Software format. Such a model names its images relative
// to the package's root ("models/players/a/skin.tga", "textures/metal"), above its own folder; nothing is
// listed there and nothing else is read. Used in the parent; may_request_from_package() is checked on both
// sides.

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/worker/files/bundle.hpp"
#include "loaders/worker/files/file_descriptor.hpp"

namespace vitrine::worker {

// Maximum number of names that one load may request.
inline constexpr std::size_t max_package_lookups = 4'096;

// The folder above the nearest folder named "models" (else "players") that contains an MD2, MD3 or MD5; empty
// if there is none.
std::filesystem::path find_package_root(const std::filesystem::path& model);

// Adds the shader scripts of the package, with names relative to its root ("scripts/a.shader",
// "materials/a.mtr"). Limited in number.
void add_scripts(std::vector<BundleFile>& files, const std::filesystem::path& package);

// Whether a name may be requested: an image name in a folder below the root without hidden parts.
bool may_request_from_package(std::string_view name);

// Opens the file read-only; neither ".." nor links can leave the root. Invalid if it does not exist or the
// kernel is older than openat2 (5.6). Precondition: may_request_from_package().
FileDescriptor open_beneath(const std::filesystem::path& package, const std::string& name);

// The same in two steps, for several files of one folder. The descriptor of the folder is for this only.
FileDescriptor open_folder(const std::filesystem::path& folder);
FileDescriptor open_beneath(const FileDescriptor& folder, const std::string& name);

} // namespace vitrine::worker
