// Limits of lists, and what a repeated upload leaves unchanged.

#include <string>
#include <vector>

#include "tests/unit/server/services/catalog/fixture.hpp"

namespace vitrine::server::testing {
namespace {

class CatalogLimits : public CatalogTest {};

TEST_F(CatalogLimits, PageHasAtMost500Assets)
{
    std::vector<NewAsset> many;
    for (int i = 0; i < 501; ++i)
        many.push_back(asset_named("fish" + std::to_string(i)));
    ASSERT_EQ(catalog.create_assets(many).size(), 501u);
    const auto page = catalog.list_assets({.limit = 1000}).value();
    EXPECT_EQ(page.items.size(), 500u);
    ASSERT_FALSE(page.next.empty());
    EXPECT_EQ(catalog.list_assets({.limit = 1000, .cursor = page.next})->items.size(), 1u);
}

TEST_F(CatalogLimits, PageHasAtLeastOneAsset)
{
    add("fish");
    EXPECT_EQ(catalog.list_assets({.limit = 0})->items.size(), 1u);
}

// Clients compare revisions to detect changes.
TEST_F(CatalogLimits, RepeatedUploadKeepsTheRevision)
{
    const auto first = add("fish");
    EXPECT_EQ(add("fish").revision, first.revision);
    EXPECT_EQ(catalog.find_asset(first.id)->revision, first.revision);
    ASSERT_TRUE(catalog.trash_asset(first.id));
    const auto trashed = catalog.find_asset(first.id)->revision;
    EXPECT_GT(add("fish").revision, trashed) << "taken out of the trash";
}

} // namespace
} // namespace vitrine::server::testing
