#pragma once
// `vitrine import --watch`: imports the content of the folders, then each change in them, until SIGINT or
// SIGTERM.

#include <filesystem>
#include <vector>

#include "server/cli/import_client.hpp"

namespace vitrine::cli {

// A model directly in a folder is one upload; a subfolder with all its content is one upload. Returns the
// exit code.
int watch_and_import(const ImportServer& server, const std::vector<std::filesystem::path>& folders,
                     bool wait);

} // namespace vitrine::cli
