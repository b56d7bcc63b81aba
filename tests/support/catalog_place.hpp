#pragma once
// Where a test has its catalog: a file in `folder`, or with VITRINE_TEST_DATABASE (a URL of PostgreSQL, whose
// user may create schemas; script/with-postgres sets it) a new schema in that database, deleted at the end.

#include <cstdlib>
#include <filesystem>
#include <string>

#include "server/services/database/dialect.hpp"
#include "server/util/ids.hpp"

namespace vitrine::server::testing {

class CatalogPlace {
public:
    explicit CatalogPlace(const std::filesystem::path& folder) : location(folder / "catalog.sqlite")
    {
        if (database().empty()) return;
        schema_ = new_id("test");
        execute("CREATE SCHEMA " + schema_);
        const char first = database().find('?') == std::string::npos ? '?' : '&';
        location = database() + first + "options=-csearch_path%3D" + schema_ + ",public";
    }
    ~CatalogPlace()
    {
        if (!schema_.empty()) execute("DROP SCHEMA " + schema_ + " CASCADE");
    }
    CatalogPlace(const CatalogPlace&) = delete;
    CatalogPlace& operator=(const CatalogPlace&) = delete;

    // Empty: tests use SQLite.
    static std::string database()
    {
        const char* const url = std::getenv("VITRINE_TEST_DATABASE");
        return url != nullptr ? url : "";
    }

    std::string location;

private:
    static void execute(const std::string& statement)
    {
        const auto dialect = make_dialect(database());
        const auto connection = dialect->connect(false);
        *connection << statement;
    }

    std::string schema_;
};

} // namespace vitrine::server::testing
