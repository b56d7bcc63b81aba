#pragma once
// Rows of custom fields and of their values, in transactions of the caller. field_values.shown: whether the
// asset is in the field's collection, or in one below it. An asset that leaves keeps its values, which nobody
// sees, and has them again when it comes back. assets.field_values: a copy of those that are shown.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "server/services/catalog/catalog_impl.hpp"
#include "server/services/database/binds.hpp"
#include "server/services/organization/field_table.hpp"

namespace vitrine::server {

// Conditions on ids of collections, with the value `id`: the collection and those above or below it.
std::string is_above(const std::string& id);
std::string is_below(const std::string& id);

// `rest`: the end of the SELECT, on a row `f` of collection_fields.
std::vector<CollectionField> fetch_fields(DatabaseConnection& sql, const std::string& rest, Binds& binds);
// Those that the asset may have, as the collections that it is in define them, with its values.
std::vector<AssetField> fetch_asset_fields(DatabaseConnection& sql, const std::string& asset);

// Replaces values of an asset, which the caller has locked after the collections. Returns whether one has
// changed; the caller records an event. Errors: not_found ("no_field"), conflict ("ambiguous_field"), invalid
// ("bad_field_value").
Result<bool> write_field_values(DatabaseConnection& sql, const std::string& asset,
                                const std::vector<FieldValueChange>& changes);

// Assets with values of fields of the collections for which the condition holds.
std::set<std::string> assets_with_values(DatabaseConnection& sql, const std::string& condition, Binds& binds);
// Locks the assets, in ascending order, with the one that note_membership() writes.
void lock_assets(DatabaseConnection& sql, std::set<std::string> assets);
// The assets may be in other collections than before, or the fields may be others. Locks those that have
// values; call it before note_membership().
void refresh_field_values(DatabaseConnection& sql, const std::set<std::string>& assets);
// Errors: conflict ("field_exists"): a field below the collection has the name of one of `parent` or above.
Result<void> check_moved_fields(DatabaseConnection& sql, const std::string& collection,
                                const std::string& parent);
// Removes the fields of a collection with their values.
void remove_fields(DatabaseConnection& sql, const std::string& collection);

} // namespace vitrine::server
