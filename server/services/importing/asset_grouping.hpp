#pragma once
// Which files of an upload go with which of its models. Pure: names decide.

#include <vector>

#include "loaders/worker/client/client.hpp"
#include "server/services/catalog/catalog.hpp"

namespace vitrine::server {

// An asset for each group, with every file of the upload that is not plainly another's.
std::vector<NewAsset> make_new_assets(const std::vector<FileRecord>& files,
                                      const std::vector<worker::ModelGroup>& groups);

} // namespace vitrine::server
