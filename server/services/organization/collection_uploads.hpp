#pragma once
// Uploads into collections. Any thread, blocking. Durable when the call returns. Throws StorageError.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/services/catalog/catalog.hpp"

namespace vitrine::server {

// As Catalog::create_assets(), in one transaction with their membership, at the end of the collection.
// Content counts as known only if this thread sees an asset that has it (VisibilityScope). Errors: not_found
// ("no_collection"), too_large (CollectionTable::max_members).
Result<std::vector<Created>> create_assets_in(Catalog& catalog, const std::string& collection,
                                              std::span<const NewAsset> assets, std::string_view priority);

} // namespace vitrine::server
