#pragma once
// Writes into the catalog's database directly, as older versions of Vitrine have left it.

#include <filesystem>
#include <string>

#include "server/services/catalog/database_connections.hpp"

namespace vitrine::server::testing {

inline void execute_sql(const std::filesystem::path& file, const std::string& statement)
{
    DatabaseConnection sql(file);
    Transaction transaction(sql);
    sql << statement;
    transaction.commit();
}

// Makes everything that is stored about models older than this version of the code.
inline void age_facts(const std::filesystem::path& file)
{
    execute_sql(file, "UPDATE versions SET facts_version = 0, facts_tried = 0");
}

} // namespace vitrine::server::testing
