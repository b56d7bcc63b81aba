#pragma once
// Conversion between database rows and records by their visit_columns() (api/resources.hpp). Uses text and
// integers only, so that every column has its declared type.

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "server/services/catalog/database_connection.hpp"
#include "server/services/catalog/records.hpp"

namespace vitrine::server {

// SELECT with each column of a record; append WHERE.
std::string select_assets();
std::string select_jobs();

// Bound values of a statement that is composed at run time; must outlive its execution.
class Binds {
public:
    // Appends the value and returns its placeholder: ":p0".
    std::string add(std::string text);
    std::string add(long long number);
    void attach(soci::statement& statement);
    // Takes the values of `next` where the statement reads them. Returns false, and changes nothing, if their
    // number or types differ.
    bool assign(Binds& next);

private:
    struct Value {
        std::string name;
        std::optional<std::string> text;
        long long number = 0;
    };
    std::deque<Value> values_;
};

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
std::optional<JobRecord> find_job_row(DatabaseConnection& sql, const std::string& id);

} // namespace vitrine::server
