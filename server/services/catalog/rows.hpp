#pragma once
// Rows of the catalog as records. Text and integers only, so that every column arrives as it was declared.

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include <soci/soci.h>

#include "server/services/catalog/records.hpp"

namespace vitrine::server {

// SELECT with each column of a record; follow it with WHERE.
std::string select_assets();
std::string select_jobs();

// Values of a statement that is put together at run time; they live until it has run.
class Binds {
public:
    // Appends the value and returns its place in the text: ":p0".
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

// Runs `text` and returns every row; the caller bounds it.
std::vector<AssetRecord> fetch_assets(soci::session& sql, const std::string& text, Binds& binds);
std::vector<JobRecord> fetch_jobs(soci::session& sql, const std::string& text, Binds& binds);

std::optional<AssetRecord> find_asset_row(soci::session& sql, const std::string& id);
std::optional<JobRecord> find_job_row(soci::session& sql, const std::string& id);

} // namespace vitrine::server
