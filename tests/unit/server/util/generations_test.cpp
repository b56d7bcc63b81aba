// Generations: what a change outdates, and when.

#include "server/util/generations.hpp"

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace vitrine::server {
namespace {

using Ids = std::vector<std::string>;

TEST(Generations, ChangeOutdatesItsAssetsAndTheCatalog)
{
    Generations generations;
    const auto fish = generations.of_asset("fish"), cat = generations.of_asset("cat");
    const auto catalog = generations.of_catalog();
    EXPECT_TRUE(fish.is_current() && cat.is_current() && catalog.is_current());
    Generations::Change(generations, Ids{"fish"});
    EXPECT_FALSE(fish.is_current());
    EXPECT_FALSE(catalog.is_current());
    EXPECT_TRUE(cat.is_current());
    EXPECT_TRUE(generations.of_asset("fish").is_current());
    EXPECT_TRUE(generations.of_catalog().is_current());
}

TEST(Generations, NothingIsCurrentWhileItChanges)
{
    Generations generations;
    const auto before = generations.of_asset("fish");
    std::optional<Generations::Change> change(std::in_place, generations, Ids{"fish", "fish"});
    const auto during = generations.of_asset("fish");
    EXPECT_FALSE(before.is_current());
    EXPECT_FALSE(during.is_current());
    EXPECT_FALSE(generations.of_catalog().is_current());
    change.reset();
    EXPECT_FALSE(before.is_current());
    EXPECT_FALSE(during.is_current());
}

TEST(Generations, ChangeOfAllOutdatesEveryAsset)
{
    Generations generations;
    const auto fish = generations.of_asset("fish"), catalog = generations.of_catalog();
    static_cast<void>(Generations::Change::of_all(generations));
    EXPECT_FALSE(fish.is_current());
    EXPECT_FALSE(catalog.is_current());
}

TEST(Generations, NoAssetIsNoChange)
{
    Generations generations;
    const auto catalog = generations.of_catalog();
    Generations::Change(generations, Ids{});
    EXPECT_TRUE(catalog.is_current());
}

TEST(Generations, DefaultStampIsAlwaysCurrent)
{
    EXPECT_TRUE(Generations::Stamp().is_current());
}

} // namespace
} // namespace vitrine::server
