#pragma once
// What the catalog shows to a request by the grants on collections of its principal: the assets of these
// collections and of those below them, as they are at each statement. Statements that read assets for
// requests add the conditions of this file, which are empty for everybody who may read (or write) all.
// Blocking where a connection is given. Throws StorageError.

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/access/principal.hpp"

namespace vitrine::server {

struct DatabaseConnection; // server/services/database/database_connection.hpp

// The grants that count, and their ids as SQL.
struct GrantedCollections;
using SharedVisibility = std::shared_ptr<const GrantedCollections>; // null: everything

// For requests to a route with this access: with one that writes, only what the principal may write. Null for
// share links and signed URLs, which have a scope of their own (server/sharing).
SharedVisibility visibility_of(const Principal& principal, Access access);

// The statements of this thread show what is visible until the destructor, which restores the one before.
class VisibilityScope {
public:
    explicit VisibilityScope(SharedVisibility visible);
    ~VisibilityScope();
    VisibilityScope(const VisibilityScope&) = delete;
    VisibilityScope& operator=(const VisibilityScope&) = delete;

private:
    SharedVisibility before_;
};
bool sees_everything(); // on this thread

// Conditions that begin with " AND ", or empty if this thread sees everything. `id`: an SQL expression.
// Looks for the collections of the asset: for statements that stop early, or look at few assets.
std::string and_visible_asset(std::string_view id);
// The same condition, for statements that begin with the visible assets. `seq`: of a row of assets.
std::string and_one_of_visible_assets(std::string_view seq);
std::string and_visible_collection(std::string_view id);
// An SQL expression of the `id`, empty text where it is not visible.
std::string visible_collection_or_empty(std::string_view id);

// Whether this thread sees it, whether it exists or not; true without a statement if it sees everything.
bool is_visible_asset(DatabaseConnection& sql, const std::string& id);
bool is_visible_collection(DatabaseConnection& sql, const std::string& id);
// Whether the collections that this thread sees have at most `limit` assets. False if it sees everything.
bool has_few_visible_assets(DatabaseConnection& sql, long long limit);

// The highest role that the grants give for it; none if they give none.
Role role_for_asset(DatabaseConnection& sql, const CollectionGrants& grants, const std::string& asset);
Role role_for_collection(DatabaseConnection& sql, const CollectionGrants& grants, const std::string& id);

// The role of the principal for each: its own, or a higher one by a grant. No statement without grants, and
// otherwise at most one for each role, whatever the number of ids.
std::vector<Role> roles_for_assets(DatabaseConnection& sql, const Principal& principal,
                                   std::span<const std::string> assets);
std::vector<Role> roles_for_collections(DatabaseConnection& sql, const Principal& principal,
                                        std::span<const std::string> collections);

} // namespace vitrine::server
