#pragma once
// Temporary folders of commands.

#include <filesystem>
#include <memory>

#include "server/util/error.hpp"
#include "server/util/files.hpp"

namespace vitrine::cli {

// Returns null if the folder cannot be created.
inline std::unique_ptr<const server::TemporaryFolder>
make_temporary_folder(const std::filesystem::path& parent = std::filesystem::temp_directory_path())
{
    try {
        return std::make_unique<const server::TemporaryFolder>(parent);
    } catch (const server::StorageError&) {
        return nullptr;
    }
}

} // namespace vitrine::cli
