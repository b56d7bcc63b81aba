#pragma once
// Conversion between database rows and records by their visit_columns() (api/resources.hpp). Uses text and
// integers only, so that every column has its declared type.

#include <optional>
#include <string>
#include <vector>

#include "server/services/catalog/records.hpp"
#include "server/services/database/binds.hpp"
#include "server/services/database/database_connection.hpp"

namespace vitrine::server {

// SELECT with each column of a record; append WHERE.
std::string select_assets();   // each in the version that requests read
std::string select_versions(); // each in all its versions
std::string select_jobs();

// Runs `text` and returns all rows; the caller limits their number. The statement stays prepared.
std::vector<AssetRecord> fetch_assets(DatabaseConnection& sql, const std::string& text, Binds& binds);
std::vector<JobRecord> fetch_jobs(DatabaseConnection& sql, const std::string& text, Binds& binds);
std::vector<FileRecord> fetch_files(DatabaseConnection& sql, const std::string& text, Binds& binds);
// As fetch_assets(), of the only column of the first row.
std::optional<std::string> fetch_text(DatabaseConnection& sql, const std::string& text, Binds& binds);
std::optional<long long> fetch_number(DatabaseConnection& sql, const std::string& text, Binds& binds);

// Writes the columns of the version that the import sets.
void update_imported(DatabaseConnection& sql, const std::string& asset, std::uint32_t version,
                     const api::ImportedMembers& found);

std::optional<AssetRecord> find_asset_row(DatabaseConnection& sql, const std::string& id);
std::optional<AssetRecord> find_version_row(DatabaseConnection& sql, const std::string& id,
                                            std::uint32_t number);
std::optional<JobRecord> find_job_row(DatabaseConnection& sql, const std::string& id);

} // namespace vitrine::server
