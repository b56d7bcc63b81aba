#pragma once
// Writes what a zip held below one folder, on the parent's side. Believes neither names nor numbers.

#include <filesystem>
#include <string>
#include <vector>

#include "loaders/worker/client/client.hpp"
#include "loaders/worker/protocol/descriptor.hpp"
#include "loaders/worker/protocol/protocol.hpp"

namespace vitrine::worker {

class FolderWriter {
public:
    // `folder` exists and is empty. Throws std::system_error when it cannot be opened or written (disk full).
    FolderWriter(const std::filesystem::path& folder, const Limits& limits);

    // An `entry` message begins the next file, a `data` message goes on with it.
    LoadResult<void> take(const Message& message);
    std::vector<BundleFile> files() && { return std::move(files_); }

private:
    LoadResult<void> begin(const std::string& name);
    LoadResult<void> append(std::string_view bytes);
    Descriptor make_folder_of(const std::string& name) const;

    std::filesystem::path path_;
    Descriptor folder_;
    const Limits& limits_;
    Descriptor file_;
    std::uint64_t total_bytes_ = 0;
    std::vector<BundleFile> files_;
};

} // namespace vitrine::worker
