#pragma once
// The files that a loader process may request. Used in the parent.

#include <filesystem>
#include <string>
#include <vector>

namespace vitrine::worker {

// The name by which the model refers to the file, and the file's path.
struct BundleFile {
    std::string name; // relative, normalized, '/' separated
    std::filesystem::path path;
    int descriptor = -1; // of the file, owned by the caller; -1: `path` is opened
};

// The named file and the contents of its folder (not above it), limited in depth and number; for the command
// line.
std::vector<BundleFile> list_sibling_files(const std::filesystem::path& file);
// The contents of a folder, with the same limits.
std::vector<BundleFile> list_folder_files(const std::filesystem::path& folder);

} // namespace vitrine::worker
