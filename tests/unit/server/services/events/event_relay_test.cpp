// Events as rows of the catalog: written with their cause, passed to subscribers, kept for a while.

#include "server/services/events/event_relay.hpp"

#include <gmock/gmock.h>

#include "tests/support/eventually.hpp"
#include "tests/unit/server/services/catalog/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;
using test::eventually;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using Types = std::vector<std::string>;

class CatalogEvents : public CatalogTest {
protected:
    // Of the events after the first `skip`.
    Types stored_types(std::size_t skip = 0) const
    {
        Types types;
        for (const auto& event : catalog.newest_events(1000))
            types.push_back(event.type);
        types.erase(types.begin(), types.begin() + static_cast<std::ptrdiff_t>(skip));
        return types;
    }
    static Types wait_for(EventBus::Subscription& place, std::size_t count)
    {
        Types types;
        EXPECT_TRUE(eventually([&] {
            for (const auto& event : place.take().events)
                types.push_back(event->type);
            return types.size() >= count;
        }));
        return types;
    }
};

TEST_F(CatalogEvents, StoresTheEventsOfEachWrite)
{
    const auto fish = add("fish").id;
    EXPECT_EQ(stored_types(), (Types{"asset.created", "job"}));
    catalog.change_asset(fish, {.name = "pike"});
    catalog.change_asset(fish, {.name = "pike"}); // changes nothing
    catalog.trash_asset(fish);
    catalog.restore_asset(fish);
    EXPECT_EQ(stored_types(2), (Types{"asset.updated", "asset.deleted", "asset.updated"}));
    const auto job = catalog.find_asset(fish)->job;
    catalog.cancel_job(job);
    EXPECT_EQ(stored_types(5), (Types{"asset.failed", "job"}));
    catalog.reimport_asset(fish);
    EXPECT_EQ(stored_types(7), (Types{"asset.updated", "job"}));
}

TEST_F(CatalogEvents, StoresTheEventsOfAnImport)
{
    add("fish");
    const auto lease = catalog.claim_job("worker", 1h).value();
    catalog.heartbeat(lease, JobStage::load, 0.1, 1h);
    EXPECT_EQ(catalog.enter_stage(lease, JobStage::load, 0.1, 1h), LeaseState::held);
    catalog.record_metadata(lease, {{.format = "obj", .summary = "{}"}, {}, {}});
    catalog.record_document(lease, AssetDocument::bounds, "{}");
    catalog.record_thumbnail(lease, true);
    catalog.succeed(lease);
    EXPECT_FALSE(catalog.succeed(lease)) << "the job has ended: no event either";
    EXPECT_EQ(stored_types(2),
              (Types{"job", "asset.metadata", "asset.bounds", "asset.thumbnail", "asset.updated", "job"}));
}

TEST_F(CatalogEvents, RejectedWritesHaveNone)
{
    const auto fish = add("fish").id;
    EXPECT_FALSE(catalog.change_asset(fish, {.name = "pike", .if_match = "\"other\""}));
    EXPECT_FALSE(catalog.trash_asset("none"));
    EXPECT_EQ(stored_types(2), Types{});
}

TEST_F(CatalogEvents, PassesEventsToSubscribers)
{
    EventBus bus;
    const EventRelay relay(catalog, bus);
    const auto place = bus.subscribe(std::nullopt, [] {}).value();
    add("fish");
    EXPECT_EQ(wait_for(*place, 2), (Types{"asset.created", "job"}));
}

TEST_F(CatalogEvents, ReplaysThemAfterARestart)
{
    const auto fish = add("fish").id;
    const auto seen = catalog.newest_events(1).back().id;
    catalog.trash_asset(fish);
    EventBus bus;
    const EventRelay relay(catalog, bus);
    const auto batch = bus.subscribe(seen, [] {}).value()->take();
    EXPECT_FALSE(batch.reset);
    ASSERT_THAT(batch.events, SizeIs(1));
    EXPECT_EQ(batch.events.front()->type, "asset.deleted");
    EXPECT_EQ(batch.events.front()->data, R"({"asset":{"id":")" + fish + "\"}}");
}

TEST_F(CatalogEvents, RemovesOldOnes)
{
    for (int i = 0; i < 10; ++i)
        add("fish" + std::to_string(i));
    const auto last = catalog.newest_events(1).back().id;
    catalog.remove_old_events(7, 1h);
    EXPECT_THAT(catalog.newest_events(100), SizeIs(7));
    catalog.remove_old_events(7, -1s);
    ASSERT_THAT(catalog.newest_events(100), SizeIs(1)) << "ids go on from the newest";
    EXPECT_EQ(catalog.newest_events(100).back().id, last);
    EXPECT_THAT(catalog.events_after(last, 10), IsEmpty());
    add("pike");
    EXPECT_GT(catalog.events_after(last, 10).front().id, last);
}

TEST_F(CatalogEvents, RelaysRemoveOldOnes)
{
    EventBus bus;
    const EventRelay relay(catalog, bus, {.count = 8});
    for (int i = 0; i < 10; ++i)
        add("fish" + std::to_string(i));
    EXPECT_TRUE(eventually([&] { return catalog.newest_events(100).size() < 12; }));
}

TEST_F(CatalogEvents, PassesThoseOfOtherProcessesInOrder)
{
    if (CatalogPlace::database().empty()) GTEST_SKIP() << "needs PostgreSQL: script/with-postgres";
    constexpr std::size_t assets = 40;
    Catalog other(location());
    EventBus bus, bus_of_other;
    const EventRelay relay(catalog, bus), relay_of_other(other, bus_of_other);
    const auto place = bus.subscribe(std::nullopt, [] {}).value();
    const auto place_of_other = bus_of_other.subscribe(std::nullopt, [] {}).value();
    {
        std::vector<std::jthread> threads;
        for (std::size_t t = 0; t < 4; ++t)
            threads.emplace_back([&, t] {
                for (std::size_t i = 0; i < assets; ++i)
                    (t % 2 == 0 ? catalog : other)
                        .create_assets(std::vector{asset_named("fish" + std::to_string(t * assets + i))});
            });
    }
    EXPECT_THAT(wait_for(*place, 8 * assets), SizeIs(8 * assets));
    EXPECT_THAT(wait_for(*place_of_other, 8 * assets), SizeIs(8 * assets));
    const auto stored = catalog.newest_events(1000);
    ASSERT_THAT(stored, SizeIs(8 * assets));
    EXPECT_EQ(std::ranges::adjacent_find(stored, std::ranges::greater_equal{}, &Event::id), stored.end());
}

} // namespace
} // namespace vitrine::server::testing
