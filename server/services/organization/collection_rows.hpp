#pragma once
// Rows of collections and of their members, in transactions of the caller.

#include <optional>
#include <string>
#include <vector>

#include "server/services/catalog/catalog_impl.hpp"
#include "server/services/organization/collection_table.hpp"

namespace vitrine::server {

// Writers of collections wait for each other until the end of the transaction; call it before lock_asset().
void lock_collections(DatabaseConnection& sql);
// `rest`: the end of the SELECT, on a row `c` of collections.
std::vector<Collection> fetch_collections(DatabaseConnection& sql, const std::string& rest, Binds& binds);
std::optional<Collection> find_collection_row(DatabaseConnection& sql, const std::string& id);
bool has_collection(DatabaseConnection& sql, const std::string& id); // without counting its assets
// Locks the collections. Errors: not_found, precondition_failed.
Result<Collection> find_collection_to_change(DatabaseConnection& sql, const std::string& id,
                                             const std::string& if_match);
// Removes the parent and the cover from the row if this thread does not see them.
void hide_surroundings(DatabaseConnection& sql, Collection& collection);
// Lists of assets by collection are not what they were.
void note_membership(DatabaseConnection& sql);
// The asset whose row note_membership() writes; empty: there is no asset.
std::string noted_asset(DatabaseConnection& sql);
// A new revision, with its event. Returns the row.
Collection publish_collection(DatabaseConnection& sql, const std::string& id, std::string_view event);
std::unexpected<ServiceError> no_collection(const std::string& id);

// Errors: as CollectionTable::insert_members().
Result<void> insert_member_rows(DatabaseConnection& sql, const std::string& collection,
                                const MemberChange& change);
void remove_member_rows(DatabaseConnection& sql, const std::string& collection,
                        const std::vector<std::string>& assets);

// The place behind all collections with the parent.
long long next_position(DatabaseConnection& sql, const std::string& parent);
// Of `change` the position.
void put_among_siblings(DatabaseConnection& sql, const std::string& id, const std::string& parent,
                        const CollectionChange& change);

// Where a page of a list of collections begins: behind it.
struct CollectionPlace {
    long long position = -1;
    std::string id{};
};
// Empty optional: it is no cursor. Where this thread does not see everything, cursors have no position, which
// would tell how many collections are before it.
std::optional<CollectionPlace> find_place(DatabaseConnection& sql, std::string_view cursor);
std::string cursor_after(DatabaseConnection& sql, const std::string& id);

} // namespace vitrine::server
