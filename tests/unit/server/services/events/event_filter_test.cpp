// Which events subscribers want.

#include "server/services/events/event_filter.hpp"

#include <gtest/gtest.h>

#include "server/services/events/event_types.hpp"

namespace vitrine::server::testing {
namespace {

Event about(const std::string& type, const std::string& id, const std::string& name = "koi")
{
    if (type == "job") {
        api::Job job;
        job.id = "job_1";
        job.asset = id;
        return {1, type, api::event_data(job)};
    }
    api::Asset asset;
    asset.id = id;
    asset.name = name;
    return {1, type, api::event_data(type, asset)};
}

} // namespace

TEST(EventFilter, FindsTheAsset)
{
    for (const auto type : event_types)
        if (type.starts_with("asset.") || type == "job")
            EXPECT_EQ(asset_of(about(std::string(type), "asset_1", R"("asset":"other")")), "asset_1") << type;
    EXPECT_EQ(asset_of({1, "x", "{}"}), "");
    EXPECT_EQ(asset_of({1, "x", R"({"asset":3})"}), "");
}

TEST(EventFilter, ChoosesByTypeAndAsset)
{
    const EventFilter all, assets{.types = {"asset.*"}}, jobs{.types = {"job"}},
        one{.types = {"asset.updated", "job"}, .assets = {"asset_1", "asset_2"}};
    EXPECT_TRUE(all.is_empty());
    EXPECT_TRUE(all.wants(about("job", "asset_9")));
    EXPECT_TRUE(assets.wants(about("asset.deleted", "asset_9")));
    EXPECT_FALSE(assets.wants(about("job", "asset_9")));
    const EventFilter collections{.types = {"collection.*"}};
    EXPECT_TRUE(collections.wants({1, "collection.updated", "{}"}));
    EXPECT_FALSE(collections.wants(about("asset.deleted", "asset_9")));
    EXPECT_TRUE(jobs.wants(about("job", "asset_9")));
    EXPECT_FALSE(jobs.wants(about("asset.created", "asset_9")));
    EXPECT_TRUE(one.wants(about("asset.updated", "asset_1")));
    EXPECT_TRUE(one.wants(about("job", "asset_2")));
    EXPECT_FALSE(one.wants(about("job", "asset_3")));
    EXPECT_FALSE(one.wants(about("asset.created", "asset_1")));
    EXPECT_FALSE(one.wants(about("asset.updated", "asset_11")));
}

} // namespace vitrine::server::testing
