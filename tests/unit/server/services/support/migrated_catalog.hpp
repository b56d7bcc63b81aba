#pragma once
// Catalogs of tests that have their tables from the beginning.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "server/services/database/database_connections.hpp"
#include "server/services/schema/schema.hpp"
#include "tests/support/temp_dir.hpp"

namespace vitrine::server::testing {

// The file of an empty catalog, as migrate() leaves it. Made once per process: the migrations take longer
// than most tests.
inline const std::string& migrated_catalog()
{
    static const std::string bytes = [] {
        const test::TempDir folder;
        const auto file = folder.path() / catalog_file;
        DatabaseConnections(make_dialect(file), 1).setup([](DatabaseConnection& sql) { migrate(sql); });
        std::ifstream stream(file, std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(stream), {});
    }();
    return bytes;
}

// Writes an empty catalog to a file that does not exist yet. Returns `location`, which is Catalog's; one in
// PostgreSQL is left as it is. Tests of migrations and of a first start do not call it.
inline std::string with_tables(const std::string& location)
{
    if (is_postgres(location) || std::filesystem::exists(location)) return location;
    std::filesystem::create_directories(std::filesystem::path(location).parent_path());
    std::ofstream(location, std::ios::binary) << migrated_catalog();
    return location;
}

} // namespace vitrine::server::testing
