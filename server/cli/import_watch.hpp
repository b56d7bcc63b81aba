#pragma once
// `vitrine import --watch`: what is in the folders, then whatever changes there, until SIGINT or SIGTERM.

#include <filesystem>
#include <vector>

#include "server/cli/import_client.hpp"

namespace vitrine::cli {

// A model directly in a folder is an upload of its own; a sub-folder is one upload with all that it holds.
// Returns the exit code.
int watch_and_import(const ImportServer& server, const std::vector<std::filesystem::path>& folders,
                     bool wait);

} // namespace vitrine::cli
