#pragma once
// Assigns the files of an upload to its models by name. Pure functions.

#include <string_view>
#include <vector>

#include "loaders/worker/client/client.hpp"
#include "server/services/catalog/catalog.hpp"

namespace vitrine::server {

// Returns one asset per group, with every file of the upload that does not clearly belong to another model.
std::vector<NewAsset> make_new_assets(const std::vector<FileRecord>& files,
                                      const std::vector<worker::ModelGroup>& groups);

} // namespace vitrine::server
