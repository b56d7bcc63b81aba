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

TEST(Events, ReachASubscriberInOrder)
{
    EventBus bus;
    bus.publish("job", "before");
    auto place = bus.subscribe(std::nullopt, [] {}).value();
    bus.publish("job", "1");
    bus.publish("job", "2");
    EXPECT_EQ(data_of(place->take()), (Data{"1", "2"}));
    EXPECT_TRUE(place->take().events.empty());
}

TEST(Events, AreReplayedSinceAnId)
{
    EventBus bus;
    const auto first = bus.publish("job", "1");
    bus.publish("job", "2");
    bus.publish("job", "3");
    auto place = bus.subscribe(first, [] {}).value();
    EXPECT_EQ(data_of(place->take(1)), Data{"2"});
    EXPECT_EQ(data_of(place->take()), Data{"3"});
}

TEST(Events, ResetWhenEventsLeftTheRing)
{
    EventBus bus(2);
    const auto first = bus.publish("job", "1");
    for (const char* data : {"2", "3", "4"})
        bus.publish("job", data);
    auto place = bus.subscribe(first, [] {}).value();
    const auto batch = place->take();
    EXPECT_TRUE(batch.reset);
    EXPECT_TRUE(batch.events.empty());
    bus.publish("job", "5");
    const auto next = place->take();
    EXPECT_FALSE(next.reset);
    EXPECT_EQ(data_of(next), Data{"5"});
    EXPECT_EQ(next.events.front()->id, batch.last_id + 1);
}

TEST(Events, ResetForIdsOfAnotherProcess)
{
    EventBus bus;
    EXPECT_TRUE(bus.subscribe(17, [] {}).value()->take().reset);
    EXPECT_TRUE(bus.subscribe(~0ull, [] {}).value()->take().reset);
}

TEST(Events, AscendAcrossRestarts)
{
    const auto last = EventBus().publish("job", "");
    std::this_thread::sleep_for(std::chrono::milliseconds(1)); // a real process starts slower
    EXPECT_GT(EventBus().publish("job", ""), last);
}

TEST(Events, CallReadyOnceUntilTaken)
{
    EventBus bus;
    int calls = 0;
    auto place = bus.subscribe(std::nullopt, [&] { ++calls; }).value();
    bus.publish("job", "1");
    EXPECT_EQ(calls, 0) << "not before the first take()";
    EXPECT_EQ(place->take().events.size(), 1u);
    EXPECT_TRUE(place->take().events.empty());
    bus.publish("job", "2");
    bus.publish("job", "3");
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
    constexpr int writers = 4, each = 500;
    EventBus bus(writers * each);
    std::atomic<int> ready = 0;
    auto place = bus.subscribe(std::nullopt,
                               [&] {
                                   ++ready;
                                   ready.notify_one();
                               })
                     .value();
    std::vector<std::jthread> threads;
    for (int i = 0; i < writers; ++i)
        threads.emplace_back([&] {
            for (int n = 0; n < each; ++n)
                bus.publish("job", "x");
        });
    std::uint64_t last = 0;
    for (int got = 0; got < writers * each;) {
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
