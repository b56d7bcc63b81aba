#pragma once
// An empty catalog and shortcuts to its content: a file of SQLite, or with VITRINE_TEST_DATABASE (a URL of
// PostgreSQL) a schema of its own in that database.

#include <string>
#include <vector>

#include "tests/support/catalog_place.hpp"
#include "tests/unit/server/services/support/fixture.hpp"

namespace vitrine::server::testing {

class CatalogTest : public ServicesTest {
protected:
    AssetRecord add(const std::string& name)
    {
        return catalog.create_assets(std::vector{asset_named(name)}).front().asset;
    }

    std::vector<std::string> names(const ListQuery& query)
    {
        std::vector<std::string> found;
        for (const auto& asset : catalog.list_assets(query).value().items)
            found.push_back(asset.name);
        return found;
    }

    const std::string& location() const { return place_.location; }

private:
    const CatalogPlace place_{folder()};

protected:
    Catalog catalog{place_.location};
};

} // namespace vitrine::server::testing
