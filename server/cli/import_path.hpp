#pragma once
// One file, folder or zip as one upload, and what became of it.

#include <filesystem>

#include "server/cli/import_client.hpp"

namespace vitrine::cli {

// `wait`: until its imports are over. Assets go to stdout, a line each; what went wrong to stderr. False:
// something did. A stop of the client ends it early and silently.
bool import_path(ImportClient& client, const std::filesystem::path& path, bool wait);

} // namespace vitrine::cli
