#pragma once
// Members of JSON bodies that say what people know of an asset.

#include <optional>
#include <string>
#include <vector>

#include "server/routing/body_members.hpp"
#include "server/services/catalog/catalog.hpp"

namespace vitrine::server {

// The member `tags`.
std::optional<std::vector<std::string>> read_tags(BodyMembers& members);
// The members `license`, `author` and `sourceUrl`; null: none.
void read_facts(BodyMembers& members, AssetChange& change);

} // namespace vitrine::server
