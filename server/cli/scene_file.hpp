#pragma once
// Model files as the commands take them.

#include <optional>
#include <string>

#include "loaders/scene/error.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::cli {

// Loads a file and what lies beside it, in a loader process. On failure says so on stderr (see `complain`).
std::optional<scene::Scene> load_or_complain(const std::string& file);

// "vitrine: FILE: code at where: sentence" on stderr.
void complain(const std::string& file, const LoadError& error);

} // namespace vitrine::cli
