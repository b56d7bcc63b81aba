#pragma once
// An empty catalog and shortcuts to its content: a file of SQLite, or with VITRINE_TEST_DATABASE (a URL of
// PostgreSQL) a schema of its own in that database.

#include <chrono>
#include <string>
#include <vector>

#include "tests/support/catalog_place.hpp"
#include "tests/unit/server/services/support/fixture.hpp"
#include "tests/unit/server/services/support/migrated_catalog.hpp"

namespace vitrine::server::testing {

class CatalogTest : public ServicesTest {
protected:
    AssetRecord add(const std::string& name)
    {
        return catalog.create_assets(std::vector{asset_named(name)}).front().asset;
    }

    // Returns an asset whose import has recorded `counts`.
    AssetRecord add_ready(const std::string& name, const Counts& counts, const std::string& joints = "")
    {
        add(name);
        const auto lease = catalog.claim_job("me", std::chrono::seconds(10)).value();
        catalog.record_metadata(
            lease,
            {{.format = "obj", .counts = counts, .summary = R"({"warnings":0})"}, {.joints = joints}, {}});
        return catalog.succeed(lease)->asset;
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
    Catalog catalog{with_tables(place_.location)};
};

} // namespace vitrine::server::testing
