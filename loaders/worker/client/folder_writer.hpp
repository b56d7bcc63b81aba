#pragma once
// Writes the contents of a zip to a folder, in the parent. Checks all names and sizes sent by the child.

#include <filesystem>
#include <string>
#include <vector>

#include "loaders/worker/client/client.hpp"
#include "loaders/worker/files/file_descriptor.hpp"
#include "loaders/worker/protocol/protocol.hpp"

namespace vitrine::worker {

class FolderWriter {
public:
    // `folder` exists and is empty. Throws std::system_error if it cannot be opened or written (disk full).
    FolderWriter(const std::filesystem::path& folder, const Limits& limits);

    // An `entry` message starts the next file, a `data` message appends to it.
    LoadResult<void> take(const Message& message);
    std::vector<BundleFile> files() && { return std::move(files_); }

private:
    LoadResult<void> begin(const std::string& name);
    LoadResult<void> append(std::string_view bytes);
    FileDescriptor make_folder_of(const std::string& name) const;

    std::filesystem::path path_;
    FileDescriptor folder_;
    const Limits& limits_;
    FileDescriptor file_;
    std::uint64_t total_bytes_ = 0;
    std::vector<BundleFile> files_;
};

} // namespace vitrine::worker
