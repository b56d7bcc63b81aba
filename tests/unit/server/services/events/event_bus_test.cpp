#include "server/services/events/event_bus.hpp"

#include <atomic>
#include <thread>

#include <gtest/gtest.h>

namespace vitrine::server {
namespace {

std::vector<std::string> data_of(const EventBus::Batch& batch)
{
    std::vector<std::string> data;
    for (const auto& event : batch.events)
        data.push_back(event->data);
    return data;
}

using Data = std::vector<std::string>;

// With ids in steps of ten.
std::uint64_t publish(EventBus& bus, std::string data)
{
    const auto id = bus.last_id() + 10;
    bus.publish({id, "job", std::move(data)});
    return id;
}

TEST(Events, ReachASubscriberInOrder)
{
    EventBus bus;
    publish(bus, "before");
    auto place = bus.subscribe(std::nullopt, [] {}).value();
    publish(bus, "1");
    publish(bus, "2");
    EXPECT_EQ(data_of(place->take()), (Data{"1", "2"}));
    EXPECT_TRUE(place->take().events.empty());
}

TEST(Events, AreReplayedSinceAnId)
{
    EventBus bus;
    const auto first = publish(bus, "1");
    publish(bus, "2");
    publish(bus, "3");
    auto place = bus.subscribe(first, [] {}).value();
    EXPECT_EQ(data_of(place->take(1)), Data{"2"});
    EXPECT_EQ(data_of(place->take()), Data{"3"});
}

TEST(Events, ResetWhenEventsLeftTheRing)
{
    EventBus bus(2);
    const auto first = publish(bus, "1");
    for (const char* data : {"2", "3", "4"})
        publish(bus, data);
    auto place = bus.subscribe(first, [] {}).value();
    const auto batch = place->take();
    EXPECT_TRUE(batch.reset);
    EXPECT_TRUE(batch.events.empty());
    publish(bus, "5");
    const auto next = place->take();
    EXPECT_FALSE(next.reset);
    EXPECT_EQ(data_of(next), Data{"5"});
    EXPECT_GT(next.events.front()->id, batch.last_id);
}

TEST(Events, AreNotResetWhileNoneIsMissing)
{
    EventBus bus(2);
    publish(bus, "1");
    const auto second = publish(bus, "2");
    publish(bus, "3");
    publish(bus, "4");
    const auto batch = bus.subscribe(second, [] {}).value()->take();
    EXPECT_FALSE(batch.reset);
    EXPECT_EQ(data_of(batch), (Data{"3", "4"}));
}

TEST(Events, ResetForIdsOfAnotherCatalog)
{
    EventBus bus;
    EXPECT_TRUE(bus.subscribe(17, [] {}).value()->take().reset);
    bus.publish({100, "job", "1"});
    EXPECT_TRUE(bus.subscribe(17, [] {}).value()->take().reset) << "what came before 100 is not known";
    EXPECT_TRUE(bus.subscribe(~0ull, [] {}).value()->take().reset);
}

TEST(Events, CallReadyOnceUntilTaken)
{
    EventBus bus;
    int calls = 0;
    auto place = bus.subscribe(std::nullopt, [&] { ++calls; }).value();
    publish(bus, "1");
    EXPECT_EQ(calls, 0) << "not before the first take()";
    EXPECT_EQ(place->take().events.size(), 1u);
    EXPECT_TRUE(place->take().events.empty());
    publish(bus, "2");
    publish(bus, "3");
    EXPECT_EQ(calls, 1);
}

TEST(Events, LimitTheSubscribers)
{
    EventBus bus(16, 1);
    auto first = bus.subscribe(std::nullopt, [] {}).value();
    EXPECT_EQ(bus.subscribe(std::nullopt, [] {}).error().kind, Errc::busy);
    first.reset();
    EXPECT_TRUE(bus.subscribe(std::nullopt, [] {}).has_value());
}

TEST(Events, AreNotLostBetweenThreads)
{
    constexpr int count = 2000;
    EventBus bus(count);
    std::atomic<int> ready = 0;
    auto place = bus.subscribe(std::nullopt,
                               [&] {
                                   ++ready;
                                   ready.notify_one();
                               })
                     .value();
    const std::jthread publisher([&] {
        for (int n = 0; n < count; ++n)
            publish(bus, "x");
    });
    std::uint64_t last = 0;
    for (int got = 0; got < count;) {
        const int seen = ready.load();
        const auto batch = place->take(7);
        ASSERT_FALSE(batch.reset);
        for (const auto& event : batch.events) {
            ASSERT_GT(event->id, last);
            last = event->id;
        }
        got += static_cast<int>(batch.events.size());
        if (batch.events.empty()) ready.wait(seen);
    }
}

} // namespace
} // namespace vitrine::server
