#pragma once
// Bytes of original files in the database. Throws soci::soci_error.

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "server/services/database/database_connections.hpp"

namespace vitrine::server {

// Of the files of all versions, or of those that the user has uploaded; each content counts once. Empty
// `user`: all. Reads one index, or the user's files.
std::uint64_t count_stored(DatabaseConnection& sql, const std::string& user);
std::map<std::string, std::uint64_t> count_stored_by_user(DatabaseConnection& sql);
// Declared lengths of uploads in pieces, of all or of the user.
std::uint64_t count_open(DatabaseConnection& sql, const std::string& user);
// Of reservations, except for one, whose files were not stored at the time `since`: a count of stored files
// that began then does not have them.
std::uint64_t count_reserved(DatabaseConnection& sql, const std::string& user, const std::string& except,
                             long long since);
bool is_stored(DatabaseConnection& sql, const std::string& blob, const std::string& user);
// Whether an upload of this content makes no asset: one that this thread sees has it now.
bool is_known_source(DatabaseConnection& sql, const std::string& source_hash);
// Whether it makes no version of the asset.
bool is_known_version(DatabaseConnection& sql, const std::string& asset, const std::string& source_hash);

} // namespace vitrine::server
