#pragma once
// An empty catalog and shortcuts to its content.

#include <string>
#include <vector>

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

    Catalog catalog{folder() / "catalog.sqlite"};
};

} // namespace vitrine::server::testing
