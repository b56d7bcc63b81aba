#pragma once
// Uploads one file, folder or zip and reports the result.

#include <filesystem>

#include "server/cli/import_client.hpp"

namespace vitrine::cli {

// With `wait`, waits until the imports have ended. Prints one line per asset to stdout and errors to stderr.
// Returns false if there was an error. A stop of the client ends it early without a message.
bool import_path(ImportClient& client, const std::filesystem::path& path, bool wait);

} // namespace vitrine::cli
