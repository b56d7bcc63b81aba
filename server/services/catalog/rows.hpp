#pragma once
// Conversion between database rows and records by their visit_columns() (api/resources.hpp). Uses text and
// integers only, so that every column has its declared type.

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include <soci/soci.h>

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

private:
    struct Value {
        std::string name;
        std::optional<std::string> text;
        long long number = 0;
    };
    std::deque<Value> values_;
};

// Runs `text` and returns all rows; the caller limits their number.
std::vector<AssetRecord> fetch_assets(soci::session& sql, const std::string& text, Binds& binds);
std::vector<JobRecord> fetch_jobs(soci::session& sql, const std::string& text, Binds& binds);

// Writes the columns of the version that the import sets.
void update_imported(soci::session& sql, const std::string& asset, std::uint32_t version,
                     const api::ImportedMembers& found);

std::optional<AssetRecord> find_asset_row(soci::session& sql, const std::string& id);
std::optional<JobRecord> find_job_row(soci::session& sql, const std::string& id);

} // namespace vitrine::server
