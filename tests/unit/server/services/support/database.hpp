#pragma once
// Writes into the catalog's database directly, as older versions of Vitrine have left it.

#include <string>

#include "server/services/database/dialect.hpp"

namespace vitrine::server::testing {

// `location`: as Catalog's.
inline void execute_sql(const std::string& location, const std::string& statement)
{
    const auto dialect = make_dialect(location);
    const auto connection = dialect->connect(false);
    *connection << statement;
}

// Makes everything that is stored about models older than this version of the code.
inline void age_facts(const std::string& location)
{
    execute_sql(location, "UPDATE versions SET facts_version = 0, facts_tried = 0");
}

} // namespace vitrine::server::testing
