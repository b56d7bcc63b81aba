#pragma once
// The tables of the catalog. Each migration runs once, in order, in one transaction; a released migration is
// never edited. The SQL is valid for both databases, except for the few words of their Dialect.

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "server/services/database/dialect.hpp"

namespace vitrine::server {

// Columns of asset_search in the order of their weight.
inline constexpr std::array<std::string_view, 5> search_columns{"name", "tags", "clips", "joints",
                                                                "materials"};

// Returns the statements of each migration, in order.
std::vector<std::vector<std::string>> migrations(const Dialect& dialect);

// Versions of the stored facts.
std::vector<std::string> facts_migration();

// Events, and what the servers of a catalog know in common of their blob store.
std::vector<std::string> events_migration();
std::vector<std::string> blob_ledger_migration();
// Events with fewer pages for each.
std::vector<std::string> events_by_id_migration(const Dialect& dialect);

// Processes that draw and import, and what they are asked to draw.
std::vector<std::string> workers_migration(const Dialect& dialect);
std::vector<std::string> drawn_tags_migration();

// Priorities of jobs, and indexes of their lists.
std::vector<std::string> job_priorities_migration();

// Uploads in pieces.
std::vector<std::string> uploads_migration();

// Access tokens.
std::vector<std::string> access_tokens_migration();

// Several versions of an asset.
std::vector<std::string> versions_migration();

// Users and sessions.
std::vector<std::string> accounts_migration();

// The audit log.
std::vector<std::string> audit_migration();
// Webhooks and their deliveries.
std::vector<std::string> webhooks_migration();
// Signatures by which near duplicates are found.
std::vector<std::string> similarity_migration();
// Tags, collections, and what people say about assets.
std::vector<std::string> tags_migration(const Dialect& dialect);
// Folders whose files are assets without a copy.
std::vector<std::string> libraries_migration(const Dialect& dialect);
// What thumbnails show.
std::vector<std::string> covers_migration();
// Favorites of principals.
std::vector<std::string> favorites_migration(const Dialect& dialect);
// Which axis of a version's file points up.
std::vector<std::string> up_axes_migration();
// Users of identity providers, and tokens that people get by the device flow.
std::vector<std::string> sign_on_migration();

// What lists filter by.
std::vector<std::string> list_columns_migration();
// Indexes of the filters of lists.
std::vector<std::string> list_indexes_migration(const Dialect& dialect);
// Notes on assets.
std::vector<std::string> notes_migration(const Dialect& dialect);
// Saved searches.
std::vector<std::string> searches_migration(const Dialect& dialect);
// Share links and keys of signed URLs.
std::vector<std::string> sharing_migration();

// Vectors of pictures.
std::vector<std::string> pictures_migration(const Dialect& dialect);

// Traces of jobs, events and deliveries.
std::vector<std::string> job_traces_migration();
std::vector<std::string> event_traces_migration();
// Responses that are made later.
std::vector<std::string> response_jobs_migration(const Dialect& dialect);
// Who has sent their requests, and how.
std::vector<std::string> kept_answers_migration();

// Limits that processes share.
std::vector<std::string> limits_migration();
// Storage of users, and uploads in pieces whose length is declared later.
std::vector<std::string> quotas_migration();
// Custom fields of collections, and their values.
std::vector<std::string> fields_migration(const Dialect& dialect);
// The order of collections.
std::vector<std::string> collection_order_migration();
// Roles of users for collections.
std::vector<std::string> grants_migration();
// Groups of users, and their roles for collections.
std::vector<std::string> group_grants_migration();
// Logouts that an identity provider has told.
std::vector<std::string> provider_logout_migration();
// Columns and indexes of more filters of lists.
std::vector<std::string> more_filters_migration();

// A number in the table of migrations while the database is the target of a move (services/moves) that has
// not ended. Versions of Vitrine that do not know it reject the database as one of a newer version.
inline constexpr long long unfinished_move = 1'000'000'000;

// Throws StorageError when the database was written by a newer version of Vitrine, or is the target of an
// unfinished move. Several processes may call it at the same time.
void migrate(DatabaseConnection& sql);

} // namespace vitrine::server
