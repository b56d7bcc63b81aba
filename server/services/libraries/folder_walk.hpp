#pragma once
// Lists the files of a library. Opens each folder from the one above it and follows no symbolic link, so that
// nothing outside the library is read. Writes nothing. Any thread, blocking.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/services/libraries/path_patterns.hpp"
#include "server/util/files.hpp"

namespace vitrine::server {

struct WalkedFile {
    std::string name;
    std::uint64_t size_bytes = 0;
    std::int64_t modified_ns = 0; // since 1970
    std::uint64_t inode = 0;
};

struct WalkedFolder {
    std::string path;                // relative; empty: the library's own
    std::vector<WalkedFile> files{}; // sorted by the bytes of their names
};

struct FolderWalk {
    std::vector<WalkedFolder> folders{};   // with a file or none, sorted by the bytes of their paths
    std::vector<std::string> unreadable{}; // folders whose content is unknown
    std::uint64_t skipped = 0;             // names that cannot be stored, and what cannot be read
    bool is_stopped = false;               // the result is not complete
    int error = 0;                         // errno: the library's folder cannot be read
};

// Which files a library has.
struct LibraryFilter {
    PathPatterns include; // of models; empty: all
    PathPatterns ignored;
    // `folder`: as WalkedFolder::path.
    bool takes_folder(const std::string& path) const;
    bool takes_file(const std::string& folder, std::string_view name) const;
};

// Whether it is a model of a supported format, or else what a model may name, by its extension.
bool is_model_name(std::string_view name);
bool is_companion_name(std::string_view name);

std::string join_path(std::string_view folder, std::string_view name);

// `stopped`: is called for each folder.
FolderWalk walk_folder(const std::string& root, const LibraryFilter& filter,
                       const std::function<bool()>& stopped);

// Opens a file for reading, without links on the way from `root`; empty: there is none, `errno` says why.
std::optional<OpenFile> open_below(const std::string& root, std::string_view path);

// Whether the kernel sees all changes of the folder's files: not on file systems of the network.
bool is_local_folder(const std::string& path);

} // namespace vitrine::server
