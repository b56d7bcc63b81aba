#pragma once
// Members of JSON bodies that say what people know of an asset.

#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "server/routing/body_members.hpp"
#include "server/routing/context.hpp"
#include "server/services/catalog/catalog.hpp"
#include "server/services/organization/field_table.hpp"

namespace vitrine::server {

// The member `tags`.
std::optional<std::vector<std::string>> read_tags(BodyMembers& members);
// The members `license`, `author` and `sourceUrl`; null: none.
void read_facts(BodyMembers& members, AssetChange& change);
// The member `values`: by names or ids of custom fields.
std::vector<FieldValueChange> read_field_values(BodyMembers& members);
// The member `cover` as cover_text(); null: none. Errors in it are recorded in the reader, also what the
// version of the asset that requests read does not have. Problems: 409 for a clip or a variant before the
// import. Blocking.
std::expected<std::optional<std::string>, api::Problem>
read_cover(BodyMembers& members, const std::string& asset, Context& context);

} // namespace vitrine::server
