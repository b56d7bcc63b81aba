#pragma once
// The table of supported extensions; other parts of the loader read the JSON of the extensions they
// implement.

#include <string_view>

#include "loaders/io/json/json.hpp"
#include "loaders/io/text/warning_log.hpp"

namespace vitrine::gltf {

// In extensionsUsed or extensionsRequired.
bool names_extension(io::JsonValue root, std::string_view name);

// Rejects a required extension that is not in the table, by name; warns once about each used extension that
// is approximated, not supported or unknown.
LoadResult<void> check_extensions(io::JsonValue root, io::WarningLog& warnings);

} // namespace vitrine::gltf
