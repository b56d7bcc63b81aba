#include "server/services/storage/blob_pins.hpp"

#include <future>
#include <thread>

#include <gmock/gmock.h>

namespace vitrine::server {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

TEST(BlobPins, APinnedBlobIsNotRemoved)
{
    BlobPins pins;
    int removals = 0;
    auto first = pins.take("a");
    auto second = pins.take("a");
    pins.run_if_unpinned("a", [&] { ++removals; });
    first.reset();
    pins.run_if_unpinned("a", [&] { ++removals; });
    EXPECT_EQ(removals, 0);
    pins.run_if_unpinned("b", [&] { ++removals; });
    EXPECT_EQ(removals, 1);
    second.reset();
    pins.run_if_unpinned("a", [&] { ++removals; });
    EXPECT_EQ(removals, 2);
}

TEST(BlobPins, TheLastPinTellsThatItsBlobIsUnpinned)
{
    BlobPins pins;
    auto first = pins.take("a");
    const auto second = pins.take("b");
    pins.release(std::vector<std::string>{"b", "c"});
    EXPECT_THAT(pins.wait_for_unpinned({}), ElementsAre("c"));
    first.reset();
    pins.release(std::vector<std::string>{"d"});
    EXPECT_THAT(pins.wait_for_unpinned({}), UnorderedElementsAre("a", "d"));
}

TEST(BlobPins, AStopEndsTheWait)
{
    BlobPins pins;
    std::stop_source stop;
    auto waiting = std::async(std::launch::async, [&] { return pins.wait_for_unpinned(stop.get_token()); });
    stop.request_stop();
    EXPECT_THAT(waiting.get(), IsEmpty());
}

TEST(BlobPins, APinWaitsForARemovalOfItsBlobOnly)
{
    BlobPins pins;
    std::future<std::shared_ptr<const void>> pin;
    bool removed = false;
    pins.run_if_unpinned("a", [&] {
        pin = std::async(std::launch::async, [&] { return pins.take("a"); });
        EXPECT_NE(pins.take("b"), nullptr);
        EXPECT_EQ(pin.wait_for(std::chrono::milliseconds(20)), std::future_status::timeout);
        removed = true;
    });
    EXPECT_NE(pin.get(), nullptr);
    EXPECT_TRUE(removed);
}

TEST(BlobPins, ARemovalThatThrowsEnds)
{
    BlobPins pins;
    EXPECT_THROW(pins.run_if_unpinned("a", [] { throw std::runtime_error("no database"); }),
                 std::runtime_error);
    EXPECT_NE(pins.take("a"), nullptr);
}

TEST(BlobPins, APinMayOutliveItsObject)
{
    std::shared_ptr<const void> pin;
    {
        BlobPins pins;
        pin = pins.take("a");
    }
    pin.reset();
}

} // namespace
} // namespace vitrine::server
