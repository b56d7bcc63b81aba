#pragma once
// The files that a loader process may ask for. Parent's side.

#include <filesystem>
#include <string>
#include <vector>

namespace vitrine::worker {

// The name by which the model refers to the file, and the file's path.
struct BundleFile {
    std::string name; // relative, normalised, '/' separated
    std::filesystem::path path;
};

// The named file and what its folder holds (not above it), bounded in depth and number; for the command line.
std::vector<BundleFile> list_sibling_files(const std::filesystem::path& file);
// What a folder holds, bounded likewise.
std::vector<BundleFile> list_folder_files(const std::filesystem::path& folder);

} // namespace vitrine::worker
