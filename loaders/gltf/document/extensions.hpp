#pragma once
// Which extensions are understood. One table; the rest of the loader asks the JSON for what it implements.

#include <string_view>

#include "loaders/io/json/json.hpp"
#include "loaders/io/text/warning_log.hpp"

namespace vitrine::gltf {

// As used, or at least as required.
bool names_extension(io::JsonValue root, std::string_view name);

// Refuses a required extension that is not in the table, by its name; warns once of each used one that is
// approximated, not shown, or unknown.
LoadResult<void> check_extensions(io::JsonValue root, io::WarningLog& warnings);

} // namespace vitrine::gltf
